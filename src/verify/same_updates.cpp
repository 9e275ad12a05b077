#include "verify/same_updates.h"

#include "schedule/plan_json.h"

namespace warptile {

namespace {

/// One group of a plan, with all that is derived, as text. The updates are guarded at every size, however the Func
/// itself is cut.
std::string text_of_updates(const Plan &plan, size_t group) {
    Plan alone = plan;
    alone.groups = {plan.groups[group]};
    alone.groups[0].tile = KernelTile();
    alone.groups[0].tail = Tail::Guard;
    alone.groups[0].conditions.clear();
    return to_json(alone);
}

}  // namespace

bool has_same_updates(const Plan &tried, size_t tried_group, const Plan &next, size_t next_group) {
    return text_of_updates(tried, tried_group) == text_of_updates(next, next_group);
}

}  // namespace warptile
