#include "model/instructions.h"

#include <algorithm>
#include <cmath>

namespace warptile {
namespace {

// Issue slots, fitted to the instructions that an H200 counted in the 107 larger kernels of 25 apps: half are within a
// fifth, and the root of the mean square of the logarithms is 0.30. Of an operation: multiplications and additions
// fuse, and what points share is computed once; most arithmetic of indices is hoisted; a division, root or exponential
// is a sequence.
constexpr double kFloatSlots = 0.45, kIntSlots = 0.5, kIndexSlots = 0.13, kSpecialSlots = 4;
// Of a load from global memory and of a store, each with its address; of a load or store of shared memory; of a
// shuffle, with its lane and a select of what several chunks or the warp's edges hold.
constexpr double kGlobalSlots = 1.8, kStoreSlots = 4, kSharedSlots = 1.1, kShuffleSlots = 2.9;
// Of a sum in registers, whose body is a few loads and many additions: of an address, which each turn of the loop moves
// on, and of the turn itself. Between 0.9 and 1.1 times what the assembler makes of 17 tiles of products of matrices
// and convolutions with 1 to 8 steps a turn.
constexpr double kAddressSlots = 2, kTurnSlots = 6;
// More for an index that is divided: its shift, and an address that no other load shares.
constexpr double kDividedSlots = 3.2;
// Of a body, for its place, and of a warp, for the place of its block and the sizes of buffers.
constexpr double kBodySlots = 4, kWarpSlots = 41;
// More of a body that is the turn of a loop: its test, and addresses that are made up anew. An estimate from one kernel
// of a demosaicing, which executed 2480 instructions a warp where 1510 were reckoned without it.
constexpr double kRolledSlots = 10;
// What the test of every point adds.
constexpr double kTestedPoints = 1.25;
// Cycles from one instruction of a warp to the next where nothing else runs, with the parallelism of an unrolled body.
constexpr double kCyclesAnInstruction = 2;
// Steps of a serial reduction whose loads the assembler overlaps, where their body is small.
constexpr double kOverlappedSteps = 4, kSmallBody = 40;
// What the steps of a scan wait for each sector beyond those of adjacent lanes. An estimate: a warp's load looks up
// each line by itself, and is done when the last of its sectors is there.
constexpr double kCyclesASector = 4, kFewSectors = 4;
// Steps share what they load where together they load so much less than apart.
constexpr double kSharesLoads = 2;
constexpr double kMostFlight = 96;  // bytes; registers end it

/// How far neighbouring lanes are apart in dimension `d`, in elements.
double lane_stride(const ExpandedLoad &load, size_t d, const Work &work) {
    const int loop = work.lane_loop();
    if (loop < 0 || static_cast<size_t>(loop) >= load.axes[d].slope.size()) {
        return 0;
    }
    return std::abs(load.axes[d].slope[static_cast<size_t>(loop)]) * work.lanes.front().step;
}

/// The dimension of a part that its lanes walk.
size_t lane_dim(const Part &part) { return part.axes.empty() ? 0 : static_cast<size_t>(part.axes.front().dim); }

double shuffles_of(const ExpandedLoad &load, const Part &source, const Work &work, double distinct) {
    const size_t d = lane_dim(source);
    if (d >= load.axes.size()) {
        return distinct;
    }
    const double others = std::floor(load.axes[d].hi - load.axes[d].lo);
    const double stride = lane_stride(load, d, work);
    // Taps in line with the lane's own columns are its own registers. In several chunks, two of them are asked.
    const double step = work.lanes.empty() ? 1 : work.lanes.front().step;
    const double own = stride == step ? step / (step + others) : 0;
    const double chunks = work.chunks > 1 || stride > step ? 2 : 1;
    return distinct * (1 - own) * chunks;
}

/// Of a part in shared memory.
Layout shared_layout(const GroupView &view, const Kernel &kernel, const Geometry &g, const Part &part) {
    const Node &node = view.dag().node(part.node);
    return dense_layout(stored_extents(view, part, part_extents(view, kernel, g, part)), element_bytes(node));
}

/// Cycles of a load through L1, which gives words as shared memory does, of a few lines at a time.
double cycles_of(const RooflineWeights &weights, const WarpAccess &access) {
    return std::max(access.turns, access.lines / weights.l1_lines_per_clock);
}

struct Body {
    double slots = 0, shared = 0, l1 = 0, shuffles = 0, flight = 0, sectors = 0;
    double words = 0;      // registers of global loads
    double apart = 0;      // the same if steps that are taken together shared none
    double scattered = 0;  // sectors of its global loads beyond those of adjacent lanes
    bool global = false, local = false;
    bool in_place = false;  // each point waits for what the one before it stored
};

void add_load(const RooflineWeights &weights, const GroupView &view, const Kernel &kernel, const Geometry &g,
              const Work &work, const ExpandedLoad &load, Body &body) {
    const Node &producer = view.dag().node(load.producer);
    const bool own = work.part >= 0 && kernel.parts[static_cast<size_t>(work.part)].node == load.producer;
    const int source =
        own && kernel.parts[static_cast<size_t>(work.part)].role == Role::Copy ? -1 : part_of(kernel, load.producer);
    const double elements = static_cast<double>(producer.type_bytes.size());
    const double distinct = work.distinct(load);
    for (size_t l = 0; l < work.unrolled.size(); l++) {
        if (load.divided(l)) {
            body.slots += distinct * kDividedSlots;
            break;
        }
    }
    if (source < 0) {
        const WarpAccess access = access_of(load, work.lanes, global_layout(producer));
        // The sums of a thread are made at places that count from its first, so that two that are equal look alike.
        const bool sums = work.sums_in_registers(kernel);
        const double repeated = load.repeated(work.unrolled) * distinct / load.distinct(work.unrolled);
        const double loads = sums ? distinct : std::max(distinct, repeated);
        body.slots += sums ? distinct + kAddressSlots * work.addresses(view, load) : loads * kGlobalSlots;
        body.l1 += loads * cycles_of(weights, access);
        body.sectors += distinct * access.pieces;
        body.scattered += distinct * std::max(0.0, access.pieces - kFewSectors);
        body.flight += distinct * element_bytes(producer);
        const double registers = elements * std::max(1.0, element_bytes(producer) / 4);
        body.words += distinct * registers;
        body.apart += (work.in_steps ? work.steps * work.distinct_of_a_step(load) : distinct) * registers;
        body.global = true;
        return;
    }
    const Part &part = kernel.parts[static_cast<size_t>(source)];
    if (part.placement == Placement::Block) {
        const double turns = access_of(load, work.lanes, shared_layout(view, kernel, g, part)).turns;
        body.slots += distinct * kSharedSlots * elements;
        body.shared += distinct * turns * elements;
        body.local = true;
    } else if (part.placement == Placement::Warp) {
        const double n = shuffles_of(load, part, work, distinct) * elements;
        body.slots += n * kShuffleSlots;
        body.shuffles += n;
        body.local = body.local || n > 0;
    }
}

/// Operations of the body, without loads and stores. A product and its addition are one.
double operation_slots(const Kernel &kernel, const Work &work) {
    const Expansion &e = work.expansion();
    if (work.sums_in_registers(kernel)) {
        return work.points() + kTurnSlots;
    }
    return kBodySlots + (work.turns > 1 ? kRolledSlots : 0) +
           work.points() * (kFloatSlots * e.float_ops + kIntSlots * e.int_ops + kIndexSlots * e.index_ops +
                            kSpecialSlots * e.special_ops);
}

/// How what a stage stores moves with its loops. An update goes as its own accesses do, where they all move alike.
ExpandedLoad stored(const Node &node, int stage, size_t loops) {
    ExpandedLoad self;
    self.axes.resize(static_cast<size_t>(node.dims()));
    const Stage *const update = stage > 0 ? &node.stages[static_cast<size_t>(stage)] : nullptr;
    for (size_t d = 0; d < self.axes.size(); d++) {
        LoadAxis &axis = self.axes[d];
        axis.slope.assign(loops, 0.0);
        const int loop = update ? update->pure_of_dim[d] : static_cast<int>(d);
        if (loop >= 0) {
            axis.slope[static_cast<size_t>(loop)] = 1;
        } else if (update->own.size() == 1 && update->own[0].axes[d].kind == AxisAccess::Kind::Affine) {
            for (const Term &term : update->own[0].axes[d].terms) {
                axis.slope[static_cast<size_t>(term.loop)] +=
                    static_cast<double>(term.numerator) / static_cast<double>(update->own[0].axes[d].denominator);
            }
        } else {
            axis.known = false;
        }
    }
    return self;
}

/// The store of the body's points: to global memory, to shared memory, or into registers.
void add_store(const RooflineWeights &weights, const GroupView &view, const Kernel &kernel, const Geometry &g,
               const Work &work, Body &body) {
    const Node &node =
        work.part < 0 ? view.output_node() : view.dag().node(kernel.parts[static_cast<size_t>(work.part)].node);
    const double elements = static_cast<double>(node.type_bytes.size());
    const double points = work.points();
    const bool in_place = work.stage > 0 && updates_by_data(node.stages[static_cast<size_t>(work.stage)]);
    if (work.serial > 1 && work.part >= 0 && !in_place) {
        return;  // accumulates in registers until the end
    }
    if (work.part < 0) {
        const ExpandedLoad self = stored(node, kernel.wrapped ? 0 : work.stage, work.unrolled.size());
        body.slots += points * kStoreSlots * elements;
        body.l1 += points * cycles_of(weights, access_of(self, work.lanes, global_layout(node))) * elements;
    } else if (kernel.parts[static_cast<size_t>(work.part)].placement == Placement::Block) {
        const Part &part = kernel.parts[static_cast<size_t>(work.part)];
        const double accesses = points * elements * (in_place ? 2 : 1);
        body.slots += accesses * kSharedSlots;
        const ExpandedLoad self = stored(node, part.role == Role::Copy ? 0 : work.stage, work.unrolled.size());
        body.shared += accesses * access_of(self, work.lanes, shared_layout(view, kernel, g, part)).turns;
        body.local = body.local || in_place;
        body.in_place = in_place;
    }
}

/// What an update at root reads of its own Func at each step, beside the place that it stores to. A sum or a scan has
/// its last value in a register.
void add_own_reads(const RooflineWeights &weights, const Node &node, const Work &work, Body &body) {
    const Stage &update = node.stages[static_cast<size_t>(work.stage)];
    const bool in_place = work.part < 0 && work.stage > 0 && updates_by_data(update);
    if (work.part >= 0 || work.stage == 0 || (work.serial > 1 && !in_place)) {
        return;
    }
    body.in_place = in_place;
    const ExpandedLoad self = stored(node, work.stage, work.unrolled.size());
    const double loads = work.points() * reads_of_itself(update);
    body.slots += loads * kGlobalSlots;
    body.l1 += loads * cycles_of(weights, access_of(self, work.lanes, global_layout(node)));
    body.flight += loads * element_bytes(node);
    body.global = body.global || loads > 0;
}

/// Whether the partial results that a total adds up are in lane registers. They are the part after it.
bool reads_lanes(const Kernel &kernel, int total) {
    const size_t partial = static_cast<size_t>(total) + 1;
    return partial < kernel.parts.size() && kernel.parts[partial].placement == Placement::Warp;
}

/// Cycles of a turn of a scan, which loads what its steps need, all at once, and what the turn before has stored,
/// through the L2 cache. No load of the next turn is ahead of that store, since it may be of the same place as far as
/// the compiler knows. (On an H200, turns of 32 steps took 1.05 to 1.18 us, and each store that was loaded again 0.3
/// us.)
double chain_cycles(const RooflineWeights &weights, const Work &work, const Body &body) {
    const double arithmetic =
        work.chunks * std::max(1.0, work.expansion().float_ops) * weights.arithmetic_latency_cycles;
    return weights.dram_latency_cycles + weights.l2_latency_cycles + body.scattered * kCyclesASector + arithmetic;
}

/// How often a turn of a sum that takes several steps together waits for its loads: once, if a thread has registers for
/// those of two steps, so that the next one's are under way; else at each step. The warps of an SM walk the same rows
/// in step and wait for the same lines, so that none hides what another waits for. (On an H200 a convolution and a
/// product of matrices that took 8 steps together with registers for one took 1.37 and 1.43 times as long as with 2
/// steps.) Of a window, most of what a step needs was loaded for the one before it. (Windows of 5 x 5 points with
/// registers for 1.5 steps took 0.87 to 0.90 of the time of 5 x 4 points, whose windows have registers for two.)
double waits_a_turn(const Kernel &kernel, const Work &work, const Body &body, double spare_registers) {
    const bool in_registers = work.steps > 1 && work.sums_in_registers(kernel);
    const bool window = body.apart > kSharesLoads * body.words;
    return in_registers && !window && spare_registers < 2 * body.words / work.steps ? work.steps : 1;
}

/// A total that is dealt to no threads has a barrier after each of its steps.
double barriers_of(const Part &part, const Work &work) {
    const bool steps = part.role == Role::Total && work.stage > 0 && part.axes.empty();
    return steps ? part.factor : 1;
}

}  // namespace

double element_bytes(const Node &node) {
    return static_cast<double>(node.bytes()) / static_cast<double>(std::max<size_t>(1, node.type_bytes.size()));
}

Layout global_layout(const Node &node) {
    std::vector<int64_t> extents;
    for (const Interval &interval : node.estimate) {
        extents.push_back(interval.extent());
    }
    return dense_layout(extents, element_bytes(node));
}

Demand demand_of(const Machine &machine, const GroupView &view, const Kernel &kernel, const Geometry &g,
                 const std::vector<Work> &works, double spare_registers) {
    const RooflineWeights &weights = machine.weights.roofline;
    Demand total;
    for (const Work &work : works) {
        Body body;
        const Expansion &e = work.expansion();
        body.slots = operation_slots(kernel, work);
        for (const ExpandedLoad &load : e.loads) {
            add_load(weights, view, kernel, g, work, load, body);
        }
        const Part *part = work.part < 0 ? nullptr : &kernel.parts[static_cast<size_t>(work.part)];
        if (part && part->role == Role::Total && work.stage > 0) {
            const double loads = work.points() * part->factor;
            (reads_lanes(kernel, work.part) ? body.shuffles : body.shared) += loads;
            body.slots += loads;
            body.local = true;
        }
        add_store(weights, view, kernel, g, work, body);
        if (!kernel.wrapped) {
            add_own_reads(weights, view.output_node(), work, body);
        }
        total.issue += work.repeats * body.slots;
        total.code += body.slots;
        total.shared += work.repeats * body.shared;
        total.l1 += work.repeats * body.l1;
        total.shuffles += work.repeats * body.shuffles;
        total.sectors += work.repeats * body.sectors;
        const bool together = work.steps > 1 || (work.sums_in_registers(kernel) && body.slots > kSmallBody);
        const double in_turn = work.serial * work.around;
        const double overlap = in_turn > 1 && !together ? kOverlappedSteps : 1;
        total.flight = std::max(total.flight, std::min(kMostFlight, body.flight * overlap));
        const double repeats = std::max(1.0, work.repeats / static_cast<double>(g.warps));
        const double wait = body.global ? weights.l2_latency_cycles : body.local ? weights.shared_latency_cycles : 0;
        if (work.chained) {
            total.latency += work.serial * chain_cycles(weights, work, body);
        } else if (body.in_place && !kernel.atomic) {
            const bool shared = part && part->placement == Placement::Block;
            const double one = shared ? weights.shared_latency_cycles : weights.l2_latency_cycles;
            total.latency += work.turns * in_turn * std::max(wait, work.points() * one);
        } else {
            total.latency +=
                work.turns *
                (in_turn > 1 ? in_turn * std::max(wait / overlap, weights.arithmetic_latency_cycles) : wait);
            total.exposed += in_turn * wait * (waits_a_turn(kernel, work, body, spare_registers) - 1);
        }
        total.latency += repeats * body.slots * kCyclesAnInstruction;
        if (part && part->placement == Placement::Block) {
            const double barriers = barriers_of(*part, work);
            total.barriers += barriers;
            total.latency += barriers * weights.barrier_cycles;
        }
    }
    total.issue += static_cast<double>(g.warps) * kWarpSlots;
    if (kernel.guarded) {
        total.issue *= kTestedPoints;
        // Steps taken together are tested in the last turn only.
        const double tested = works.front().points() / works.front().steps;
        total.flight = std::min(total.flight, total.flight / std::max(1.0, tested) * 2);
    }
    return total;
}

}  // namespace warptile
