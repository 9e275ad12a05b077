// What a trial shows, compared with a plan: a trial that is as planned, and each thing that may be wrong with it once.

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "verify/judge.h"

namespace warptile {
namespace {

TrialNumber exactly(int64_t n) { return {std::to_string(n), n, true}; }

/// Two kernels: "by", and "out" with "bx" in lane registers.
struct Example {
    Plan plan;
    Trial trial;
    std::vector<std::string> names{"by", "bx", "out"};
    GpuSpec gpu;

    Example() {
        gpu.threads_per_block = 1024;
        gpu.shared_per_block = 48 * 1024;
        plan.funcs = 3;
        plan.groups.resize(2);
        plan.groups[0].output = 0;
        plan.groups[1].output = 2;
        Member bx;
        bx.func = 1;
        bx.placement = Placement::Warp;
        bx.at = 2;
        plan.groups[1].members = {bx};
        trial.outputs = {"out"};
        trial.kernels = {kernel("by"), kernel("out")};
        trial.kernels[1].funcs = {"out", "bx"};
        trial.kernels[1].allocations = {{"bx.0", {"bx"}, "float32", TrialAllocation::Place::thread, exactly(16)}};
        trial.allocations = {{"by", {"by"}, "float32", TrialAllocation::Place::device, exactly(4096)}};
    }

    static TrialKernel kernel(const std::string &func) {
        TrialKernel k;
        k.loop = func + ".s0.y.block_id_y";
        k.func = func;
        k.funcs = {func};
        k.stores_func = true;
        for (int d = 0; d < 3; d++) {
            k.blocks[d] = k.threads[d] = exactly(1);
        }
        k.threads[0] = exactly(32);
        k.shared_bytes = exactly(0);
        KernelResources resources;
        resources.registers = 40;
        k.resources = resources;
        return k;
    }

    /// All problems of group `g`, a line each.
    std::string problems(size_t g) const {
        std::string text;
        const GroupVerdict verdict = judge(trial, plan, names, gpu)[g];
        for (const std::string &p : verdict.problems) {
            text += p + "\n";
        }
        return text;
    }
};

TEST(Judge, FindsNothingWhereAllIsAsPlanned) {
    const Example e;
    EXPECT_EQ(e.problems(0), "");
    EXPECT_EQ(e.problems(1), "");
    EXPECT_EQ(judge(e.trial, e.plan, e.names, e.gpu)[1].registers, 40);
}

struct Fault {
    const char *name;
    size_t group;
    const char *words;
    std::function<void(Example &)> commit;
};

std::ostream &operator<<(std::ostream &out, const Fault &fault) { return out << fault.name; }

class JudgeFaults : public testing::TestWithParam<Fault> {};

TEST_P(JudgeFaults, IsNamedInItsGroupAlone) {
    Example e;
    GetParam().commit(e);
    EXPECT_NE(e.problems(GetParam().group).find(GetParam().words), std::string::npos) << e.problems(GetParam().group);
    EXPECT_EQ(e.problems(1 - GetParam().group), "");
}

INSTANTIATE_TEST_SUITE_P(
    Each, JudgeFaults,
    testing::Values(
        Fault{"spills", 0, "spills 12 bytes", [](Example &e) { e.trial.kernels[0].resources->spill_store_bytes = 12; }},
        Fault{"threads", 1, "2048 threads a block", [](Example &e) { e.trial.kernels[1].threads[0] = exactly(2048); }},
        Fault{"shared", 1, "bytes of shared memory",
              [](Example &e) { e.trial.kernels[1].shared_bytes = exactly(50000); }},
        Fault{"divergent", 1, "not all lanes", [](Example &e) { e.trial.kernels[1].divergent_shuffles = true; }},
        Fault{"swaps", 1, "compare and swap",
              [](Example &e) {
                  e.trial.kernels[1].ptx = PtxKernel();
                  e.trial.kernels[1].ptx->counts.swaps = 1;
              }},
        Fault{"stores_nothing", 1, "is stored", [](Example &e) { e.trial.kernels[1].stores_func = false; }},
        Fault{"output_is_missing", 1, "no kernel", [](Example &e) { e.trial.kernels.pop_back(); }},
        Fault{"global_scratch", 1, "went to global memory",
              [](Example &e) { e.trial.kernels[1].allocations[0].place = TrialAllocation::Place::scratch; }},
        Fault{
            "storage_bound", 1, "may need more than 32",
            [](Example &e) {
                e.trial.kernels[1].storage_bound_checks = {{"bx", "x", exactly(32), {"n", std::nullopt, false}, false}};
            }},
        Fault{"host_loop", 0, "runs on the host",
              [](Example &e) {
                  e.trial.host_loops = {{"by.s0.y", "by", "for", exactly(10), false}};
              }},
        Fault{"lost_name", 1, "lost the definition",
              [](Example &e) {
                  e.trial.lost_names = {{"t5", "out"}};
              }}),
    [](const auto &info) { return info.param.name; });

TEST(Judge, KnowsWhetherAllThatIsWrongIsInUpdates) {
    Example e;
    e.trial.kernels.push_back(e.trial.kernels[0]);
    e.trial.kernels[2].stage = 1;
    const auto in_updates = [&] { return judge(e.trial, e.plan, e.names, e.gpu)[0].in_updates; };
    EXPECT_FALSE(in_updates());
    e.trial.kernels[2].resources->spill_store_bytes = 12;
    EXPECT_TRUE(in_updates());
    e.trial.kernels[0].resources->spill_store_bytes = 40;
    EXPECT_FALSE(in_updates()) << "of the Func itself, too";
    e.trial.kernels[0].resources->spill_store_bytes = 0;
    e.trial.kernels[2].threads[0] = exactly(2048);
    EXPECT_TRUE(in_updates());
}

// As the plan leaves them to the host.
TEST(Judge, TakesALoopAroundKernels) {
    Example e;
    e.trial.host_loops = {{"by.s0.y", "by", "for", exactly(2), true}};
    EXPECT_EQ(e.problems(0), "");
}

TEST(Judge, LetsAFuncGoThatNobodyNeeds) {
    Example e;
    e.trial.kernels.erase(e.trial.kernels.begin());
    e.trial.allocations.clear();
    EXPECT_EQ(e.problems(0), "");
    EXPECT_EQ(e.problems(1), "");
}

}  // namespace
}  // namespace warptile
