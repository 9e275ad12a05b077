#include "model/resources.h"

#include <algorithm>
#include <cmath>

namespace warptile {
namespace {

// Fitted to what ptxas reports (registers, or 64 and a quarter of the spilled bytes) for warp, hybrid and thread tiles
// of blur, harris and unsharp with 4 and 8 rows and 1 and 2 columns a lane: within 8 of all of them but the chunked
// ones.
constexpr double kBase = 23;  // addresses, sizes, constants
// Of a body's global loads, each with most of an address, those that wait together.
// Beyond so many the compiler hoists them faster than it uses them.
constexpr double kWordsALoad = 0.45, kFewLoads = 27, kWordsAHoistedLoad = 0.6;
// Of a large body, whose loads and indices the compiler hoists, the share of its operations that wait in registers.
constexpr double kLargeBody = 400, kWordsAnOperation = 0.06;
// Where a row is chunked, for each tap of another lane and chunk: its lane and which of two chunks it is in.
constexpr double kWordsASelect = 2;
// Of more chunks than this the compiler has some done before it begins others.
constexpr double kChunksTogether = 12;
// An inlined Func of this many loads, evaluated once a point, is a sum of its own that grows beside the others.
constexpr int kLoadsOfASum = 3;

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
        if (part.placement == Placement::Warp && !part.axes.empty() &&
            static_cast<size_t>(part.axes.front().dim) == d) {
            n = kernel.tile.layout == LaneLayout::Adjacent ? kernel.tile.adjacent : (n + kLanes - 1) / kLanes;
        }
        points *= static_cast<double>(n);
    }
    return points * words(view.dag().node(part.node));
}

/// Sums that grow side by side for each point of the body.
double sums_a_point(const GroupView &view, const Work &work) {
    double sums = 0;
    for (const Evaluation &e : work.expansion().evaluations) {
        int loads = 0;
        for (const int edge : view.dag().edges_into[static_cast<size_t>(e.node)]) {
            loads += view.dag().edges[static_cast<size_t>(edge)].loads;
        }
        sums += e.count <= 1 && loads >= kLoadsOfASum ? 1 : 0;
    }
    return std::max(1.0, sums);
}

/// Registers that a body needs beside what is stored.
double body_words(const GroupView &view, const Kernel &kernel, const Work &work) {
    double loads = 0, selects = 0;
    const double chunks = std::min(work.chunks, kChunksTogether), points = work.points() / work.chunks * chunks;
    for (const ExpandedLoad &load : work.expansion().loads) {
        const int source = part_of(kernel, load.producer);
        if (source < 0) {
            loads += load.distinct(work.unrolled) * chunks;
            continue;
        }
        const Part &part = kernel.parts[static_cast<size_t>(source)];
        const size_t d = part.axes.empty() ? load.axes.size() : static_cast<size_t>(part.axes.front().dim);
        if (part.placement == Placement::Warp && work.chunks > 1 && d < load.axes.size()) {
            selects += std::floor(load.axes[d].hi - load.axes[d].lo) * work.chunks;
        }
    }
    // A stored part's own values are counted where they are stored.
    const bool stored = work.part >= 0 && kernel.parts[static_cast<size_t>(work.part)].placement != Placement::Block;
    const double accumulators = stored ? 0 : sums_a_point(view, work) * (work.steps > 1 ? points / chunks : points);
    const double large = std::max(0.0, points * work.expansion().size() - kLargeBody) * kWordsAnOperation;
    return accumulators + large + std::min(kFewLoads, loads) * kWordsALoad +
           std::max(0.0, loads - kFewLoads) * kWordsAHoistedLoad + selects * kWordsASelect;
}

/// Parts are computed producers first, and live until their last reader is done: the index of that reader, the number
/// of parts for the output.
std::vector<size_t> last_readers(const GroupView &view, const Kernel &kernel) {
    const size_t n = kernel.parts.size();
    std::vector<size_t> last(n, n);
    for (size_t i = 0; i < n; i++) {
        const std::vector<int> readers = view.readers(kernel.parts[i].node);
        if (std::find(readers.begin(), readers.end(), view.output()) != readers.end()) {
            continue;
        }
        for (size_t r = 0; r < i; r++) {
            if (std::find(readers.begin(), readers.end(), kernel.parts[r].node) != readers.end()) {
                last[i] = r;
                break;
            }
        }
    }
    return last;
}

}  // namespace

Resources resources_of(const GroupView &view, const Kernel &kernel, const Geometry &g, const std::vector<Work> &works) {
    Resources r;
    const size_t n = kernel.parts.size();
    std::vector<double> stored(n), body(n + 1, 0.0);
    for (size_t i = 0; i < n; i++) {
        const Part &part = kernel.parts[i];
        stored[i] = stored_words(view, kernel, g, part);
        if (part.placement == Placement::Block) {
            int64_t points = 1;
            for (const int64_t extent : part_extents(view, kernel, g, part)) {
                points *= extent;
            }
            r.shared_bytes += points * view.dag().node(part.node).bytes();
        }
    }
    for (const Work &work : works) {
        double &words = body[work.part < 0 ? n : static_cast<size_t>(work.part)];
        words = std::max(words, body_words(view, kernel, work));
    }
    const std::vector<size_t> last = last_readers(view, kernel);
    double peak = body[n];  // of the output, which comes last and needs what it reads
    for (size_t i = 0; i < n; i++) {
        peak += last[i] == n ? stored[i] : 0;
    }
    for (size_t now = 0; now < n; now++) {
        double live = body[now] + stored[now];
        for (size_t i = now + 1; i < n; i++) {
            live += last[i] == n || last[i] <= now ? stored[i] : 0;
        }
        peak = std::max(peak, live);
    }
    r.registers = kBase + peak;
    return r;
}

}  // namespace warptile
