#include "search/placing/own_copies.h"

#include <algorithm>

#include "dag/saturating.h"
#include "model/work.h"
#include "search/placing/staging.h"

namespace warptile {
namespace {

/// Points of a copy; the compiler loads each when it is needed, so there may be more than registers.
constexpr int64_t kMostCopied = 96;
/// Loads without the copy for each one with it.
constexpr double kWorthACopy = 1.2;

/// Whether the work runs once for a thread's tile, with all of it unrolled.
bool in_threads_tile(const Kernel &kernel, const Work &work) {
    if (work.part < 0) {
        return true;
    }
    const Part &part = kernel.parts[static_cast<size_t>(work.part)];
    return part.placement == Placement::Thread && part.at < 0 && part.role == Role::Func;
}

/// Whether a loop that is not unrolled moves the load: its places are then no constants.
bool moves_in_loops(const Stage &stage, const Work &work, const ExpandedLoad &load) {
    for (size_t l = 0; work.serial > 1 && l < stage.loops.size(); l++) {
        const bool moves =
            std::any_of(load.axes.begin(), load.axes.end(), [&](const LoadAxis &axis) { return axis.slope[l] != 0; });
        if (stage.loops[l].reduction && moves) {
            return true;
        }
    }
    return false;
}

bool worth_a_copy(const GroupView &view, const Kernel &kernel, const std::vector<Work> &works, int input) {
    double without = 0, with = 0;
    for (const Work &work : works) {
        const int reader = work.part < 0 ? view.output() : kernel.parts[static_cast<size_t>(work.part)].node;
        for (const ExpandedLoad &load : work.expansion().loads) {
            if (load.producer != input) {
                continue;
            }
            const Stage &stage = view.dag().node(reader).stages[static_cast<size_t>(work.stage)];
            if (!load.known() || !in_threads_tile(kernel, work) || moves_in_loops(stage, work, load)) {
                return false;
            }
            without += load.repeated(work.unrolled) * work.chunks;
            with += load.distinct(work.unrolled) * work.chunks;
        }
    }
    return without > with * kWorthACopy;
}

}  // namespace

bool add_own_copies(const KeptGraph &graph, const GroupView &view, Kernel &kernel) {
    if (kernel.stage > 0) {
        return false;
    }
    const Geometry g = geometry(view, kernel);
    const std::vector<Work> works = work_of(view, kernel, g);
    const size_t before = kernel.parts.size();
    for (const int input : view.inputs()) {
        const bool plain = can_redirect(graph, view, input) && view.fixed_extents(input) && view.divisions(input) == 0;
        if (!plain || part_of(kernel, input) >= 0 || !worth_a_copy(view, kernel, works, input)) {
            continue;
        }
        Part copy;
        copy.node = input;
        copy.role = Role::Copy;
        copy.placement = Placement::Thread;
        if (product(part_extents(view, kernel, g, copy)) <= kMostCopied) {
            kernel.parts.push_back(copy);
        }
    }
    return kernel.parts.size() > before;
}

}  // namespace warptile
