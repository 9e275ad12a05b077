#include "search/placing/kernel_reads.h"

#include <algorithm>

#include "dag/saturating.h"
#include "model/work.h"

namespace warptile {
namespace {

/// Whether the stage's reductions stay loops in the kernel, so that what they index has no constant place. Each thread
/// has its steps divided by `among`.
bool serial_reductions(const Stage &stage, const Expansion &expansion, int64_t among) {
    int64_t points = 1;
    for (const Loop &loop : stage.loops) {
        if (loop.reduction && !loop.extent_known) {
            return true;
        }
        points = saturating_multiply(points, loop.reduction ? std::max<int64_t>(1, loop.estimate.extent()) : 1);
    }
    return (points + among - 1) / among > kUnrolledReduction || (among == 1 && too_large_to_unroll(stage, expansion));
}

}  // namespace

void KernelReads::note(int lane_dim, const std::vector<KernelRead> &reads) {
    lane_dims_.resize(kernel_.parts.size(), kConflict);
    lane_dims_.back() = lane_dim;
    const Part &added = kernel_.parts.back();
    std::vector<bool> moved(static_cast<size_t>(view_.dag().node(added.node).dims()));
    for (const KernelRead &read : reads) {
        for (size_t d = 0; added.each_step && d < read.load->axes.size(); d++) {
            moved[d] = moved[d] || moved_by_steps(read, read.load->axes[d], -1);
        }
    }
    step_dims_.resize(kernel_.parts.size());
    step_dims_.back() = moved;
}

std::vector<KernelRead> KernelReads::of(int node) const {
    std::vector<KernelRead> reads;
    const auto scan = [&](int reader, size_t stage, int part) {
        const Stage &s = view_.dag().node(reader).stages[stage];
        const Expansion &expansion = view_.expansion(reader, static_cast<int>(stage));
        for (const ExpandedLoad &load : expansion.loads) {
            if (load.producer == node) {
                reads.push_back({&load, &s, part, lane_loop(s, part), serial_steps(s, expansion, part)});
            }
        }
    };
    if (!kernel_.wrapped) {
        scan(view_.output(), 0, -1);
    }
    for (size_t i = 0; i < kernel_.parts.size(); i++) {
        const Part &part = kernel_.parts[i];
        for (size_t s = 0; part.role != Role::Copy && s < view_.dag().node(part.node).stages.size(); s++) {
            // The partial results have the update's loads, the total has the others.
            if (part.role == Role::Func || (part.role == Role::Partial) == (s > 0)) {
                scan(part.node, s, static_cast<int>(i));
            }
        }
    }
    return reads;
}

int KernelReads::lane_loop(const Stage &stage, int part) const {
    if (!lanes()) {
        return kNoLoop;
    }
    if (part >= 0 && this->part(part).role == Role::Partial) {
        return kernel_.parts[static_cast<size_t>(part)].split_loop;
    }
    const int dim = part < 0 || (kernel_.wrapped && part == 0)
                        ? kernel_.tile.axes[static_cast<size_t>(kernel_.tile.lane_axis)].dim
                        : lane_dims_[static_cast<size_t>(part)];
    return dim < 0 ? dim : stage.pure_of_dim[static_cast<size_t>(dim)];
}

bool KernelReads::serial_steps(const Stage &stage, const Expansion &expansion, int part) const {
    if (part < 0 || this->part(part).role != Role::Partial) {
        return serial_reductions(stage, expansion, 1);
    }
    return serial_reductions(stage, expansion, kernel_.parts[static_cast<size_t>(part)].factor);
}

/// The loop of a reader that adjacent threads walk; -1: none.
int KernelReads::adjacent_loop(const KernelRead &read) const {
    const std::vector<AxisTile> *axes = &kernel_.tile.axes;
    size_t first = lanes() ? static_cast<size_t>(kernel_.tile.lane_axis) : 0;
    int outermost = read.reader_part;
    while (outermost >= 0 && part(outermost).placement == Placement::Thread) {
        outermost = part(outermost).at;
    }
    if (level_of(outermost) == Placement::Block) {
        axes = &part(outermost).axes;
        first = 0;
    }
    const std::vector<int> &loops = read.stage->pure_of_dim;
    const size_t dim = first < axes->size() ? static_cast<size_t>((*axes)[first].dim) : loops.size();
    return dim < loops.size() ? loops[dim] : -1;
}

bool KernelReads::across(const std::vector<KernelRead> &reads) const {
    return std::any_of(reads.begin(), reads.end(), [&](const KernelRead &read) {
        const int loop = adjacent_loop(read);
        return loop >= 0 && read.load->walks_across(static_cast<size_t>(loop));
    });
}

Placement KernelReads::level_of(int part) const {
    return part < 0 ? Placement::Thread : kernel_.parts[static_cast<size_t>(part)].placement;
}

int lane_dim_of(const std::vector<KernelRead> &reads) {
    int found = kNoLoop;
    for (const KernelRead &read : reads) {
        if (read.lane_loop == kConflict) {
            return kConflict;
        }
        for (size_t d = 0; read.lane_loop >= 0 && d < read.load->axes.size(); d++) {
            const LoadAxis &axis = read.load->axes[d];
            if (axis.known && axis.slope[static_cast<size_t>(read.lane_loop)] == 0) {
                continue;
            }
            if (!axis.known || (found != kNoLoop && found != static_cast<int>(d))) {
                return kConflict;
            }
            found = static_cast<int>(d);
        }
    }
    return found;
}

/// Whether a step that stays a loop, and is inside the loop at which what is read would be computed, moves the place
/// along the axis. `step_of`: as in `constant_places`.
bool KernelReads::moved_by_steps(const KernelRead &read, const LoadAxis &axis, int step_of) const {
    const std::vector<Loop> &loops = read.stage->loops;
    const bool own_steps = read.reader_part < 0 || read.reader_part != step_of;
    for (size_t l = 0; own_steps && l < loops.size(); l++) {
        if (loops[l].reduction && read.serial && axis.slope[l] != 0) {
            return true;
        }
    }
    const bool around =
        read.reader_part >= 0 && own_steps && part(read.reader_part).each_step && part(read.reader_part).at != step_of;
    const std::vector<int> &loop_of_dim = read.stage->pure_of_dim;
    for (size_t d = 0; around && d < loop_of_dim.size(); d++) {
        const bool moves = step_dims_[static_cast<size_t>(read.reader_part)][d];
        if (moves && loop_of_dim[d] >= 0 && axis.slope[static_cast<size_t>(loop_of_dim[d])] != 0) {
            return true;
        }
    }
    return false;
}

bool KernelReads::constant_places(const std::vector<KernelRead> &reads, int step_of) const {
    return std::all_of(reads.begin(), reads.end(), [&](const KernelRead &read) {
        return read.load->known() &&
               std::none_of(read.load->axes.begin(), read.load->axes.end(),
                            [&](const LoadAxis &axis) { return moved_by_steps(read, axis, step_of); });
    });
}

/// The parts at whose steps the read is made, innermost first. (check_members.cpp says which parts have such steps.)
std::vector<int> KernelReads::steps_of(const KernelRead &read) const {
    std::vector<int> parts;
    if (read.reader_part < 0) {
        return parts;
    }
    const Part *reader = &part(read.reader_part);
    const std::vector<Stage> &stages = view_.dag().node(reader->node).stages;
    const auto reduces = [](const Loop &loop) { return loop.reduction; };
    if (reader->role == Role::Func && stages.size() == 2 && read.stage == &stages[1] && !stages[1].has_predicate &&
        std::any_of(stages[1].loops.begin(), stages[1].loops.end(), reduces)) {
        parts.push_back(read.reader_part);
    }
    for (; reader->each_step; reader = &part(reader->at)) {
        parts.push_back(reader->at);
    }
    return parts;
}

std::vector<int> KernelReads::steps_of_all(const std::vector<KernelRead> &reads) const {
    std::vector<int> common = steps_of(reads.front());
    for (const KernelRead &read : reads) {
        const std::vector<int> steps = steps_of(read);
        const auto apart = [&](int p) { return std::find(steps.begin(), steps.end(), p) == steps.end(); };
        common.erase(std::remove_if(common.begin(), common.end(), apart), common.end());
    }
    return common;
}

}  // namespace warptile
