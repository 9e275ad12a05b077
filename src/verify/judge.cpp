#include "verify/judge.h"

#include <algorithm>
#include <map>
#include <set>

namespace warptile {

namespace {

constexpr int64_t kThreadsZ = 64;

/// Which group each Func belongs to, and where its plan keeps it.
struct Homes {
    std::map<std::string, size_t> group;
    std::map<std::string, Placement> placement;  ///< of members
    std::set<std::string> roots;
    std::set<size_t> of_any_size;  ///< groups that leave a size in shared memory to Halide (`RoomElsewhere`)
};

Homes homes_of(const Plan &plan, const std::vector<std::string> &names) {
    Homes homes;
    for (size_t g = 0; g < plan.groups.size(); g++) {
        const std::string &root = names[static_cast<size_t>(plan.groups[g].output)];
        homes.group[root] = g;
        homes.roots.insert(root);
        for (const Member &m : plan.groups[g].members) {
            const std::string &name = names[static_cast<size_t>(m.func)];
            homes.group[name] = g;
            homes.placement[name] = m.placement;
            if (m.placement == Placement::Block && std::count(m.storage.begin(), m.storage.end(), 0) > 0) {
                homes.of_any_size.insert(g);
            }
        }
    }
    return homes;
}

class Judge {
public:
    Judge(const Trial &trial, const Plan &plan, const std::vector<std::string> &names, const GpuSpec &gpu)
        : trial_(trial), plan_(plan), gpu_(gpu), homes_(homes_of(plan, names)), verdicts_(plan.groups.size()) {}

    std::vector<GroupVerdict> verdicts() {
        for (const TrialKernel &k : trial_.kernels) {
            if (const auto it = homes_.group.find(k.func); it != homes_.group.end()) {
                stage_ = k.stage;
                judge_kernel(k, it->second);
            }
        }
        stage_ = 0;
        for (const TrialAllocation &a : trial_.allocations) {
            judge_host_allocation(a);
        }
        for (const HostLoop &loop : trial_.host_loops) {
            judge_host_loop(loop);
        }
        judge_what_is_missing();
        for (const LostName &lost : trial_.lost_names) {
            const std::string text = "Halide's lowering lost the definition of '" + lost.name + "'";
            if (const auto it = homes_.group.find(lost.func); it != homes_.group.end()) {
                problem(it->second, text);
                continue;
            }
            for (size_t g = 0; g < verdicts_.size(); g++) {
                problem(g, text + ", in code of no group");
            }
        }
        return verdicts_;
    }

private:
    void problem(size_t group, const std::string &text) {
        slow(group, text);
        verdicts_[group].unusable = true;
    }

    /// Right, but not what was planned.
    void slow(size_t group, const std::string &text) {
        GroupVerdict &v = verdicts_[group];
        v.in_updates = (v.problems.empty() || v.in_updates) && stage_ > 0;
        v.problems.push_back(text);
    }

    /// What Halide takes for unreachable it leaves out without a word: also what it only believes to be, because an
    /// index seems to lie outside an allocation. A Func inside the pipeline may well be gone: nobody may read it once
    /// all is simplified.
    void judge_what_is_missing() {
        std::vector<bool> found(plan_.groups.size(), false);
        for (const TrialKernel &k : trial_.kernels) {
            if (const auto it = homes_.group.find(k.func); it != homes_.group.end()) {
                found[it->second] = true;
                stage_ = k.stage;
                if (!k.stores_func) {
                    problem(it->second, "kernel of '" + k.func + "', stage " + std::to_string(k.stage) +
                                            ": nothing of '" + k.func + "' is stored");
                }
            }
        }
        stage_ = 0;
        for (const std::string &output : trial_.outputs) {
            const auto it = homes_.group.find(output);
            if (it != homes_.group.end() && !found[it->second] && !plan_.groups[it->second].on_host) {
                problem(it->second, "the lowered code has no kernel for it");
            }
        }
    }

    void judge_kernel(const TrialKernel &k, size_t group) {
        const std::string where = "kernel of '" + k.func + "', stage " + std::to_string(k.stage) + ": ";
        if (k.resources) {
            GroupVerdict &v = verdicts_[group];
            v.registers = std::max(v.registers, k.resources->registers);
            if (k.resources->spills()) {
                v.spilled = std::max<int64_t>(v.spilled, k.resources->spill_store_bytes);
                v.spilling++;
                slow(group, where + "spills " + std::to_string(k.resources->spill_store_bytes) + " bytes");
            }
        }
        if (k.divergent_shuffles) {
            problem(group, where + "Halide put a shuffle under a test that not all lanes of a warp pass");
        }
        if (k.ptx && k.ptx->counts.swaps > 0) {
            problem(group, where + "an atomic update is a loop of compare and swap, which may lose values");
        }
        const auto threads = k.most_threads();
        if (!threads || *threads > gpu_.threads_per_block) {
            problem(group, where + (threads ? std::to_string(*threads) : "an unknown number of") + " threads a block");
        }
        if (!k.threads[2].at_most || *k.threads[2].at_most > kThreadsZ) {
            problem(group, where + k.threads[2].text + " threads in z, which stops at 64");
        }
        const bool fits_anywhere = !k.shared_bytes.at_most && homes_.of_any_size.count(group);
        if (!fits_anywhere && (!k.shared_bytes.at_most || *k.shared_bytes.at_most > gpu_.shared_per_block)) {
            problem(group, where + k.shared_bytes.text + " bytes of shared memory a block");
        }
        for (const StorageBoundCheck &c : k.storage_bound_checks) {
            if (!c.holds()) {
                problem(group, where + "'" + c.func + "' may need more than " + c.bound.text + " of dimension " +
                                   c.dimension + ": " + c.required.text);
            }
        }
        for (const TrialAllocation &a : k.allocations) {
            judge_kernel_allocation(a, group, where);
        }
    }

    void judge_kernel_allocation(const TrialAllocation &a, size_t group, const std::string &where) {
        if (a.place == TrialAllocation::Place::scratch) {
            slow(group, where + "'" + a.name + "' went to global memory");
            return;
        }
        for (const std::string &func : a.funcs) {
            const auto it = homes_.placement.find(func);
            const bool registers = it != homes_.placement.end() && it->second != Placement::Block;
            if (registers && a.place == TrialAllocation::Place::shared) {
                slow(group, where + "'" + func + "' went from registers to shared memory");
            }
        }
    }

    void judge_host_allocation(const TrialAllocation &a) {
        for (const std::string &func : a.funcs) {
            if (const auto it = homes_.group.find(func); it != homes_.group.end() && !homes_.roots.count(func)) {
                slow(it->second, "'" + func + "' is stored in memory of the whole pipeline");
            }
        }
    }

    void judge_host_loop(const HostLoop &loop) {
        const auto it = homes_.group.find(loop.func);
        // Around kernels the host has the loops that the plan leaves to it (KernelTile::host_loops).
        if (it == homes_.group.end() || plan_.groups[it->second].on_host || loop.launches_kernels) {
            return;
        }
        slow(it->second, "the loop '" + loop.name + "' runs on the host");
    }

    const Trial &trial_;
    const Plan &plan_;
    const GpuSpec &gpu_;
    const Homes homes_;
    int stage_ = 0;  ///< of the kernel that is judged
    std::vector<GroupVerdict> verdicts_;
};

}  // namespace

std::vector<GroupVerdict> judge(const Trial &trial, const Plan &plan, const std::vector<std::string> &names,
                                const GpuSpec &gpu) {
    return Judge(trial, plan, names, gpu).verdicts();
}

}  // namespace warptile
