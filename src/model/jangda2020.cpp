#include "model/jangda2020.h"

#include <algorithm>
#include <cmath>

#include "dag/saturating.h"
#include "model/fit.h"
#include "model/instructions.h"
#include "model/resources.h"
#include "model/work.h"

namespace warptile {
namespace {

constexpr double kRegisterBytes = 4;

/// Bytes of a part in one block, all copies of it that its warps or threads have.
double bytes_in_block(const GroupView &view, const Kernel &kernel, const Geometry &g, const Part &part) {
    const double copies = part.placement == Placement::Block  ? 1
                          : part.placement == Placement::Warp ? static_cast<double>(g.warps)
                                                              : static_cast<double>(g.threads);
    return static_cast<double>(product(part_extents(view, kernel, g, part))) * view.dag().node(part.node).bytes() *
           copies;
}

/// Of one thread that computes one point after the other, its loads from shared memory.
double time_per_iter_us(const Machine &machine, const Expansion &point) {
    const RooflineWeights &w = machine.weights.roofline;
    const double cycles =
        (point.float_ops + point.int_ops + point.index_ops + point.special_ops) * w.arithmetic_latency_cycles +
        point.load_count() * w.shared_latency_cycles;
    return cycles * 1e-3 / machine.gpu.clock_ghz;
}

/// Points of the body that a block's threads have of a part, each time that one computes it.
double computed(const Geometry &g, const Work &work) {
    return work.repeats / static_cast<double>(g.warps) * static_cast<double>(g.threads) * work.points();
}

double whole(const GroupView &view, int node) {
    return static_cast<double>(std::max<int64_t>(1, volume(view.whole(node))));
}

}  // namespace

FusedGroup fused_group(const Machine &machine, const GroupView &view, const Kernel &kernel, int transaction_bytes) {
    const Geometry g = geometry(view, kernel);
    FusedGroup group;
    group.total_threads = g.blocks * static_cast<double>(g.threads);
    group.threads_per_tb = static_cast<double>(g.threads);
    double in_registers = 0;
    for (const Part &part : kernel.parts) {
        group.constant_dependences = group.constant_dependences && fixed_part_extents(view, kernel, part);
        const double bytes = bytes_in_block(view, kernel, g, part);
        group.tile_bytes += bytes;
        in_registers += part.placement == Placement::Block ? 0 : bytes;
    }
    group.frac_reg_tile = group.tile_bytes > 0 ? in_registers / group.tile_bytes : 0;
    double all = 0, needed = 0;
    for (const Work &work : work_of(view, kernel, g)) {
        const double times = work.repeats / static_cast<double>(g.warps);
        for (const ExpandedLoad &load : work.expansion().loads) {
            if (view.is_input(load.producer)) {
                const Layout layout = global_layout(view.dag().node(load.producer));
                group.gl_mem_txs +=
                    times * work.distinct(load) * access_of(load, work.lanes, layout, transaction_bytes).pieces;
            }
        }
        group.compute_time_us += time_per_iter_us(machine, work.expansion()) * times * work.points();
        group.reg_usage += registers_of_a_point(view, kernel, work);
        if (work.stage == 0) {
            all += g.blocks * computed(g, work);
            needed += whole(view, work.part < 0 ? view.output() : kernel.parts[static_cast<size_t>(work.part)].node);
        }
    }
    group.frac_overlap = all > needed ? 1 - needed / all : 0;
    return group;
}

Algorithm2 algorithm2(const Machine &machine, const FusedGroup &group, int transaction_bytes) {
    const GpuSpec &gpu = machine.gpu;
    const Jangda2020Weights &paper = machine.weights.jangda2020;
    Algorithm2 r;
    const double warp_size = gpu.warp_size, warps_per_tb = std::ceil(group.threads_per_tb / warp_size);
    const double tb_per_sm = std::ceil(group.total_threads / group.threads_per_tb / gpu.sms);
    const double sh_mem_per_tb = group.tile_bytes * (1 - group.frac_reg_tile);
    const double reg_tile = group.tile_bytes * group.frac_reg_tile / group.threads_per_tb / kRegisterBytes;
    const double reg_per_th = reg_tile + group.reg_usage;
    if (!group.constant_dependences) {
        r.infeasible = "its dependences are not constant";
    } else if (sh_mem_per_tb > paper.shared_per_block) {
        r.infeasible = "more shared memory than MaxShMemPerTB";
    } else if (reg_per_th > paper.registers_per_thread) {
        r.infeasible = "more registers than MaxRegPerTh";
    }
    if (!r.infeasible.empty()) {
        return r;
    }
    const double by_memory = sh_mem_per_tb > 0 ? std::floor(gpu.shared_per_sm / sh_mem_per_tb) : paper.blocks_per_sm;
    r.max_tb_per_sm = std::min<double>(by_memory, paper.blocks_per_sm);
    const double sh_mem_occ = std::min<double>(r.max_tb_per_sm * warps_per_tb, gpu.warps_per_sm);
    const double max_th_per_sm =
        std::min(gpu.registers_per_sm / std::max(1.0, reg_per_th), gpu.warps_per_sm * warp_size);
    r.occupancy = std::min(sh_mem_occ, max_th_per_sm / warp_size) / gpu.warps_per_sm;
    const double bytes_a_us = gpu.dram_gb_per_s * 1e3;
    const double warp_bw = bytes_a_us * warp_size / (static_cast<double>(gpu.sms) * gpu.cores_per_sm);
    r.mem_time_us = transaction_bytes * group.gl_mem_txs / warp_bw;
    r.mem_over_compute = group.compute_time_us > 0 ? r.mem_time_us / group.compute_time_us : 0;
    r.unallocated_sh_mem = 1 - sh_mem_per_tb * r.max_tb_per_sm / gpu.shared_per_sm;
    const double reg_per_sm = reg_per_th * gpu.warps_per_sm * warp_size;
    r.unused_reg = 1 - reg_per_sm * r.occupancy / gpu.registers_per_sm;
    r.extra_tbs = std::fmod(tb_per_sm, r.max_tb_per_sm);
    const auto &w = paper.w;
    r.cost = w[0] * group.gl_mem_txs + w[1] * (1 - r.occupancy) + w[2] * r.mem_over_compute +
             w[3] * r.unallocated_sh_mem + w[4] * r.unused_reg + w[5] * group.frac_overlap + w[6] * r.extra_tbs;
    return r;
}

FusedGroup fused_group(const Machine &machine, const Sweep &sweep, int transaction_bytes) {
    const RooflineWeights &w = machine.weights.roofline;
    const double warps = std::max(1.0, sweep.threads / machine.gpu.warp_size);
    FusedGroup group;
    group.total_threads = sweep.threads;
    group.threads_per_tb = sweep.threads_a_block;
    group.tile_bytes = sweep.tree_bytes;
    group.gl_mem_txs = sweep.moved / transaction_bytes / warps;
    group.reg_usage = sweep.at_once / kRegisterBytes;
    group.compute_time_us = sweep.instructions / warps * w.arithmetic_latency_cycles * 1e-3 / machine.gpu.clock_ghz;
    return group;
}

Cost Jangda2020::cost(const GroupView &view, const Kernel &kernel) const {
    if (!kernel.wrapped && view.output_node().stages[static_cast<size_t>(kernel.stage)].undefined) {
        return {};
    }
    const Fit taken = fit(machine_, view, kernel, max_registers_);
    if (!taken.problem.empty()) {
        return infeasible(taken.problem);
    }
    if (!kernel.parts.empty() && taken.need.registers > max_registers_) {
        return infeasible("more registers than a thread may have");
    }
    Cost cost = cost_of(fused_group(machine_, view, kernel, machine_.weights.jangda2020.transaction_bytes));
    cost.registers = taken.need.registers;
    cost.code = taken.demand.code;
    return cost;
}

Cost Jangda2020::cost(const Sweep &sweep) const {
    return cost_of(fused_group(machine_, sweep, machine_.weights.jangda2020.transaction_bytes));
}

Cost Jangda2020::cost_of(const FusedGroup &group) const {
    const Algorithm2 result = algorithm2(machine_, group, machine_.weights.jangda2020.transaction_bytes);
    if (!result.infeasible.empty()) {
        return infeasible(result.infeasible);
    }
    Cost cost;
    cost.total = result.cost;
    cost.unit = "";
    cost.terms = {{"transactions", group.gl_mem_txs},
                  {"occupancy", result.occupancy},
                  {"memory over compute", result.mem_over_compute},
                  {"unallocated shared", result.unallocated_sh_mem},
                  {"unused registers", result.unused_reg},
                  {"overlap", group.frac_overlap},
                  {"extra blocks", result.extra_tbs}};
    return cost;
}

}  // namespace warptile
