// What the host code of a lowered pipeline asks of its inputs, with numbers for sizes.

#include "verify/calls.h"
#include "verify/lowered/last_statement.h"

#include <gtest/gtest.h>

namespace warptile {
namespace {

using Halide::Func;
using Halide::ImageParam;
using Halide::Param;
using Halide::Var;

const Var x("x"), y("y");

PipelineCall call_of(const Func &output, const Region &size, const ImageParam &input, const Region &there) {
    PipelineCall call;
    call.buffers[output.name()] = size;
    call.buffers[input.name()] = there;
    return call;
}

HostRun run(const Func &output, const PipelineCall &call) {
    return run_host(last_statement(Halide::Pipeline(output), Halide::get_host_target()), call);
}

TEST(HostRun, FindsWhatIsReadOfAnInputAndWhatIsNotThere) {
    const ImageParam in(Halide::Int(32), 2, "in");
    Func f("f");
    f(x, y) = in(2 * x, y) + in(2 * x + 3, y + 1);
    const HostRun whole = run(f, call_of(f, {{0, 9}, {5, 6}}, in, {{0, 21}, {5, 7}}));
    EXPECT_EQ(whole.read.at(in.name()), (Region{{0, 21}, {5, 7}}));  // 2 * 9 + 3
    EXPECT_TRUE(whole.failed.empty());

    const HostRun short_by_one = run(f, call_of(f, {{0, 9}, {5, 6}}, in, {{0, 20}, {5, 7}}));
    ASSERT_EQ(short_by_one.failed.size(), 1u);
    EXPECT_EQ(short_by_one.failed[0],
              "it asks for [0..21] of dimension 0 of '" + in.name() + "', of which there is [0..20]");
}

TEST(HostRun, WhatIsReadMayDependOnTheInputAndOnParameters) {
    const ImageParam in(Halide::Int(32), 1, "in");
    Param<int> far("far");
    Func f("f");
    f(x) = in(Halide::min(x + far, in.dim(0).max()));
    PipelineCall call = call_of(f, {{0, 9}}, in, {{0, 11}});
    call.scalars[far.name()] = 4;
    EXPECT_EQ(run(f, call).read.at(in.name()), (Region{{4, 11}}));
    call.scalars[far.name()] = 1;
    EXPECT_EQ(run(f, call).read.at(in.name()), (Region{{1, 10}}));
}

TEST(HostRun, WhatIsNotKnownIsTakenToHold) {
    const ImageParam in(Halide::Int(32), 1, "in");
    const Param<int> far("far");
    Func f("f");
    f(x) = in(x + far);
    const HostRun unknown = run(f, call_of(f, {{0, 9}}, in, {{0, 9}}));
    EXPECT_EQ(unknown.failed, std::vector<std::string>());
    EXPECT_EQ(unknown.read.count(in.name()), 0u);
}

TEST(HostRun, SaysWhichOtherCheckFails) {
    const ImageParam in(Halide::Int(32), 1, "in");
    Func f("f");
    f(x) = in(x);
    f.output_buffer().dim(0).set_extent(8);
    EXPECT_TRUE(run(f, call_of(f, {{0, 7}}, in, {{0, 7}})).failed.empty());
    EXPECT_FALSE(run(f, call_of(f, {{0, 6}}, in, {{0, 7}})).failed.empty());
}

TEST(Calls, HaveInputsAsLargeAsIsReadOfThem) {
    ImageParam in(Halide::Int(32), 2, "in");
    Func f("f");
    f(x, y) = in(x, y) + in(x + 2, y);
    f.set_estimates({{0, 90}, {0, 60}});
    const std::vector<PipelineCall> calls = calls_to_stand({f}, Halide::get_host_target(), [] {});
    std::vector<Region> inputs;
    for (const PipelineCall &call : calls) {
        inputs.push_back(call.buffers.at(in.name()));
    }
    const std::vector<Region> expected = {{{0, 91}, {0, 59}}, {{0, 61}, {0, 39}}, {{0, 18}, {0, 16}},
                                          {{0, 2}, {0, 0}},   {{0, 2}, {0, 59}},  {{0, 91}, {0, 0}}};
    EXPECT_EQ(inputs, expected);
    EXPECT_EQ(to_json_text(calls_from_json_text(to_json_text(calls))), to_json_text(calls));
}

TEST(Calls, KeepWhatThePipelinePromises) {
    ImageParam in(Halide::Int(32), 1, "in");
    Func f("f");
    f(x, y) = in(x) + y;
    f.output_buffer().dim(1).set_bounds(0, 3);
    f.set_estimates({{0, 90}, {0, 3}});
    const std::vector<PipelineCall> calls = calls_to_stand({f}, Halide::get_host_target(), [] {});
    EXPECT_EQ(calls.size(), 6u);
    for (const PipelineCall &call : calls) {
        EXPECT_EQ(call.buffers.at(f.name())[1], (Interval{0, 2}));
    }
}

}  // namespace
}  // namespace warptile
