#include "model/traffic.h"

#include <algorithm>
#include <cmath>

namespace warptile {
namespace {

constexpr double kSector = 32;

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

}  // namespace

Traffic traffic_of(const Machine &machine, const GroupView &view, const Kernel &kernel, const Geometry &g,
                   const Demand &demand) {
    Traffic t;
    const double cached = kL2Share * static_cast<double>(machine.gpu.l2_bytes);
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
