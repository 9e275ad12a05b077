#include "search/kernel_reads.h"

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

void KernelReads::note_lane_dim(int lane_dim) {
    lane_dims_.resize(kernel_.parts.size(), kConflict);
    lane_dims_.back() = lane_dim;
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
    if (part >= 0 && kernel_.parts[static_cast<size_t>(part)].role == Role::Partial) {
        return kernel_.parts[static_cast<size_t>(part)].split_loop;
    }
    const int dim = part < 0 || (kernel_.wrapped && part == 0)
                        ? kernel_.tile.axes[static_cast<size_t>(kernel_.tile.lane_axis)].dim
                        : lane_dims_[static_cast<size_t>(part)];
    return dim < 0 ? dim : stage.pure_of_dim[static_cast<size_t>(dim)];
}

bool KernelReads::serial_steps(const Stage &stage, const Expansion &expansion, int part) const {
    if (part < 0 || kernel_.parts[static_cast<size_t>(part)].role != Role::Partial) {
        return serial_reductions(stage, expansion, 1);
    }
    return serial_reductions(stage, expansion, kernel_.parts[static_cast<size_t>(part)].factor);
}

/// The loop of a reader that adjacent threads walk; -1: none.
int KernelReads::adjacent_loop(const KernelRead &read) const {
    const std::vector<AxisTile> *axes = &kernel_.tile.axes;
    size_t first = lanes() ? static_cast<size_t>(kernel_.tile.lane_axis) : 0;
    if (level_of(read.reader_part) == Placement::Block) {
        axes = &kernel_.parts[static_cast<size_t>(read.reader_part)].axes;
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

bool constant_places(const std::vector<KernelRead> &reads) {
    for (const KernelRead &read : reads) {
        if (!read.load->known()) {
            return false;
        }
        for (size_t l = 0; l < read.stage->loops.size(); l++) {
            if (!read.stage->loops[l].reduction || !read.serial) {
                continue;
            }
            for (const LoadAxis &axis : read.load->axes) {
                if (axis.slope[l] != 0) {
                    return false;
                }
            }
        }
    }
    return true;
}

}  // namespace warptile
