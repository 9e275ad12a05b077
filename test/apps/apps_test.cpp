// What WarpTile promises, on the six apps: for three cards the plan lowers, every kernel assembles within the register
// cap without a spill and within the launch limits, and a second run gives the same bytes; and the plan, mirrored onto
// the host, computes what the app's plain C++ reference computes, at the app's size and at others far from it.

#include <map>

#include <gtest/gtest.h>

#include "machine/machine.h"
#include "plugin/analysis.h"
#include "schedule/directives/apply.h"
#include "schedule/directives/directives.h"
#include "schedule/directives/print.h"
#include "schedule/passes/last_passes.h"
#include "schedule/plan_json.h"
#include "test/apps/app_pipeline.h"
#include "verify/processes/child.h"
#include "verify/trial.h"

namespace warptile {
namespace {

struct Card {
    const char *gpu;
    int capability;
};

std::ostream &operator<<(std::ostream &out, const Card &card) { return out << card.gpu; }

Halide::Target target_of(const Card &card) {
    return Halide::Target("x86-64-linux-cuda-cuda_capability_" + std::to_string(card.capability));
}

constexpr Card kH100{"h100", 80};

Analysis analysis_of(const std::string &app, const Card &card) {
    const AppPipeline pipeline(app, target_of(card));
    const Machine machine = choose_machine(card.gpu, "", card.capability);
    return analyse(pipeline.outputs(), target_of(card), machine, Parameters(), Debug());
}

/// Plans take seconds to make, so the tests share them.
const Analysis &shared_analysis(const std::string &app, const Card &card) {
    static std::map<std::string, Analysis> made;
    const std::string key = app + " " + card.gpu;
    const auto it = made.find(key);
    return it != made.end() ? it->second : made.emplace(key, analysis_of(app, card)).first->second;
}

/// Func names carry suffixes that differ between instances of a pipeline in one process.
std::string without_names(Plan plan) {
    plan.names.assign(plan.names.size(), "");
    return to_json(plan);
}

class OnCard : public testing::TestWithParam<std::tuple<std::string, Card>> {
protected:
    const std::string app = std::get<0>(GetParam());
    const Card card = std::get<1>(GetParam());
};

bool keeps_of_any_size(const Plan &plan) {
    return std::any_of(plan.groups.begin(), plan.groups.end(), [](const Group &g) {
        return std::any_of(g.members.begin(), g.members.end(), [](const Member &m) {
            return m.placement == Placement::Block && std::count(m.storage.begin(), m.storage.end(), 0) > 0;
        });
    });
}

TEST_P(OnCard, LowersWithinTheLimits) {
    const Analysis &analysis = shared_analysis(app, card);
    ASSERT_FALSE(analysis.failed) << analysis.why_failed;
    const Machine machine = choose_machine(card.gpu, "", card.capability);
    const ChildResult child = run_in_child(
        [&] {
            const AppPipeline pipeline(app, target_of(card));
            apply_directives(make_directives(analysis.plan, pipeline.outputs()), pipeline.outputs());
            Trial trial = lower(Halide::Pipeline(pipeline.outputs()), target_of(card));
            const std::string error = assemble_kernels(trial, machine.gpu.capability, 64);
            return error.empty() ? to_json_text(trial) : throw std::runtime_error(error);
        },
        300);
    ASSERT_TRUE(child.ok()) << child.message;
    const Trial trial = trial_from_json_text(child.bytes);
    ASSERT_FALSE(trial.kernels.empty());
    for (const TrialKernel &k : trial.kernels) {
        SCOPED_TRACE(k.loop);
        ASSERT_TRUE(k.resources.has_value());
        EXPECT_LE(k.resources->registers, 64);
        EXPECT_FALSE(k.resources->spills());
        EXPECT_NE(k.resources->source, KernelResources::Source::estimate) << "no assembler for this card";
        ASSERT_TRUE(k.most_threads().has_value());
        EXPECT_LE(*k.most_threads(), 1024);
        // What is known at run time only has room elsewhere.
        EXPECT_LE(k.shared_bytes.at_most.value_or(0), 48 * 1024);
        EXPECT_TRUE(k.shared_bytes.at_most || keeps_of_any_size(analysis.plan));
    }
    EXPECT_TRUE(trial.host_loops.empty() ||
                std::all_of(trial.host_loops.begin(), trial.host_loops.end(),
                            [](const HostLoop &l) { return l.func.empty() || l.launches_kernels; }));
    RecordProperty("kernels", static_cast<int>(trial.kernels.size()));
}

TEST_P(OnCard, TheSameBytesTwice) {
    const Analysis again = analysis_of(app, card);
    EXPECT_EQ(without_names(shared_analysis(app, card).plan), without_names(again.plan));
}

INSTANTIATE_TEST_SUITE_P(Apps, OnCard,
                         testing::Combine(testing::ValuesIn(app_names()),
                                          testing::Values(kH100, Card{"v100", 70}, Card{"gtx1080ti", 61})),
                         [](const auto &info) { return std::get<0>(info.param) + "_" + std::get<1>(info.param).gpu; });

class OnHost : public testing::TestWithParam<std::string> {};

/// Above all the tiles of pyramids, whose sizes are hard to tell.
TEST_P(OnHost, NothingFellBack) {
    for (const Notice &notice : shared_analysis(GetParam(), kH100).notices) {
        ADD_FAILURE() << notice.func << ": " << notice.reason;
    }
}

TEST_P(OnHost, MirrorAgreesWithTheReferenceAtEverySize) {
    const std::string app = GetParam();
    AppPipeline mirror(app, Halide::get_host_target());
    apply_directives(make_directives(shared_analysis(app, kH100).plan, mirror.outputs()), mirror.outputs(),
                     ApplyTo::HostMirror);
    Halide::Pipeline scheduled(mirror.outputs());  // compiled at the first size
    for (const auto &[width, height] : {std::pair{1001, 503}, {33, 17}, {7, 5}, {1, 1}, {2560, 1536}}) {
        SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height));
        mirror.bind_inputs(width, height);
        Halide::Buffer<> found = mirror.output_buffer(width, height), expected = mirror.output_buffer(width, height);
        mirror.reference(expected);
        scheduled.realize(found);
        EXPECT_LE(difference(expected, found), mirror.tolerance());
    }
}

/// Executed with its shuffles and barriers: on a card, or on the emulator where it comes first in LD_LIBRARY_PATH.
TEST_P(OnHost, TheScheduleAgreesWithTheReferenceOnTheGpu) {
    const std::string app = GetParam();
    const Halide::Target target =
        Halide::get_host_target().with_feature(Halide::Target::CUDA).with_feature(Halide::Target::CUDACapability80);
    if (!Halide::host_supports_target_device(target)) {
        GTEST_SKIP() << "there is no CUDA device";
    }
    AppPipeline pipeline(app, target);
    apply_directives(make_directives(shared_analysis(app, kH100).plan, pipeline.outputs()), pipeline.outputs());
    Halide::Pipeline scheduled(pipeline.outputs());
    add_last_passes(scheduled);
    for (const auto &[width, height] : {std::pair{33, 17}, {257, 129}}) {
        SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height));
        pipeline.bind_inputs(width, height);
        Halide::Buffer<> found = pipeline.output_buffer(width, height),
                         expected = pipeline.output_buffer(width, height);
        pipeline.reference(expected);
        scheduled.realize(found, target);
        found.copy_to_host();
        EXPECT_LE(difference(expected, found), pipeline.tolerance());
    }
}

INSTANTIATE_TEST_SUITE_P(Apps, OnHost, testing::ValuesIn(app_names()), [](const auto &info) { return info.param; });

TEST(Apps, harris_uses_lanes) {
    const AppPipeline harris("harris", target_of(kH100));
    const std::string text = print(make_directives(shared_analysis("harris", kH100).plan, harris.outputs()));
    EXPECT_NE(text.find("gpu_lanes"), std::string::npos) << text;
}

}  // namespace
}  // namespace warptile
