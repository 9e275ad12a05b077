#include "model/resources.h"

#include <algorithm>

namespace warptile {
namespace {

// Addresses, loop counters, sizes and constants. From `ptxas` on warp tiles of 1 to 8 rows and 1 to 4 chunks
// (docs: the tables of measured tiles): base + stored words + window lies within 8 registers of what it reports.
constexpr double kBase = 20;
// Words for each row of global loads in flight: the value and most of its address.
constexpr double kWordsALoad = 1.5;
constexpr double kMostWindow = 40;
// The share of that window that cannot be given up.
constexpr double kHeldWindow = 0.2;

double words(const Node &node) {
    double n = 0;
    for (const int bytes : node.type_bytes) {
        n += std::max(1.0, bytes / 4.0);
    }
    return n;
}

/// Registers a thread that the part's values take; 0 in shared memory.
double stored_words(const GroupView &view, const Kernel &kernel, const Geometry &g, const Part &part) {
    if (part.placement == Placement::Block) {
        return 0;
    }
    const std::vector<int64_t> extents = part_extents(view, kernel, g, part);
    double points = 1;
    for (size_t d = 0; d < extents.size(); d++) {
        int64_t n = extents[d];
        if (part.placement == Placement::Warp && !part.axes.empty() && static_cast<size_t>(part.axes.front().dim) == d) {
            n = kernel.tile.layout == LaneLayout::Adjacent ? kernel.tile.adjacent : (n + kLanes - 1) / kLanes;
        }
        points *= static_cast<double>(n);
    }
    return points * words(view.dag().node(part.node));
}

/// The most words stored at once: parts are computed producers first, and live until their last reader is done.
double peak_words(const GroupView &view, const Kernel &kernel, const Geometry &g) {
    const size_t n = kernel.parts.size();
    std::vector<double> stored(n);
    std::vector<size_t> last(n);  // the first in order (so the last in time) that reads it; n: the output
    for (size_t i = 0; i < n; i++) {
        stored[i] = stored_words(view, kernel, g, kernel.parts[i]);
        last[i] = n;
        const std::vector<int> readers = view.readers(kernel.parts[i].node);
        for (size_t r = 0; r < i && last[i] == n; r++) {
            if (std::find(readers.begin(), readers.end(), kernel.parts[r].node) != readers.end()) {
                last[i] = r;
            }
        }
        if (std::find(readers.begin(), readers.end(), view.output()) != readers.end()) {
            last[i] = n;
        }
    }
    double peak = 0;
    for (size_t now = 0; now < n; now++) {
        double live = 0;
        for (size_t i = now; i < n; i++) {
            if (i == now || last[i] == n || last[i] <= now) {
                live += stored[i];
            }
        }
        peak = std::max(peak, live);
    }
    return peak;
}

}  // namespace

Resources resources_of(const GroupView &view, const Kernel &kernel, const Geometry &g, const std::vector<Work> &works) {
    Resources r;
    for (const Part &part : kernel.parts) {
        if (part.placement != Placement::Block) {
            continue;
        }
        int64_t points = 1;
        for (const int64_t n : part_extents(view, kernel, g, part)) {
            points *= n;
        }
        r.shared_bytes += points * view.dag().node(part.node).bytes();
    }
    double window = 0;
    for (const Work &work : works) {
        double loads = 0;
        for (const ExpandedLoad &load : work.expansion.loads) {
            if (part_of(kernel, load.producer) < 0) {
                loads += load.distinct(work.unrolled) * work.chunks * kWordsALoad;
            }
        }
        // What a point needs beside: about half of its operands live at once, and an accumulator a point.
        const double point = std::min(16.0, 0.3 * work.expansion.load_count());
        const double accumulators = work.expansion.ops() > 0 ? 0.5 * work.points() : 0;
        window = std::max(window, std::min(kMostWindow, loads) + point + std::min(32.0, accumulators));
    }
    const double stored = peak_words(view, kernel, g);
    r.registers = kBase + stored + window;
    r.held = kBase + stored + kHeldWindow * window;
    return r;
}

}  // namespace warptile
