#include "dag/bounds/required_boxes.h"

#include <algorithm>
#include <iterator>

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/// Of the estimates, so many points less are tried too, since strides may hide a corner at some sizes.
constexpr int64_t kLess = 4;
/// Outputs of which one is tried small where the others are not, and the other way round.
constexpr size_t kMostOutputs = 8;

size_t index(int i) { return static_cast<size_t>(i); }

LoopRanges loop_ranges(const FunctionDag &dag, int64_t less) {
    LoopRanges ranges(dag.nodes.size());
    for (const Node &node : dag.nodes) {
        for (const Stage &stage : node.stages) {
            Region loops;
            for (const Loop &loop : stage.loops) {
                loops.push_back(loop.estimate);
                if (!loop.reduction && !loop.estimate.empty()) {
                    loops.back().max = std::max(loop.estimate.min, loop.estimate.max - less);
                }
            }
            ranges[index(node.id)].push_back(loops);
        }
    }
    return ranges;
}

std::vector<OutputRegions> other_outputs(const OutputRegions &estimates) {
    std::vector<OutputRegions> all;
    const auto try_points = [&](const auto &is_point) {
        OutputRegions outputs = estimates;
        for (auto &[id, region] : outputs) {
            for (size_t d = 0; d < region.size(); d++) {
                region[d].max = is_point(id, d) ? std::min(region[d].min, region[d].max) : region[d].max;
            }
        }
        all.push_back(outputs);
    };
    size_t dims = 0;
    for (const auto &[id, region] : estimates) {
        dims = std::max(dims, region.size());
    }
    try_points([](int, size_t) { return true; });
    for (size_t along = 0; dims > 1 && along < dims; along++) {
        try_points([&](int, size_t d) { return d == along; });
    }
    size_t tried = 0;
    for (auto one = estimates.begin(); estimates.size() > 1 && one != estimates.end() && tried < kMostOutputs; ++one) {
        try_points([&](int id, size_t) { return id == one->first; });
        try_points([&](int id, size_t) { return id != one->first; });
        tried++;
    }
    return all;
}

using Taken = Expr (*)(const Expr &value, const Expr &predicate);

Boxes boxes(const RegionSources &sources, const Node &node, size_t s, const StageSource &source, Taken taken) {
    Boxes result;
    const LoopBounds loops = loop_bounds(node.stages[s], Region(node.stages[s].loops.size()));
    std::vector<Expr> all = source.values;
    if (node.stages.size() > 1) {
        all.insert(all.end(), source.args.begin(), source.args.end());
    }
    for (const Expr &value : all) {
        for (const auto &[name, box] : boxes_required(taken(value, source.predicate), loops.scope, sources.values)) {
            if (const auto id = sources.ids.find(name); id != sources.ids.end()) {
                result.emplace_back(id->second, box);
            }
        }
    }
    return result;
}

}  // namespace

std::vector<LoopRanges> sizes_to_try(const FunctionDag &dag, const RegionSources &sources) {
    std::vector<LoopRanges> sizes;
    for (int64_t less = 0; less < kLess; less++) {
        sizes.push_back(loop_ranges(dag, less));
    }
    FunctionDag other = dag;
    for (const OutputRegions &outputs : other_outputs(estimated_outputs(dag, sources))) {
        set_root_regions(other, sources, outputs);
        sizes.push_back(loop_ranges(other, 0));
    }
    return sizes;
}

LoopBounds loop_bounds(const Stage &stage, const Region &ranges) {
    LoopBounds bounds;
    for (size_t l = 0; l < ranges.size(); l++) {
        bounds.add(stage.loops[l].name, ranges[l]);
    }
    return bounds;
}

Boxes required_boxes(const RegionSources &sources, const Node &node, size_t s, const StageSource &source) {
    const Boxes within = boxes_within_where(sources, node, s, source);
    if (!source.predicate.defined()) {
        return within;
    }
    Boxes all = boxes(sources, node, s, source, inferred);
    const auto is_func = [&](const auto &b) { return sources.functions[index(b.first)].get_contents().defined(); };
    all.erase(std::remove_if(all.begin(), all.end(), [&](const auto &b) { return !is_func(b); }), all.end());
    std::copy_if(within.begin(), within.end(), std::back_inserter(all), [&](const auto &b) { return !is_func(b); });
    return all;
}

Boxes boxes_within_where(const RegionSources &sources, const Node &node, size_t s, const StageSource &source) {
    return boxes(sources, node, s, source, within_where);
}

void add_required(const RegionSources &sources, const Boxes &boxes, const LoopBounds &loops, Required &required) {
    for (const auto &[id, box] : boxes) {
        if (box.maybe_unused() && is_const_zero(simplify(loops.in_numbers(box.used)))) {
            continue;
        }
        std::vector<std::optional<Interval>> &into = required[id];
        const bool first = into.empty();
        into.resize(box.size());
        for (size_t d = 0; d < box.size(); d++) {
            const std::optional<Interval> known = loops.numbers(box[d], sources.estimates);
            const bool both = known && into[d];
            into[d] = first ? known : both ? std::optional<Interval>(hull(*into[d], *known)) : std::nullopt;
        }
    }
}

bool reaches_further(const FunctionDag &dag, const Node &node, const Required &more, const Required &less) {
    for (auto further = more.begin(); further != more.lower_bound(node.id); ++further) {
        const Node &producer = dag.node(further->first);
        const auto near = less.find(further->first);
        for (size_t d = 0; d < further->second.size(); d++) {
            if (!producer.is_output && !producer.raw_dims[d]) {
                continue;
            }
            if (near == less.end()) {
                return true;
            }
            const std::optional<Interval> &a = further->second[d], &b = near->second[d];
            if (b && (!a || a->min < b->min || a->max > b->max)) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace warptile
