#include "search/tiling/sum_steps.h"

#include <algorithm>

#include "dag/saturating.h"
#include "model/work.h"

namespace warptile {
namespace {

constexpr int kCounts[] = {2, 4, 8};
// Fewer points have few loads to share, and `emit` gives them steps of their own.
constexpr int64_t kFewestPoints = 4;

/// The loop of the sum that most of its loads walk along memory: its steps share addresses. Taking together steps of
/// another loop than the innermost changes the order of the terms. -1: none.
int loop_of_steps(const Stage &update, const Expansion &expansion) {
    int best = -1, number = 0;
    double most = -1;
    for (size_t l = 0; l < update.loops.size(); l++) {
        if (!update.loops[l].reduction) {
            continue;
        }
        double along = 0;
        for (const ExpandedLoad &load : expansion.loads) {
            const bool walks = load.known() && !load.axes.empty() && load.axes[0].slope[l] == 1;
            along += walks ? load.count : 0;
        }
        const bool may = number == 0 || update.any_order();
        if (may && along > most) {
            best = number;
            most = along;
        }
        number++;
    }
    return best;
}

/// A sum of products of what lies in memory, with several points a thread, whose loop stays one. Halide would not see
/// how much of another member of the kernel a body of several steps needs.
bool takes_steps(const GroupView &view, const Kernel &kernel, const Part &part) {
    const Node &node = view.dag().node(part.node);
    if (part.role != Role::Func || part.placement == Placement::Block || node.stages.size() != 2 ||
        node.stages[1].has_predicate || node.stages[1].scatters) {
        return false;
    }
    const int64_t points = product(part_extents(view, kernel, geometry(view, kernel), part));
    int64_t steps = 1;
    bool known = true;
    for (const Loop &loop : node.stages[1].loops) {
        known = known && (!loop.reduction || loop.extent_known);
        steps = saturating_multiply(steps, loop.reduction ? std::max<int64_t>(1, loop.estimate.extent()) : 1);
    }
    const std::vector<ExpandedLoad> &loads = view.expansion(part.node, 1).loads;
    return sums_products(view.expansion(part.node, 1)) && points >= kFewestPoints &&
           (!known || steps > kUnrolledReduction) &&
           std::all_of(loads.begin(), loads.end(), [&](const ExpandedLoad &load) {
               return load.producer == part.node || part_of(kernel, load.producer) < 0;
           });
}

}  // namespace

std::vector<Kernel> with_steps(const GroupView &view, const Kernel &kernel) {
    std::vector<Kernel> kernels = {kernel};
    for (size_t i = 0; i < kernel.parts.size(); i++) {
        const Part &part = kernel.parts[i];
        if (!takes_steps(view, kernel, part)) {
            continue;
        }
        const Stage &update = view.dag().node(part.node).stages[1];
        const int loop = loop_of_steps(update, view.expansion(part.node, 1));
        if (loop < 0) {
            continue;
        }
        const int64_t extent = reduction_extent(view.dag().node(part.node), 1, loop);
        for (const int count : kCounts) {
            if (count <= extent) {
                Kernel more = kernel;
                more.parts[i].steps.loop = loop;
                more.parts[i].steps.count = count;
                kernels.push_back(more);
            }
        }
        break;  // of several sums, those of the first
    }
    return kernels;
}

}  // namespace warptile
