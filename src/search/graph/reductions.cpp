#include "search/graph/reductions.h"

#include <algorithm>

#include "search/graph/kept_graph.h"

namespace warptile {
namespace {

// Steps, and operations and loads of them, that a thread takes together.
constexpr int64_t kMostTogether = 16;
constexpr double kMostBody = 200;

bool in(const AxisAccess &axis, int loop) {
    return std::any_of(axis.terms.begin(), axis.terms.end(), [&](const Term &term) { return term.loop == loop; });
}

}  // namespace

std::vector<int64_t> lengths_of(const Stage &update) {
    std::vector<int64_t> lengths;
    for (const Loop &loop : update.loops) {
        if (loop.reduction) {
            lengths.push_back(std::max<int64_t>(1, loop.estimate.extent()));
        }
    }
    return lengths;
}

int power_below(double n) {
    constexpr int kMost = 1 << 30;
    int power = 1;
    while (power < kMost && 2.0 * power <= n) {
        power *= 2;
    }
    return power;
}

bool walks_rows(const FunctionDag &dag, int node, int stage, int loop) {
    const auto size = [&](const Edge &edge) {
        const Node &producer = dag.node(edge.producer);
        return static_cast<double>(volume(producer.estimate)) * producer.bytes();
    };
    bool walks = false;
    double largest = 0;  // of what the loop walks
    for (const int e : dag.edges_into[static_cast<size_t>(node)]) {
        const Edge &edge = dag.edges[static_cast<size_t>(e)];
        for (const Access &access : edge.accesses) {
            const bool moves =
                edge.stage == stage && std::any_of(access.axes.begin(), access.axes.end(),
                                                   [&](const AxisAccess &axis) { return in(axis, loop); });
            if (moves && size(edge) >= largest) {
                walks = in(access.axes[0], loop) || (walks && size(edge) == largest);
                largest = size(edge);
            }
        }
    }
    return walks;
}

std::optional<SplitReduction> find_split(const FunctionDag &dag, int id, int64_t shortest) {
    const Node &node = dag.node(id);
    if (node.kind != NodeKind::Func || node.stages.size() != 2 || !updates_in_place(node)) {
        return std::nullopt;
    }
    const Stage &update = node.stages[1];
    if (!update.associative || !update.commutative || update.where_bounds) {
        return std::nullopt;
    }
    SplitReduction best;
    int rvar = 0;
    for (size_t l = 0; l < update.loops.size(); l++) {
        if (!update.loops[l].reduction) {
            continue;
        }
        const SplitReduction split{rvar++,
                                   static_cast<int>(l),
                                   update.loops[l].estimate.extent(),
                                   update.loops[l].extent_known,
                                   walks_rows(dag, id, 1, static_cast<int>(l)),
                                   0};
        // A split along rows lets adjacent lanes read adjacent values.
        if (split.extent >= shortest && (best.extent == 0 || (split.along_rows && !best.along_rows) ||
                                         (split.along_rows == best.along_rows && split.extent > best.extent))) {
            best = split;
        }
    }
    if (rvar == 1 && !best.known) {
        best.usual_extent = best.extent;
    }
    return best.extent == 0 ? std::nullopt : std::optional<SplitReduction>(best);
}

int steps_together(int64_t extent, double body) {
    const int64_t most =
        std::min<int64_t>({kMostTogether, static_cast<int64_t>(kMostBody / std::max(1.0, body)), extent});
    int64_t steps = std::max<int64_t>(1, most), least = INT64_MAX;
    for (int64_t count = steps; 2 * count > most && count > 0; count--) {
        const int64_t taken = (extent + count - 1) / count * count;
        if (taken < least) {
            least = taken;
            steps = count;
        }
    }
    return static_cast<int>(steps);
}

}  // namespace warptile
