#include "search/tiling/sum_steps.h"

#include <algorithm>

#include "dag/saturating.h"
#include "model/work.h"
#include "schedule/rules/check_steps.h"

namespace warptile {
namespace {

constexpr int kCounts[] = {1, 2, 4, 8};
// Fewer points have few loads to share, and `emit` gives them steps of their own.
constexpr int64_t kFewestPoints = 4;
constexpr int64_t kLargestWindow = 16;

/// A reduction loop of an update.
struct ReductionLoop {
    size_t loop = 0;     ///< of the stage
    int64_t extent = 1;  ///< at the estimates
    bool known = false;  ///< at every size
};

std::vector<ReductionLoop> reduction_loops(const Stage &update) {
    std::vector<ReductionLoop> loops;
    for (size_t l = 0; l < update.loops.size(); l++) {
        if (update.loops[l].reduction) {
            const int64_t extent = std::max<int64_t>(1, update.loops[l].estimate.extent());
            loops.push_back({l, extent, update.loops[l].extent_known});
        }
    }
    return loops;
}

/// The loop of the sum that most of its loads walk along memory: its steps share addresses. Taking together steps of
/// another loop than the innermost changes the order of the terms. Not one that lies in the `window`. -1: none.
int loop_of_steps(const Stage &update, const Expansion &expansion, const std::vector<int> &window) {
    int best = -1;
    double most = -1;
    const std::vector<ReductionLoop> loops = reduction_loops(update);
    for (size_t number = 0; number < loops.size(); number++) {
        double along = 0;
        for (const ExpandedLoad &load : expansion.loads) {
            const bool walks = load.known() && !load.axes.empty() && load.axes[0].slope[loops[number].loop] == 1;
            along += walks ? load.count : 0;
        }
        const bool may = (number == 0 || update.any_order()) && (number >= window.size() || window[number] == 1);
        if (may && along > most) {
            best = static_cast<int>(number);
            most = along;
        }
    }
    return best;
}

/// For each reduction loop its extent, if it is a short one whose steps read in part the same as steps of the thread's
/// other points, as those of a convolution's window do; else 1. Empty where there is none, or nothing would be left.
std::vector<int> window_of(const Stage &update, const Expansion &expansion, std::vector<double> points) {
    std::vector<int> counts;
    int64_t size = 1;
    bool left = false;
    for (const ReductionLoop &loop : reduction_loops(update)) {
        double apart = 0, together = 0;
        for (const ExpandedLoad &load : expansion.loads) {
            std::vector<double> wider = points;
            wider[loop.loop] = static_cast<double>(loop.extent);
            apart += load.known() ? load.distinct(points) * static_cast<double>(loop.extent) : 0;
            together += load.known() ? load.distinct(wider) : 0;
        }
        const bool shares = loop.known && loop.extent > 1 && size * loop.extent <= kLargestWindow && together < apart;
        counts.push_back(shares ? static_cast<int>(loop.extent) : 1);
        size *= counts.back();
        left = left || (!shares && loop.extent > 1);
    }
    return size > 1 && left && update.any_order() ? counts : std::vector<int>();
}

/// A sum of products with several points a thread, whose loop stays one and has no other member inside.
bool takes_steps(const GroupView &view, const Kernel &kernel, size_t i) {
    const Part &part = kernel.parts[i];
    const Node &node = view.dag().node(part.node);
    const bool is_host = std::any_of(kernel.parts.begin(), kernel.parts.end(),
                                     [&](const Part &p) { return p.each_step && p.at == static_cast<int>(i); });
    if (is_host || part.role != Role::Func || part.placement == Placement::Block || node.stages.size() != 2 ||
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
    return sums_products(view.expansion(part.node, 1)) && points >= kFewestPoints &&
           (!known || steps > kUnrolledReduction);
}

/// Whether a loop may be cut: Halide would not see how much of another member of the kernel a body of several steps
/// needs.
bool may_be_cut(const GroupView &view, const Kernel &kernel, const Part &part) {
    const std::vector<ExpandedLoad> &loads = view.expansion(part.node, 1).loads;
    return std::all_of(loads.begin(), loads.end(), [&](const ExpandedLoad &load) {
        return load.producer == part.node || part_of(kernel, load.producer) < 0;
    });
}

/// The points of a thread, per loop of the part's update.
std::vector<double> points_of(const GroupView &view, const Kernel &kernel, const Part &part) {
    const Stage &update = view.dag().node(part.node).stages[1];
    const std::vector<int64_t> extents = part_extents(view, kernel, geometry(view, kernel), part);
    std::vector<double> points(update.loops.size(), 1.0);
    for (size_t d = 0; d < extents.size(); d++) {
        const int loop = update.pure_of_dim[d];
        const bool in_lanes = part.placement == Placement::Warp && part.axes.front().dim == static_cast<int>(d);
        if (loop >= 0 && !in_lanes) {
            points[static_cast<size_t>(loop)] = static_cast<double>(extents[d]);
        }
    }
    return points;
}

/// The kernel with each number of steps of the sum of part `i`, beside its window if it has one.
void add_counts(const GroupView &view, const Kernel &kernel, size_t i, const std::vector<int> &window,
                std::vector<Kernel> &kernels) {
    const Node &node = view.dag().node(kernel.parts[i].node);
    const int loop = loop_of_steps(node.stages[1], view.expansion(node.id, 1), window);
    Kernel more = kernel;
    more.parts[i].steps.counts = window;
    const int64_t size = more.parts[i].steps.together();
    const bool may_cut = loop >= 0 && may_be_cut(view, kernel, kernel.parts[i]);
    for (const int count : kCounts) {
        const bool one = window.empty() && count == 1;  // `kernel` itself
        if (one || size * count > kMostSteps || (count > 1 && (!may_cut || count > reduction_extent(node, 1, loop)))) {
            continue;
        }
        std::vector<int> &counts = more.parts[i].steps.counts;
        counts = window;
        if (count > 1) {
            counts.resize(std::max(counts.size(), static_cast<size_t>(loop) + 1), 1);
            counts[static_cast<size_t>(loop)] = count;
        }
        kernels.push_back(more);
    }
}

}  // namespace

std::vector<Kernel> with_steps(const GroupView &view, const Kernel &kernel) {
    std::vector<Kernel> kernels = {kernel};
    for (size_t i = 0; i < kernel.parts.size(); i++) {
        const Part &part = kernel.parts[i];
        if (!takes_steps(view, kernel, i)) {
            continue;
        }
        const Stage &update = view.dag().node(part.node).stages[1];
        const Expansion &expansion = view.expansion(part.node, 1);
        std::vector<std::vector<int>> windows = {{}};
        windows.push_back(window_of(update, expansion, points_of(view, kernel, part)));
        windows.resize(windows.back().empty() ? 1 : 2);
        for (const std::vector<int> &window : windows) {
            add_counts(view, kernel, i, window, kernels);
        }
        break;  // of several sums, those of the first
    }
    return kernels;
}

}  // namespace warptile
