#include "dag/constant_regions.h"

#include <algorithm>

namespace warptile {

namespace {

using MaybeRegion = std::vector<std::optional<Interval>>;

bool finite(const Interval &limits) { return limits.min > -kFar && limits.max < kFar; }

class Finder {
public:
    explicit Finder(const FunctionDag &dag) : dag_(dag), regions_(dag.nodes.size()) {}

    /// Consumers come after their producers, so that from the last node down each has seen all of its own.
    std::vector<MaybeRegion> run() {
        for (size_t id = dag_.nodes.size(); id-- > 0;) {
            find(dag_.nodes[id]);
        }
        return regions_;
    }

private:
    const FunctionDag &dag_;
    std::vector<MaybeRegion> regions_;

    void find(const Node &node) {
        MaybeRegion &region = regions_[static_cast<size_t>(node.id)];
        const std::optional<Interval> nothing = Interval{}, unknown;
        region.assign(static_cast<size_t>(node.dims()), node.is_output ? unknown : nothing);
        for (const int e : dag_.edges_out_of[static_cast<size_t>(node.id)]) {
            const Edge &edge = dag_.edges[static_cast<size_t>(e)];
            widen(region, edge.accesses, dag_.node(edge.consumer), edge.stage);
        }
        for (const BoundRule &rule : node.bounds) {
            const bool constant = rule.kind == BoundRule::Kind::Fixed && !rule.estimated;
            region[static_cast<size_t>(rule.dim)] = constant ? std::optional<Interval>(rule.range) : unknown;
        }
        for (size_t s = node.stages.size(); s-- > 0;) {  // what a later stage reads, an earlier one has to write
            widen(region, node.stages[s].own, node, static_cast<int>(s));
        }
    }

    void widen(MaybeRegion &region, const std::vector<Access> &accesses, const Node &reader, int stage) const {
        for (const Access &access : accesses) {
            for (size_t d = 0; d < region.size(); d++) {
                const std::optional<Interval> more = reach(access.axes[d], reader, stage);
                region[d] =
                    region[d] && more ? std::optional<Interval>(hull(*region[d], *more)) : std::optional<Interval>();
            }
        }
    }

    std::optional<Interval> reach(const AxisAccess &axis, const Node &reader, int stage) const {
        const bool bounded = finite(axis.limits) && !axis.sized;
        const std::optional<Interval> within = bounded ? std::optional<Interval>(axis.limits) : std::nullopt;
        if (axis.kind == AxisAccess::Kind::Unknown || axis.estimated ||
            static_cast<size_t>(stage) >= reader.stages.size()) {
            return within;
        }
        const Stage &loops = reader.stages[static_cast<size_t>(stage)];
        Region ranges(loops.loops.size());
        for (const Term &term : axis.terms) {
            const std::optional<Interval> range = range_of(reader, loops, term.loop);
            if (!range) {
                return within;
            }
            ranges[static_cast<size_t>(term.loop)] = *range;
        }
        return axis.limits == kEverything || bounded ? std::optional<Interval>(covered(axis, ranges, Interval{}))
                                                     : std::nullopt;
    }

    std::optional<Interval> range_of(const Node &reader, const Stage &stage, int loop) const {
        const Loop &of = stage.loops[static_cast<size_t>(loop)];
        if (of.reduction) {
            return of.extent_known ? std::optional<Interval>(of.estimate) : std::nullopt;
        }
        const auto dim = std::find(stage.pure_of_dim.begin(), stage.pure_of_dim.end(), loop);
        return dim == stage.pure_of_dim.end()
                   ? std::nullopt
                   : regions_[static_cast<size_t>(reader.id)][static_cast<size_t>(dim - stage.pure_of_dim.begin())];
    }
};

}  // namespace

std::vector<std::vector<std::optional<Interval>>> constant_regions(const FunctionDag &dag) { return Finder(dag).run(); }

}  // namespace warptile
