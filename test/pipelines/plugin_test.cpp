// The autoscheduler as Halide calls it: what it gives, and that each mistake of a user's is one clear error that names
// the thing and the mend and leaves the pipeline as it was.

#include <cstdio>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "Halide.h"
#include "plugin/autoschedule.h"
#include "test/support/words.h"

namespace warptile {
namespace {

using Halide::Func;
using Halide::Var;

const char *const kCuda = "x86-64-linux-cuda-cuda_capability_80";

/// A three-tap blur each way, with estimates unless told otherwise.
Func blur(bool estimates = true, int taps = 3) {
    Var x("x"), y("y");
    Halide::ImageParam in(Halide::Float(32), 2, "in");
    const Func edge = Halide::BoundaryConditions::repeat_edge(in);
    Func rows("rows"), out("out");
    Halide::Expr across = 0.0f, down = 0.0f;
    for (int i = 0; i < taps; i++) {
        across += edge(x + i, y);
    }
    rows(x, y) = across;
    for (int i = 0; i < taps; i++) {
        down += rows(x, y + i);
    }
    out(x, y) = down;
    in.set_estimates({{0, 1024}, {0, 768}});
    if (estimates) {
        out.set_estimates({{0, 1024}, {0, 768}});
    }
    return out;
}

std::string schedule(const Func &out, std::map<std::string, std::string> extra = {{"gpu", "h100"}},
                     const std::string &target = kCuda) {
    Halide::AutoschedulerParams params("WarpTile");
    params.extra = std::move(extra);
    Halide::AutoSchedulerResults results;
    autoschedule(Halide::Pipeline(out), Halide::Target(target), params, &results);
    return results.schedule_source;
}

std::string read(const std::string &path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(Plugin, GivesAScheduleThatHalideLowers) {
    Func out = blur();
    const std::string text = schedule(out);
    expect_words(text, {"gpu_blocks", "compute_root", "h100"});
    const Halide::Module module =
        Halide::Pipeline(out).compile_to_module(Halide::Pipeline(out).infer_arguments(), "blur", Halide::Target(kCuda));
    EXPECT_TRUE(module.get_cuda_ptx_assembly_buffer().defined());
}

TEST(Plugin, ATargetWithoutCudaIsAnError) {
    expect_words(error_of([] { schedule(blur(), {}, "x86-64-linux"); }), {"CUDA", "x86-64-linux", "cuda_capability"});
}

TEST(Plugin, AnOutputWithoutEstimatesIsAnError) {
    expect_words(error_of([] { schedule(blur(false)); }), {"out", "set_estimate"});
}

TEST(Plugin, AScheduleByHandIsAnError) {
    Func out = blur();
    out.unroll(out.args()[0], 2);
    expect_words(error_of([&] { schedule(out); }), {"out", "schedule already"});
}

TEST(Plugin, AnOlderCardThanTheTargetIsAnError) {
    expect_words(error_of([] { schedule(blur(), {{"gpu", "v100"}}); }), {"v100"});
}

class PlanFiles : public testing::Test {
protected:
    /// Of this test alone: others of the fixture may run at the same time, in processes of their own.
    const std::string path =
        testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + std::string(".plan.json");

    void TearDown() override { std::remove(path.c_str()); }
};

TEST_F(PlanFiles, APlanThatIsReadBackGivesTheSameSchedule) {
    const std::string written = schedule(blur(), {{"gpu", "h100"}, {"plan_out", path}});
    const std::string plan = read(path);
    const std::string again = schedule(blur(), {{"gpu", "h100"}, {"plan_in", path}, {"plan_out", path}});
    EXPECT_EQ(written, again);
    // But for the suffixes that names get in one process, the files are the same too.
    EXPECT_EQ(plan.substr(plan.find("\"derived\"")), read(path).substr(read(path).find("\"derived\"")));
}

TEST_F(PlanFiles, AStalePlanIsRefused) {
    schedule(blur(), {{"gpu", "h100"}, {"plan_out", path}});
    expect_words(error_of([&] {
                     schedule(blur(true, 5), {{"gpu", "h100"}, {"plan_in", path}});
                 }),
                 {"another pipeline", "plan_out"});
}

TEST_F(PlanFiles, AnEditThatBreaksTheRulesIsRefused) {
    schedule(blur(), {{"gpu", "h100"}, {"plan_out", path}});
    std::string plan = read(path);
    const size_t at = plan.find("\"threads\": ");
    ASSERT_NE(at, std::string::npos);
    plan.replace(at, plan.find_first_of(",\n", at) - at, "\"threads\": 4096");
    std::ofstream(path) << plan;
    expect_words(error_of([&] { schedule(blur(), {{"gpu", "h100"}, {"plan_in", path}}); }), {"plan_in"});
    std::ofstream(path) << "{ \"fingerprint\": 3 }";
    expect_words(error_of([&] {
                     schedule(blur(), {{"gpu", "h100"}, {"plan_in", path}});
                 }),
                 {"fingerprint", "wrong type"});
}

TEST_F(PlanFiles, AFileThatIsNotThereIsAnError) {
    expect_words(error_of([] { schedule(blur(), {{"plan_in", "nowhere/plan.json"}}); }), {"nowhere/plan.json"});
    expect_words(error_of([] {
                     schedule(blur(), {{"gpu", "h100"}, {"plan_out", "nowhere/plan.json"}});
                 }),
                 {"nowhere/plan.json"});
}

TEST_F(PlanFiles, WhatCannotBeWrittenIsSaidBeforeTheSearch) {
    for (const std::string &parameter : std::vector<std::string>{"plan_out", "report"}) {
        for (const std::string &where : std::vector<std::string>{"nowhere/file.json", testing::TempDir()}) {
            // A pipeline that the analysis would refuse.
            expect_words(error_of([&] {
                             schedule(blur(false), {{"gpu", "h100"}, {parameter, where}});
                         }),
                         {parameter, where, "another path"});
        }
        expect_words(error_of([&] { schedule(blur(false), {{"gpu", "h100"}, {parameter, path}}); }), {"set_estimate"});
        EXPECT_FALSE(std::ifstream(path)) << "a file that nothing was written to";
    }
}

TEST_F(PlanFiles, WhatIsFullIsAnError) {
    expect_words(error_of([] { schedule(blur(), {{"plan_out", "/dev/full"}}); }), {"plan_out", "/dev/full"});
}

TEST_F(PlanFiles, APlanThatDoesNotCompileIsRefusedInTheUsersWords) {
    schedule(blur(), {{"gpu", "h100"}, {"plan_out", path}});
    expect_words(error_of([&] {
                     schedule(blur(), {{"gpu", "h100"}, {"plan_in", path}, {"max_registers", "16"}});
                 }),
                 {"plan_in", "does not compile as planned", "'out': ", "spills"});
}

}  // namespace
}  // namespace warptile
