#pragma once

// The cost function of PACT 2020 (Jangda and Guha, Model-Based Warp Overlapped Tiling, Algorithm 2) of one kernel. It
// is no time: a weighted sum of what makes kernels slow, for comparing ways to fuse the same stages on one card.
// Reports have it beside the roofline's time, so that the two can be compared kernel by kernel, and
// `cost_model=jangda2020` lets the search go by it.
//
// In two halves: `fused_group` reads off a kernel what the algorithm asks about a group, its tiles and its blocks;
// `algorithm2` is its arithmetic, line by line, with the paper's names and the limits of its Table 1.

#include <string>

#include "machine/machine.h"
#include "model/cost_model.h"

namespace warptile {

/// What Algorithm 2 asks. The paper measures REGUSAGE and TIMEPERITER of each stage; here they are what the resource
/// model and the instructions of one point of it say.
struct FusedGroup {
    bool constant_dependences = true;  ///< line 2
    double total_threads = 0;          ///< line 3
    double threads_per_tb = 0;         ///< line 5
    double tile_bytes = 0;             ///< line 9: of a block's intermediate tiles, wherever they are kept
    double frac_reg_tile = 0;          ///< the share of them in registers of threads or lanes
    double gl_mem_txs = 0;             ///< line 17: of a warp, for all points of its tile
    double reg_usage = 0;              ///< line 20: REGUSAGE, 32-bit registers, summed over the stages
    double compute_time_us = 0;        ///< line 28: TIMEPERITER x the points that a thread has of each stage, summed
    double frac_overlap = 0;           ///< line 33: of all points that are computed, those computed more than once
};

/// The terms of line 35 and what they come from.
struct Algorithm2 {
    std::string infeasible;  ///< which limit of Table 1 it breaks; else empty, and the rest is set
    double max_tb_per_sm = 0;
    double occupancy = 0;
    double mem_time_us = 0;
    double mem_over_compute = 0;  ///< 0 where nothing is computed, which then loads nothing either
    double unallocated_sh_mem = 0;
    double unused_reg = 0;
    double extra_tbs = 0;
    double cost = 0;
};

/// `transaction_bytes`: GLMemTxSz, 32 for loads that are cached in L2 only, 128 for those in L1 too.
FusedGroup fused_group(const Machine &machine, const GroupView &view, const Kernel &kernel, int transaction_bytes);

Algorithm2 algorithm2(const Machine &machine, const FusedGroup &group, int transaction_bytes);

/// The same of a kernel without tiles.
FusedGroup fused_group(const Machine &machine, const Sweep &sweep, int transaction_bytes);

/// Algorithm 2 with the transactions that the card's loads make. Kernels with members that have no room in the
/// registers there are cost nothing finite, as those beyond the paper's limits: the paper's compiler lets a thread have
/// what Table 1 says, Halide's runtime fewer.
class Jangda2020 : public CostModel {
public:
    /// `max_registers`: what the runtime lets a thread have.
    Jangda2020(Machine machine, int max_registers) : machine_(std::move(machine)), max_registers_(max_registers) {}

    Cost cost(const GroupView &view, const Kernel &kernel) const override;
    Cost cost(const Sweep &sweep) const override;

private:
    Machine machine_;
    int max_registers_;

    Cost cost_of(const FusedGroup &group) const;
};

}  // namespace warptile
