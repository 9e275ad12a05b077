#include "model/resources.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dag/saturating.h"

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
// Of each row that a serial reduction of several nested loops loads from, for each loop around the innermost: where the
// row stands there. Rows are a stride apart that no compiler knows, so that each has an address of its own. It tells
// which of convolutions with 8 to 32 sums a thread, at 4 to 25 pixels, fit 64 registers.
constexpr double kWordsARow = 1;
// Of a sum in registers whose steps are taken together: all but its sums and addresses, what a step multiplies and
// where a row is that several loops walk. A row that is read at many steps keeps its address, two words, until the
// last. It tells which of 17 tiles of products of matrices and convolutions, with 2 to 8 steps, fit 64 registers, but
// for three.
constexpr double kBaseOfSums = 11, kManySteps = 4, kWordsAnAddress = 2;
// Of each load that several steps of a window share, which waits from the first to the last of them, and of the other
// loads of such a window. It tells which of 10 tiles of a convolution, of 16 to 32 sums a thread and 3 to 36 steps, fit
// 64 registers.
constexpr double kWordsASharedLoad = 0.3, kWordsAnOtherLoad = 0.09;
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

/// A copy in the registers of a thread: loads like those of its readers' bodies, each made when it is needed.
bool is_own_copy(const Part &part) { return part.role == Role::Copy && part.placement == Placement::Thread; }

/// How many rows of each part of a streamed kernel are in registers together: from the one that is computed, so many
/// ahead of the output's, to the last that a reader still reads. 0 of parts that are not streamed.
std::vector<double> streamed_rows(const Kernel &kernel, const std::vector<Work> &works) {
    struct Rows {
        double ahead = 0, last = 0;
    };

    std::vector<Rows> rows(kernel.parts.size());
    for (const Work &work : works) {  // readers first
        const double ahead = work.part < 0 ? 0 : rows[static_cast<size_t>(work.part)].ahead;
        for (const ExpandedLoad &load : work.expansion().loads) {
            const int source = part_of(kernel, load.producer);
            if (source <= work.part || kernel.parts[static_cast<size_t>(source)].stream_dim < 0) {
                continue;
            }
            const LoadAxis &axis = load.axes[static_cast<size_t>(kernel.parts[static_cast<size_t>(source)].stream_dim)];
            Rows &r = rows[static_cast<size_t>(source)];
            r.ahead = std::max(r.ahead, ahead + axis.hi);
            r.last = std::min(r.last, ahead + axis.lo);
        }
    }
    std::vector<double> counts;
    for (size_t i = 0; i < rows.size(); i++) {
        counts.push_back(kernel.parts[i].stream_dim < 0 ? 0 : rows[i].ahead - rows[i].last + 1);
    }
    return counts;
}

/// Registers a thread that the part's values take; 0 in shared memory. `rows`: as above.
double stored_words(const GroupView &view, const Kernel &kernel, const Geometry &g, const Part &part, double rows) {
    if (part.placement == Placement::Block || is_own_copy(part)) {
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
        points *= static_cast<int>(d) == part.stream_dim ? rows : static_cast<double>(n);
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

/// Rows, of dimension 0, that the body's points touch together.
double rows_of(const ExpandedLoad &load, const Work &work) {
    ExpandedLoad across = load;
    if (across.axes.size() < 2 || !across.known()) {
        return 0;
    }
    across.axes.erase(across.axes.begin());
    across.count = std::min(across.count, 1.0);
    return across.distinct(work.unrolled);
}

/// Loops of a serial reduction around the innermost.
double outer_reductions(const GroupView &view, const Kernel &kernel, const Work &work) {
    if (work.serial <= 1) {
        return 0;
    }
    const int node = work.part < 0 ? view.output() : kernel.parts[static_cast<size_t>(work.part)].node;
    const Stage &stage = view.dag().node(node).stages[static_cast<size_t>(work.stage)];
    const auto loops = std::count_if(stage.loops.begin(), stage.loops.end(), [](const Loop &l) { return l.reduction; });
    return std::max(0.0, static_cast<double>(loops) - 1);
}

/// Whether the output takes, point by point, what its thread or lane has already: each result then stands where its
/// operands stood, and goes to memory. Members in the lanes that have updates are read so alone.
bool finishes_stored(const GroupView &view, const Kernel &kernel, const Work &work) {
    const std::vector<ExpandedLoad> &loads = work.expansion().loads;
    return work.part < 0 && !loads.empty() && std::all_of(loads.begin(), loads.end(), [&](const ExpandedLoad &load) {
               const int source = part_of(kernel, load.producer);
               if (source < 0 || !load.known() || load.count > 1) {
                   return false;
               }
               const Part &part = kernel.parts[static_cast<size_t>(source)];
               return part.placement == Placement::Thread ||
                      (part.placement == Placement::Warp && part.role == Role::Func &&
                       view.dag().node(part.node).stages.size() > 1);
           });
}

/// Whether the steps of the sum, those of a turn or those from turn to turn, walk along the load's rows.
bool walks_rows(const Stage &update, const ExpandedLoad &load) {
    if (!load.known() || load.axes.empty()) {
        return false;
    }
    for (size_t l = 0; l < update.loops.size(); l++) {
        if (update.loops[l].reduction && load.axes[0].slope[l] != 0) {
            return true;
        }
    }
    return false;
}

/// Of a window whose steps share loads; 0 where none is shared.
double words_of_window(const Stage &update, const Work &work) {
    Work step = work;
    for (size_t l = 0; l < update.loops.size(); l++) {
        step.unrolled[l] = update.loops[l].reduction ? 1 : work.unrolled[l];
    }
    double shared = 0, others = 0;
    for (const ExpandedLoad &load : work.expansion().loads) {
        const double all = work.distinct(load);
        const bool moves = load.known() && all > step.distinct(load);
        (moves && all < work.steps * step.distinct(load) ? shared : others) += all;
    }
    return shared > 0 ? shared * kWordsASharedLoad + others * kWordsAnOtherLoad : 0;
}

/// Of a sum in registers, several steps a turn. Against kBase, which is counted too, it may be negative.
double words_of_steps(const GroupView &view, const Kernel &kernel, const Work &work) {
    const Node &node = view.dag().node(kernel.parts[static_cast<size_t>(work.part)].node);
    const Stage &update = node.stages[static_cast<size_t>(work.stage)];
    double words = kBaseOfSums - kBase + words_of_window(update, work);
    for (const ExpandedLoad &load : work.expansion().loads) {
        const int source = part_of(kernel, load.producer);
        if (source >= 0 && source != work.part) {
            words += kernel.parts[static_cast<size_t>(source)].placement == Placement::Block ? 1 : 0;
            continue;
        }
        const double rows = work.addresses(view, load), loops = work.turn_loops;
        words += walks_rows(update, load) ? rows * (loops + (work.steps >= kManySteps ? kWordsAnAddress : 0))
                                          : rows / work.steps * loops;
    }
    return words;
}

/// Registers that a body needs beside what is stored.
double body_words(const GroupView &view, const Kernel &kernel, const Work &whole) {
    const Work work = whole.row();
    if (work.in_steps) {
        return words_of_steps(view, kernel, work);
    }
    double loads = 0, selects = 0, rows = 0;
    const double chunks = std::min(work.chunks, kChunksTogether), points = work.points() / work.chunks * chunks;
    for (const ExpandedLoad &load : work.expansion().loads) {
        const int source = part_of(kernel, load.producer);
        if (source < 0 || is_own_copy(kernel.parts[static_cast<size_t>(source)])) {
            loads += work.distinct(load) / work.chunks * chunks;
            rows += rows_of(load, work);
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
    const double sums = sums_a_point(view, work) * (work.steps > 1 ? points / chunks : points);
    const double accumulators = stored || finishes_stored(view, kernel, work) ? 0 : sums;
    const double large = std::max(0.0, points * work.expansion().size() - kLargeBody) * kWordsAnOperation;
    const double addresses = rows * outer_reductions(view, kernel, work) * kWordsARow;
    return accumulators + large + addresses + std::min(kFewLoads, loads) * kWordsALoad +
           std::max(0.0, loads - kFewLoads) * kWordsAHoistedLoad + selects * kWordsASelect;
}

/// Whether the part is computed inside the steps of the update of part `at`.
bool in_steps_of(const Kernel &kernel, const Part &part, int at) {
    return part.each_step && (part.at == at || in_steps_of(kernel, kernel.parts[static_cast<size_t>(part.at)], at));
}

/// Registers of the sums in whose steps the part is computed.
double sums_around(const Kernel &kernel, const std::vector<double> &stored, const Part &part) {
    double words = 0;
    for (const Part *inner = &part; inner->each_step; inner = &kernel.parts[static_cast<size_t>(inner->at)]) {
        words += stored[static_cast<size_t>(inner->at)];
    }
    return words;
}

/// Parts are computed producers first, and live until their last reader is done: the index of that reader, the number
/// of parts for the output. What is read at each step of a reduction lives as long as that, unless it is made in the
/// step.
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
        while (last[i] < n && kernel.parts[last[i]].each_step &&
               !in_steps_of(kernel, kernel.parts[i], kernel.parts[last[i]].at)) {
            last[i] = static_cast<size_t>(kernel.parts[last[i]].at);
        }
    }
    return last;
}

}  // namespace

double registers_of_a_point(const GroupView &view, const Kernel &kernel, const Work &work) {
    Work point = work;
    std::fill(point.unrolled.begin(), point.unrolled.end(), 1.0);
    point.chunks = point.columns = point.steps = point.serial = 1;
    point.in_steps = false;
    point.stream_loop = -1;
    return kBase + body_words(view, kernel, point);
}

Resources resources_of(const GroupView &view, const Kernel &kernel, const Geometry &g, const std::vector<Work> &works) {
    Resources r;
    const size_t n = kernel.parts.size();
    const std::vector<double> rows = streamed_rows(kernel, works);
    std::vector<double> stored(n), body(n + 1, 0.0);
    for (size_t i = 0; i < n; i++) {
        const Part &part = kernel.parts[i];
        stored[i] = stored_words(view, kernel, g, part, rows[i]);
        if (part.placement == Placement::Block) {
            const int64_t points = product(stored_extents(view, part, part_extents(view, kernel, g, part)));
            r.shared_bytes =
                saturating_add(r.shared_bytes, saturating_multiply(points, view.dag().node(part.node).bytes()));
        }
    }
    for (const Work &work : works) {
        double &words = body[work.part < 0 ? n : static_cast<size_t>(work.part)];
        words = std::max(words, body_words(view, kernel, work));
    }
    if (kernel.tile.stream >= 0) {  // all on their way at the same time
        r.registers =
            kBase + std::accumulate(stored.begin(), stored.end(), 0.0) + *std::max_element(body.begin(), body.end());
        return r;
    }
    const std::vector<size_t> last = last_readers(view, kernel);
    double peak = body[n];  // of the output, which comes last and needs what it reads
    for (size_t i = 0; i < n; i++) {
        peak += last[i] == n ? stored[i] : 0;
    }
    for (size_t now = 0; now < n; now++) {
        double live = body[now] + stored[now] + sums_around(kernel, stored, kernel.parts[now]);
        for (size_t i = now + 1; i < n; i++) {
            live += last[i] == n || last[i] <= now ? stored[i] : 0;
        }
        peak = std::max(peak, live);
    }
    r.registers = kBase + peak;
    return r;
}

}  // namespace warptile
