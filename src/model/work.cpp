#include "model/work.h"

#include <algorithm>
#include <cmath>

#include "dag/dependences.h"

#include "schedule/tile_extents.h"

namespace warptile {
namespace {

double ceil_div(int64_t a, int64_t b) { return static_cast<double>((a + b - 1) / b); }

/// A copy: one load of the same point.
Expansion copy_of(int node, int dims) {
    Expansion e;
    ExpandedLoad load;
    load.producer = node;
    load.axes.resize(static_cast<size_t>(dims));
    for (size_t d = 0; d < load.axes.size(); d++) {
        load.axes[d].slope.assign(static_cast<size_t>(dims), 0.0);
        load.axes[d].slope[d] = 1;
    }
    e.loads.push_back(load);
    return e;
}

/// The last step of a reduction: one load and one operation a partial result.
Expansion total_of(const Expansion &update, int factor) {
    Expansion e;
    e.float_ops = factor * std::max(1.0, 0.5 * update.ops());
    return e;
}

/// The loop of the stage that runs over dimension `dim`, or, counted after the dimensions, over a reduction; -1: none.
int loop_of(const Stage *stage, int dim) {
    if (!stage) {
        return dim;
    }
    int number = dim - static_cast<int>(stage->pure_of_dim.size());
    if (number < 0) {
        return stage->pure_of_dim[static_cast<size_t>(dim)];
    }
    for (size_t l = 0; l < stage->loops.size(); l++) {
        if (stage->loops[l].reduction && number-- == 0) {
            return static_cast<int>(l);
        }
    }
    return -1;
}

/// Counts the reduction loops into the body or, where they are long, into the repeats. Of a partial reduction each lane
/// or thread has `divided_by` times fewer steps, which walk the split loop side by side; `together` of them are
/// unrolled (0: all that are known and few).
void add_reductions(const Stage &stage, double divided_by, double together, Work &work) {
    const bool rolled = divided_by <= 1 && work.points() <= 1 && too_large_to_unroll(stage, work.expansion());
    double points = 1;
    bool known = true;
    for (const Loop &loop : stage.loops) {
        if (loop.reduction) {
            points *= static_cast<double>(std::max<int64_t>(1, loop.estimate.extent()));
            known = known && loop.extent_known;
        }
    }
    points = std::ceil(points / divided_by);
    if (together > 0) {
        work.steps = together;
        work.serial *= std::ceil(points / work.steps);
        work.repeats *= std::ceil(points / work.steps);
        work.chunks *= work.steps;
        return;
    }
    if (points > static_cast<double>(kUnrolledReduction) || !known || rolled) {
        work.repeats *= points;
        work.serial *= points;
        return;
    }
    if (divided_by > 1) {
        work.chunks *= points;
        return;
    }
    for (size_t l = 0; l < stage.loops.size(); l++) {
        if (stage.loops[l].reduction) {
            work.unrolled[l] = static_cast<double>(stage.loops[l].estimate.extent());
        }
    }
}

/// The steps that a part takes together count in the body, each with what it loads.
void add_steps(const Stage &stage, const Steps &steps, Work &work) {
    work.steps = static_cast<double>(steps.together());
    work.in_steps = true;
    work.of_a_step = work.unrolled;
    size_t number = 0;
    for (size_t l = 0; l < stage.loops.size(); l++) {
        if (!stage.loops[l].reduction) {
            continue;
        }
        const int count = steps.of(number++);
        const double extent = static_cast<double>(std::max<int64_t>(1, stage.loops[l].estimate.extent()));
        const double turns = std::ceil(extent / count);
        work.turn_loops += turns > 1 ? 1 : 0;
        if (count > 1) {
            work.unrolled[l] = count;
            work.serial *= turns / extent;
            work.repeats *= turns / extent;
        }
    }
}

const AxisTile *axis_of(const std::vector<AxisTile> &axes, int dim) {
    for (const AxisTile &a : axes) {
        if (a.dim == dim) {
            return &a;
        }
    }
    return nullptr;
}

/// Lanes along `axis`, as many as a warp still has.
void add_lanes(const AxisTile &axis, int count, double step, const Stage *stage, Work &work) {
    int left = kLanes;
    for (const LaneWalk &walk : work.lanes) {
        left /= walk.count;
    }
    if (std::min(left, count) > 1) {
        work.lanes.push_back({loop_of(stage, axis.dim), step, std::min(left, count)});
    }
}

/// The lanes of a part that is computed in its reader's threads: they walk it as far as they walk what reads it.
std::vector<LaneWalk> lanes_of_reader(const Work &reader, const ExpandedLoad &load, const Stage *stage) {
    std::vector<LaneWalk> lanes = reader.lanes;
    for (LaneWalk &walk : lanes) {
        const int loop = walk.loop;
        walk.loop = -1;
        for (size_t d = 0; d < load.axes.size() && loop >= 0 && walk.loop < 0; d++) {
            const std::vector<double> &slope = load.axes[d].slope;
            if (load.axes[d].has_way() && static_cast<size_t>(loop) < slope.size() &&
                slope[static_cast<size_t>(loop)] != 0) {
                walk.loop = loop_of(stage, static_cast<int>(d));
                walk.step *= std::abs(slope[static_cast<size_t>(loop)]);
            }
        }
    }
    return lanes;
}

/// The first of `works` that reads `node`, and how.
void add_lanes_of_reader(const std::vector<Work> &works, int node, const Stage *stage, Work &work) {
    for (const Work &reader : works) {
        for (const ExpandedLoad &load : reader.expansion().loads) {
            if (load.producer == node) {
                work.lanes = lanes_of_reader(reader, load, stage);
                return;
            }
        }
    }
}

Work output_work(const GroupView &view, const Kernel &kernel, const Geometry &g) {
    Work work;
    const Node &out = view.output_node();
    const Stage *stage = kernel.wrapped ? nullptr : &out.stages[static_cast<size_t>(kernel.stage)];
    work.stage = kernel.stage;
    if (stage) {
        work.of_group = &view.expansion(out.id, kernel.stage);
    } else {
        work.made = std::make_shared<const Expansion>(copy_of(out.id, out.dims()));
    }
    work.unrolled.assign(stage ? stage->loops.size() : static_cast<size_t>(out.dims()), 1.0);
    work.repeats = static_cast<double>(g.warps);
    for (size_t i = 0; i < kernel.tile.axes.size(); i++) {
        const AxisTile &axis = kernel.tile.axes[i];
        const bool lanes = static_cast<int>(i) == kernel.tile.lane_axis;
        const int loop = loop_of(stage, axis.dim);
        if (lanes) {
            const bool adjacent = kernel.tile.layout == LaneLayout::Adjacent;
            add_lanes(axis, kLanes, adjacent ? kernel.tile.adjacent : 1, stage, work);
            (adjacent ? work.unrolled[static_cast<size_t>(loop)] : work.chunks) =
                adjacent ? kernel.tile.adjacent : ceil_div(axis.width, kLanes);
            work.columns = work.chunks;
        } else if (loop >= 0) {
            work.unrolled[static_cast<size_t>(loop)] = axis.width;
        }
        if (kernel.tile.lane_axis < 0) {
            add_lanes(axis, axis.threads, axis.width, stage, work);
        }
    }
    // Of a reduction that is dealt to threads, each has `width` steps, which are unrolled.
    double among = divides_blocks(kernel) ? kernel.partials : 1;
    for (const AxisTile &axis : kernel.tile.axes) {
        if (axis.dim >= out.dims()) {
            among *= static_cast<double>(reduction_extent(out, kernel.stage, axis.dim - out.dims()));
        }
    }
    if (kernel.tile.stream >= 0) {
        work.stream_loop = loop_of(stage, kernel.tile.axes[static_cast<size_t>(kernel.tile.stream)].dim);
    }
    if (stage) {
        add_reductions(*stage, among,
                       kernel.tile.steps.together() > 1 ? static_cast<double>(kernel.tile.steps.together()) : 0, work);
        work.chained = kernel.stage > 0 && work.serial * work.steps > 1 && is_scan(*stage);
    }
    return work;
}

/// By dimension of a part in shared memory, whether its loop stays a loop: its extent depends on where the tile lies
/// (`GroupView::divisions`), or on data and sizes.
std::vector<bool> rolled_dims(const GroupView &view, const Part &part, size_t dims) {
    std::vector<bool> rolled(dims, part.placement == Placement::Block && view.divisions(part.node) > 0);
    const std::vector<Known> &known = view.known_extents(part.node);
    for (size_t d = 0; d < std::min(dims, known.size()); d++) {
        rolled[d] = rolled[d] || (part.placement == Placement::Block && known[d] != Known::Fixed);
    }
    return rolled;
}

void place(const Kernel &kernel, const Geometry &g, const Part &part, const std::vector<int64_t> &extents,
           const std::vector<bool> &rolled, const Stage *stage, Work &work) {
    const double warps = static_cast<double>(g.warps);
    work.repeats = warps;
    const bool adjacent = kernel.tile.layout == LaneLayout::Adjacent;
    for (size_t d = 0; d < extents.size(); d++) {
        const AxisTile *axis = part.placement == Placement::Thread ? nullptr : axis_of(part.axes, static_cast<int>(d));
        const int loop = loop_of(stage, static_cast<int>(d));
        if (axis && part.placement == Placement::Warp) {
            if (adjacent && loop >= 0) {
                work.unrolled[static_cast<size_t>(loop)] = kernel.tile.adjacent;
            } else {
                work.chunks = ceil_div(extents[d], kLanes);
                work.columns = work.chunks;
            }
            add_lanes(*axis, kLanes, adjacent ? kernel.tile.adjacent : 1, stage, work);
        } else if (axis) {
            work.repeats *= ceil_div(extents[d], axis->threads);
            work.turns *= rolled[d] ? ceil_div(extents[d], axis->threads) : 1;
        } else if (rolled[d] && loop >= 0) {
            work.repeats *= static_cast<double>(extents[d]);
            work.turns *= static_cast<double>(extents[d]);
        } else if (loop >= 0 && static_cast<size_t>(loop) < work.unrolled.size()) {
            work.unrolled[static_cast<size_t>(loop)] = static_cast<double>(extents[d]);
        }
    }
    for (const AxisTile &axis : part.axes) {
        if (part.placement == Placement::Block) {
            add_lanes(axis, axis.threads, 1, stage, work);
        }
    }
}

/// Partial results have a dimension more, which is dealt to lanes or threads: each begins at a step of the split loop.
void deal_split_loop(const Part &partial, int dims, const Stage &update, Work &work) {
    work.lanes.clear();
    for (const AxisTile &axis : partial.axes) {
        add_lanes(axis, partial.placement == Placement::Warp ? kLanes : axis.threads, 1, &update, work);
        if (axis.dim == dims && !work.lanes.empty()) {
            work.lanes.back().loop = partial.split_loop;
        }
    }
}

/// How often the warps of a block come to a step of a part's update, and how many a thread takes one after the other.
struct StepsOfPart {
    double repeats = 0, around = 1;
};

StepsOfPart steps_of(const Stage &update, const Work &work) {
    StepsOfPart steps = {work.repeats, work.around * work.serial};
    for (size_t l = 0; l < update.loops.size(); l++) {
        steps.repeats *= update.loops[l].reduction ? work.unrolled[l] : 1;
    }
    return steps;
}

}  // namespace

bool sums_products(const Expansion &update) {
    constexpr double kProductAndSum = 2;
    return update.float_ops > 0 && update.float_ops <= kProductAndSum && update.special_ops == 0;
}

bool too_large_to_unroll(const Stage &stage, const Expansion &expansion) {
    // 25 steps of 69 spilled 480 bytes; 25 whose work is mostly on values, 4 on indices, fit 44 registers.
    constexpr double kMostIndexOps = 1000;
    const double steps = static_cast<double>(stage.steps());
    return steps > 1 && steps * expansion.index_ops > kMostIndexOps;
}

bool is_scan(const Stage &stage) {
    const auto affine = [](const AxisAccess &axis) { return axis.kind == AxisAccess::Kind::Affine; };
    return any_loop(stage, Dependence::Ordered) &&
           std::any_of(stage.own.begin(), stage.own.end(), [](const Access &own) { return own.loads > 0; }) &&
           std::all_of(stage.own.begin(), stage.own.end(),
                       [&](const Access &own) { return std::all_of(own.axes.begin(), own.axes.end(), affine); });
}

bool updates_by_data(const Stage &stage) {
    return reads_of_itself(stage) > 0 && std::any_of(stage.own.begin(), stage.own.end(), [](const Access &own) {
               return std::any_of(own.axes.begin(), own.axes.end(), [](const AxisAccess &axis) {
                   return axis.kind == AxisAccess::Kind::Unknown ||
                          (axis.kind == AxisAccess::Kind::Absolute && axis.lo < axis.hi);
               });
           });
}

double reads_of_itself(const Stage &update) {
    double loads = 0;
    for (const Access &own : update.own) {
        loads += own.loads;
    }
    return loads;
}

double Work::points() const {
    double n = chunks;
    for (const double u : unrolled) {
        n *= u;
    }
    return n;
}

const Expansion &Work::expansion() const {
    if (made) {
        return *made;
    }
    const bool together =
        of_group->together && unrolled[static_cast<size_t>(of_group->channel_loop)] >= of_group->channels;
    return together ? *of_group->together : *of_group;
}

Work Work::row() const {
    Work one = *this;
    if (stream_loop >= 0) {
        one.unrolled[static_cast<size_t>(stream_loop)] = 1;
    }
    return one;
}

double Work::distinct(const ExpandedLoad &load) const {
    const auto loop = static_cast<size_t>(lane_loop());
    const bool moves =
        !load.known() || lane_loop() < 0 || std::any_of(load.axes.begin(), load.axes.end(), [&](const LoadAxis &axis) {
            return loop < axis.slope.size() && axis.slope[loop] != 0;
        });
    return load.distinct(unrolled) * (moves ? chunks : chunks / columns);
}

double Work::distinct_of_a_step(const ExpandedLoad &load) const {
    Work one = *this;
    one.unrolled = of_a_step;
    return one.distinct(load);
}

double Work::addresses(const GroupView &view, const ExpandedLoad &load) const {
    if (load.axes.empty() || !load.known()) {
        return distinct(load);
    }
    if (view.dag().node(load.producer).known_strides) {
        return 1;
    }
    ExpandedLoad across = load;
    across.axes.erase(across.axes.begin());
    across.count = std::min(across.count, 1.0);
    return std::min(distinct(load), across.distinct(unrolled));
}

bool Work::sums_in_registers(const Kernel &kernel) const {
    constexpr double kFewestPoints = 6;
    return part >= 0 && stage > 0 && serial > 1 && points() >= kFewestPoints && sums_products(expansion()) &&
           kernel.parts[static_cast<size_t>(part)].role == Role::Func &&
           kernel.parts[static_cast<size_t>(part)].placement != Placement::Block;
}

std::vector<Work> work_of(const GroupView &view, const Kernel &kernel, const Geometry &g) {
    std::vector<Work> works = {output_work(view, kernel, g)};
    std::vector<double> part_repeats;
    std::vector<StepsOfPart> part_steps;
    for (size_t i = 0; i < kernel.parts.size(); i++) {
        const Part &part = kernel.parts[i];
        const Node &node = view.dag().node(part.node);
        const std::vector<int64_t> extents = part_extents(view, kernel, g, part);
        const size_t host = static_cast<size_t>(part.at);  // of a part that has one
        const double at = part.each_step ? part_steps[host].repeats
                          : part.at < 0  ? static_cast<double>(g.warps)
                                         : part_repeats[host];
        const double around = part.each_step ? part_steps[host].around : 1;
        double repeats = 0;
        StepsOfPart steps;
        const int stages = part.role == Role::Copy ? 1 : static_cast<int>(node.stages.size());
        for (int s = 0; s < stages; s++) {
            Work work;
            work.part = static_cast<int>(i);
            work.stage = s;
            work.around = around;
            const Stage *stage = part.role == Role::Copy ? nullptr : &node.stages[static_cast<size_t>(s)];
            work.unrolled.assign(stage ? stage->loops.size() : extents.size(), 1.0);
            if (stage) {
                work.of_group = &view.expansion(part.node, s);
            } else {
                work.made = std::make_shared<const Expansion>(copy_of(part.node, node.dims()));
            }
            place(kernel, g, part, extents, rolled_dims(view, part, extents.size()), stage, work);
            if (part.placement == Placement::Thread) {
                work.repeats = at;
                add_lanes_of_reader(works, part.node, stage, work);
            }
            work.stream_loop = part.stream_dim < 0 ? -1 : loop_of(stage, part.stream_dim);
            if (s > 0 && part.role == Role::Total) {
                work.made = std::make_shared<const Expansion>(total_of(work.expansion(), part.factor));
            } else if (stage) {
                const bool usual = s > 0 && part.role == Role::Partial && part.usual_extent > 0;
                const double together =
                    usual ? static_cast<double>(steps_of_a_partial(part.usual_extent, part.factor)) : 0;
                add_reductions(*stage, part.role == Role::Partial ? part.factor : 1, together, work);
                if (s == 1 && part.role == Role::Func && part.steps.together() > 1) {
                    add_steps(*stage, part.steps, work);
                }
                if (s > 0 && part.role == Role::Partial) {
                    deal_split_loop(part, node.dims(), *stage, work);
                }
            }
            if (s == 1 && part.role == Role::Func) {
                steps = steps_of(*stage, work);
            }
            repeats = std::max(repeats, work.repeats * (part.placement == Placement::Block ? 1 : work.points()));
            works.push_back(std::move(work));
        }
        part_repeats.push_back(repeats);
        part_steps.push_back(steps);
    }
    return works;
}

}  // namespace warptile
