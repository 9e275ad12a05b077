// Compares what a plan became when it was lowered with what was planned, kernel by kernel.
#pragma once

#include "machine/gpu_spec.h"
#include "schedule/plan.h"
#include "verify/trial.h"

#include <string>
#include <vector>

namespace warptile {

/// What a trial shows of one group of a plan.
struct GroupVerdict {
    std::vector<std::string> problems;  ///< each a reason to take another candidate; empty: as planned
    bool in_updates = false;            ///< all problems are those of kernels of its output's updates
    bool unusable = false;              ///< some problem is more than that the kernel is slow: it must not be returned
    int registers = 0;                  ///< the most of its kernels
    int64_t spilled = 0;                ///< bytes a thread, the most of its kernels
    int spilling = 0;                   ///< kernels of it that spill: so many of the problems are that

    bool ok() const { return problems.empty(); }

    bool only_spills() const { return spilling > 0 && static_cast<size_t>(spilling) == problems.size(); }
};

/// One verdict for each group of `plan`. `names` are Halide's names of all Funcs by FuncRef, derived ones included.
/// Problems are: spills; more threads or shared memory than `gpu` launches; a storage bound that may be too
/// small; a shuffle that not all lanes reach; an allocation that the plan did not ask for (a member that went to global
/// memory, or from lane registers to shared memory); a stage that stayed on the host.
std::vector<GroupVerdict> judge(const Trial &trial, const Plan &plan, const std::vector<std::string> &names,
                                const GpuSpec &gpu);

}  // namespace warptile
