#include "model/roofline.h"

#include <algorithm>
#include <cmath>

#include "model/atomics.h"
#include "model/fit.h"
#include "model/traffic.h"

namespace warptile {
namespace {

// Terms of nearly equal size do not overlap wholly: (sum t^p)^(1/p).
constexpr double kOverlap = 4;
constexpr double kFlightOverlap = 3;
constexpr double kIssueOverlap = 1.5;

double overlap(const std::vector<double> &terms, double p) {
    double largest = 0;
    for (const double t : terms) {
        largest = std::max(largest, t);
    }
    if (largest <= 0) {
        return 0;
    }
    double sum = 0;
    for (const double t : terms) {
        sum += std::pow(t / largest, p);
    }
    return largest * std::pow(sum, 1 / p);
}

/// Clocks from one instruction of an SM to the next, of which no warp has more than one under way: with few warps the
/// SM waits for them, with many they wait for it. (On an H200, 49 kernels with half a warp to 13 a scheduler: within
/// 0.18, root mean square of the logarithms.)
double clocks_an_instruction(const RooflineWeights &weights, double warps) {
    return overlap({1 / weights.issue_per_clock, weights.cycles_per_instruction / warps}, kIssueOverlap);
}

/// Of an update whose places data choose; 0 for every other kernel.
double atomics_of(const Machine &machine, const GroupView &view, const Kernel &kernel) {
    const Node &node = view.output_node();
    if (!kernel.atomic) {
        return 0;
    }
    const double additions = node.stages[static_cast<size_t>(kernel.stage)].iterations();
    double cells = kernel.partials;
    for (const Interval &interval : node.estimate) {
        cells *= static_cast<double>(std::max<int64_t>(1, interval.extent()));
    }
    return kernel.counters == Counters::Shared ? shared_atomics_us(machine, additions)
                                               : atomics_us(machine, additions, cells * node.bytes());
}

}  // namespace

Cost Roofline::cost(const GroupView &view, const Kernel &kernel) const {
    if (!kernel.wrapped && view.output_node().stages[static_cast<size_t>(kernel.stage)].undefined) {
        return {};
    }
    const GpuSpec &gpu = machine_.gpu;
    const RooflineWeights &w = machine_.weights.roofline;
    const Fit taken = fit(machine_, view, kernel, max_registers_);
    if (!taken.problem.empty()) {
        return infeasible(taken.problem);
    }
    const Geometry &g = taken.geometry;
    const Resources &need = taken.need;
    const Occupancy &occ = taken.occupancy;
    const Demand &demand = taken.demand;
    const double cap = max_registers_;
    const Traffic traffic = traffic_of(machine_, view, kernel, g, demand);

    const double us_a_cycle = 1e-3 / gpu.clock_ghz;
    const double most_blocks = std::ceil(g.blocks / gpu.sms);  // on the busiest SM
    const double waves = std::ceil(g.blocks / (static_cast<double>(gpu.sms) * occ.blocks_per_sm));
    const double lsu = demand.shared * 128 / w.shared_bytes_per_clock + demand.l1 +
                       demand.shuffles * kLanes / std::max(1, gpu.shuffles_per_sm);
    // Blocks hide each other's barriers where several are resident.
    const double barrier = demand.barriers * w.barrier_cycles / occ.blocks_per_sm;

    const double resident = std::min(most_blocks, static_cast<double>(occ.blocks_per_sm));
    const double busy = std::min(1.0, g.blocks / gpu.sms);  // share of the SMs that have work
    const double l2_rate = w.l2_gb_per_s * 1e3, dram_rate = gpu.dram_gb_per_s * w.dram_efficiency * 1e3;  // bytes/us
    const double in_flight = std::max(1.0, demand.flight * static_cast<double>(g.threads) * resident);
    const auto hidden = [&](double rate, double latency) {
        const double needed = rate * us_a_cycle / gpu.sms * latency * w.loaded_latency;
        return overlap({1.0, needed / in_flight}, kFlightOverlap) / busy;
    };
    const bool loads = demand.flight > 0;
    const double dram = traffic.dram_bytes / dram_rate * (loads ? hidden(dram_rate, w.dram_latency_cycles) : 1);
    const double l2 = traffic.l2_bytes / l2_rate * (loads ? hidden(l2_rate, w.l2_latency_cycles) : 1);

    Cost cost;
    cost.registers = need.registers;
    cost.code = demand.code;
    const double warps = resident * static_cast<double>(g.warps);
    const double issue = most_blocks * demand.issue * clocks_an_instruction(w, warps) * us_a_cycle;
    const double pipe = most_blocks * lsu * us_a_cycle;
    const double latency = waves * demand.latency * us_a_cycle;
    const double atomics = atomics_of(machine_, view, kernel);
    const double barriers = most_blocks * barrier * us_a_cycle;
    const double exposed = waves * demand.exposed * us_a_cycle;
    const double spilled = std::max(0.0, need.registers - cap) * 4;
    const double spill = 1 + spilled * w.spill_price;
    const double launch = w.launch_us * launches(view.output_node(), kernel);
    cost.total = launch + (overlap({dram, l2, issue, pipe, latency, atomics}, kOverlap) + barriers + exposed) * spill;
    cost.terms = {{"launch", launch},
                  {"dram", dram},
                  {"l2", l2},
                  {"issue", issue},
                  {"shared+l1+shuffle", pipe},
                  {"latency", latency},
                  {"barriers", barriers},
                  {"spill factor", spill},
                  {"registers", need.registers},
                  {"shared KB", static_cast<double>(need.shared_bytes) / 1024},
                  {"occupancy", occ.fraction}};
    if (atomics > 0) {
        cost.terms.push_back({"atomics", atomics});
    }
    if (exposed > 0) {
        cost.terms.push_back({"exposed", exposed});
    }
    return cost;
}

Cost Roofline::cost(const Sweep &sweep) const {
    const GpuSpec &gpu = machine_.gpu;
    const RooflineWeights &w = machine_.weights.roofline;
    const double us_a_cycle = 1e-3 / gpu.clock_ghz;
    const double l2_rate = w.l2_gb_per_s * 1e3, dram_rate = gpu.dram_gb_per_s * w.dram_efficiency * 1e3;  // bytes/us
    const double l2_latency = w.loaded_latency * us_a_cycle * w.l2_latency_cycles;
    const bool in_l2 = sweep.held <= w.l2_share * static_cast<double>(gpu.l2_bytes);
    const double latency = in_l2 ? l2_latency : w.loaded_latency * us_a_cycle * w.dram_latency_cycles;
    const double resident = std::min(sweep.threads, sweep.threads_an_sm * gpu.sms);
    const double turns = std::max(1.0, sweep.threads / resident);

    const double under_way =
        sweep.at_once > 0 ? (in_l2 ? l2_rate : dram_rate) * latency / (resident * sweep.at_once) : 0;
    const double memory =
        std::max(sweep.moved / l2_rate, in_l2 ? 0 : sweep.compulsory / dram_rate) * std::max(1.0, under_way);
    const double warps = std::max(1.0, resident / gpu.sms / kLanes);
    const double issue = sweep.instructions / gpu.sms * clocks_an_instruction(w, warps) * us_a_cycle;
    const double waits = turns * (sweep.waits * latency + sweep.waits_in_l2 * l2_latency);
    // A warp's lanes, its block's warps and a last thread, each after the other has written what it found.
    const double tree =
        us_a_cycle * (3 * (w.barrier_cycles + w.shared_latency_cycles) + 2 * kLanes * w.arithmetic_latency_cycles);
    const double atomics = sweep.cells > 0 ? atomics_us(machine_, sweep.additions, sweep.cells)
                                           : shared_atomics_us(machine_, sweep.additions);
    Cost cost;
    cost.terms = {
        {"launch", w.launch_us}, {"memory", memory}, {"issue", issue}, {"waits", waits}, {"atomics", atomics}};
    cost.total = w.launch_us + std::max({memory, issue, waits, atomics});
    if (sweep.tree_bytes > 0) {
        cost.terms.push_back({"tree", tree});
        cost.total += tree;
    }
    return cost;
}

}  // namespace warptile
