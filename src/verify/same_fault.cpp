#include "verify/same_fault.h"

#include "schedule/plan_json.h"

namespace warptile {

namespace {

/// Bytes of what a thread has to keep of a loop over launches, generously: where each of two dimensions begins, and
/// what is made of it.
constexpr int kLaunchBytes = 32;

/// One group of a plan, with all that is derived, as text.
std::string text_of(const Plan &plan, const Group &group) {
    Plan alone = plan;
    alone.groups = {group};
    return to_json(alone);
}

Group in_one_launch(Group group) {
    group.tile.one_launch = true;
    for (KernelTile &update : group.updates) {
        update.one_launch = true;
    }
    return group;
}

/// The updates are guarded at every size, however the Func itself is cut.
Group without_own_tile(Group group) {
    group.tile = KernelTile();
    group.tail = Tail::Guard;
    group.conditions.clear();
    return group;
}

}  // namespace

bool has_same_fault(const GroupFault &fault, const Plan &tried, size_t tried_group, const Plan &next, size_t next_group) {
    const Group &a = tried.groups[tried_group], &b = next.groups[next_group];
    return (fault.spilled > kLaunchBytes && text_of(tried, in_one_launch(a)) == text_of(next, in_one_launch(b))) ||
           (fault.in_updates && text_of(tried, without_own_tile(a)) == text_of(next, without_own_tile(b)));
}

}  // namespace warptile
