#include "model/traffic.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace warptile {
namespace {

/// Bytes of a box whose rows along dimension 0 are moved in whole sectors.
double box_bytes(const std::vector<int64_t> &extents, double bytes) {
    if (extents.empty()) {
        return kSector;
    }
    double rows = 1;
    for (size_t d = 1; d < extents.size(); d++) {
        rows *= static_cast<double>(extents[d]);
    }
    // A row starts anywhere in its first sector.
    return rows * (std::ceil(static_cast<double>(extents[0]) * bytes / kSector) * kSector + kSector / 2);
}

double extent_of(const Loop &loop) { return static_cast<double>(std::max<int64_t>(1, loop.estimate.extent())); }

/// How far a block of an update goes along each of its loops: as its tile says; along those inside a thread all the
/// way.
std::vector<double> steps_of_a_block(const Node &node, const Kernel &kernel) {
    const Stage &update = node.stages[static_cast<size_t>(kernel.stage)];
    std::vector<double> steps;
    int number = node.dims();
    for (size_t l = 0; l < update.loops.size(); l++) {
        const Loop &loop = update.loops[l];
        const auto dim = std::find(update.pure_of_dim.begin(), update.pure_of_dim.end(), static_cast<int>(l));
        const int axis = loop.reduction ? number++ : static_cast<int>(dim - update.pure_of_dim.begin());
        steps.push_back(loop.reduction ? extent_of(loop) : 1);
        for (const AxisTile &tile : kernel.tile.axes) {
            if (tile.dim == axis) {
                steps.back() = std::min(extent_of(loop), static_cast<double>(tile.width) * tile.threads);
            }
        }
    }
    return steps;
}

/// Points that a load reaches in so many steps of each loop of its stage.
std::vector<int64_t> reached(const ExpandedLoad &load, const std::vector<double> &steps, const Region &whole) {
    std::vector<int64_t> points;
    for (size_t d = 0; d < load.axes.size(); d++) {
        const LoadAxis &axis = load.axes[d];
        double far = axis.hi - axis.lo;
        for (size_t l = 0; l < axis.slope.size(); l++) {
            far += std::abs(axis.slope[l]) * (steps[l] - 1);
        }
        const int64_t most = std::max<int64_t>(1, whole[d].extent());
        points.push_back(axis.known ? std::min(most, static_cast<int64_t>(std::min(far, 1e15)) + 1) : most);
    }
    return points;
}

/// What an update reads and writes. A block needs what it reaches in its part of the loops, of which a tile has
/// reductions too; of a reduction that is cut into partial results it has one part.
Traffic traffic_of_update(const GroupView &view, const Kernel &kernel, const Geometry &g, const Demand &demand,
                          double cached) {
    Traffic t;
    const Node &out = view.output_node();
    const Stage &update = out.stages[static_cast<size_t>(kernel.stage)];
    const std::vector<double> steps = steps_of_a_block(out, kernel);
    const double parts = divides_blocks(kernel) ? kernel.partials : 1;
    std::map<int, double> of_a_block;  // by input
    for (const ExpandedLoad &load : view.expansion(out.id, kernel.stage).loads) {
        const int bytes = view.dag().node(load.producer).bytes();
        of_a_block[load.producer] += box_bytes(reached(load, steps, view.whole(load.producer)), bytes) / parts;
    }
    const double most =
        demand.sectors * kSector * g.blocks / static_cast<double>(std::max<size_t>(1, of_a_block.size()));
    for (const auto &[input, bytes] : of_a_block) {
        const double whole = static_cast<double>(volume(view.whole(input))) * view.dag().node(input).bytes();
        t.l2_bytes += std::max(std::min(whole, most), std::min(g.blocks * bytes, most));
        t.dram_bytes += whole > cached ? std::min(whole, most) : 0;
    }
    double stores = 1;
    for (const Loop &loop : update.loops) {
        stores *= extent_of(loop);
    }
    const double written = std::min(stores, static_cast<double>(volume(view.whole(out.id)))) * out.bytes();
    const double read = reads_of_itself(update) > 0 ? written : 0;
    // Each step at a place that data choose goes to the cache and back, and few lanes of a warp share a sector. (On an
    // H200, updates of two bilateral grids took 0.97 and 1.01 of what that makes.)
    t.l2_bytes += updates_by_data(update) && !kernel.atomic
                      ? std::max(written + read, 2 * stores * kSector / 2 * static_cast<double>(out.type_bytes.size()))
                      : written + read;
    t.dram_bytes +=
        (written > cached || (out.is_output && written > cached / 4) ? written : 0) + (read > cached ? read : 0);
    return t;
}

}  // namespace

Traffic traffic_of(const Machine &machine, const GroupView &view, const Kernel &kernel, const Geometry &g,
                   const Demand &demand) {
    Traffic t;
    const double cached = machine.weights.roofline.l2_share * static_cast<double>(machine.gpu.l2_bytes);
    if (kernel.stage > 0) {
        return traffic_of_update(view, kernel, g, demand, cached);
    }
    std::vector<int> inputs = view.inputs();
    if (kernel.wrapped && part_of(kernel, view.output()) < 0) {
        inputs = {view.output()};
    }
    const double most = demand.sectors * kSector * g.blocks / static_cast<double>(std::max<size_t>(1, inputs.size()));
    for (const int id : inputs) {
        const Node &node = view.dag().node(id);
        const double whole = static_cast<double>(volume(view.whole(id))) * node.bytes();
        const double blocks = g.blocks * box_bytes(view.extents(g.block, id), node.bytes());
        t.l2_bytes += std::max(std::min(whole, most), std::min(blocks, most));
        t.dram_bytes += whole > cached ? std::min(whole, most) : 0;
    }
    const Node &out = view.output_node();
    const double written = static_cast<double>(volume(view.whole(out.id))) * out.bytes();
    t.l2_bytes += written;
    t.dram_bytes += written > cached || (out.is_output && written > cached / 4) ? written : 0;
    return t;
}

}  // namespace warptile
