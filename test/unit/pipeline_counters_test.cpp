// What a pipeline asks for, and what a plan's kernels are expected to move.
#include "dag/pipeline_counters.h"
#include "dag/read.h"
#include "model/plan_kernels.h"
#include "model/roofline.h"
#include "search/search.h"
#include "test/support/h100.h"
#include "test/support/plans.h"

#include <gtest/gtest.h>

namespace warptile {
namespace {

using namespace Halide;

Var x("x"), y("y");

PipelineCounters counted(const Func &output) {
    return count_pipeline({output}, read_function_dag({output}, cuda_80()));
}

TEST(PipelineCounters, AStencilIsItsSumsAndNotItsIndices) {
    ImageParam in(Float(32), 2, "in");
    Func rows("rows"), out("out");
    rows(x, y) = (in(x, y) + in(x + 1, y) + in(x + 2, y)) * 0.5f;
    out(x, y) = rows(x, y) + rows(x, y + 2 * 1);
    in.set_estimates({{0, 200}, {0, 200}});
    out.set_estimates({{0, 100}, {0, 50}});
    const PipelineCounters counters = counted(out);
    ASSERT_EQ(counters.inputs.size(), 1u);
    EXPECT_EQ(counters.inputs[0].bytes, 102 * 52 * 4);  // what is needed, not what the estimate says
    EXPECT_EQ(counters.outputs.at(0).bytes, 100 * 50 * 4);
    EXPECT_EQ(counters.compulsory_bytes(), 102 * 52 * 4 + 100 * 50 * 4);
    EXPECT_DOUBLE_EQ(counters.float_ops, 100 * 52 * 3 + 100 * 50);
    EXPECT_DOUBLE_EQ(counters.int_ops, 0);
}

TEST(PipelineCounters, AnIndexMadeOfDataCounts) {
    ImageParam in(UInt(8), 1, "in"), table(Float(32), 1, "table");
    Func out("out");
    out(x) = table(cast<int>(in(x)) * 3 + 1) + table(x + 7);
    in.set_estimates({{0, 10}});
    table.set_estimates({{0, 1000}});
    out.set_estimates({{0, 10}});
    const PipelineCounters counters = counted(out);
    EXPECT_DOUBLE_EQ(counters.float_ops, 10);
    EXPECT_DOUBLE_EQ(counters.int_ops, 2 * 10);
}

TEST(PipelineCounters, AReductionIsCountedAtEachOfItsPoints) {
    ImageParam in(Float(32), 2, "in");
    RDom r(0, 64);
    Func out("out");
    out(y) = 0.0f;
    out(y) += in(r, y) * in(r, y);
    in.set_estimates({{0, 64}, {0, 10}});
    out.set_estimates({{0, 10}});
    EXPECT_DOUBLE_EQ(counted(out).float_ops, 2 * 64 * 10);
}

TEST(PipelineCounters, AGatherNeedsWhatItReads) {
    ImageParam in(UInt(8), 1, "in");
    Func table("table"), out("out");
    table(x, y) = cast<float>(x) * 2.0f + cast<float>(y);
    out(x) = table(x, clamp(cast<int>(in(x)), 0, 99));
    in.set_estimates({{0, 10}});
    out.set_estimates({{0, 10}});
    // Ten values of the thousand that the table's bounds hold: a product and a sum each.
    EXPECT_DOUBLE_EQ(counted(out).float_ops, 10 * 2);
}

TEST(PipelineCounters, BoundaryConditionsMoveNothing) {
    ImageParam in(Float(32), 2, "in");
    Func out("out");
    const Func clamped = BoundaryConditions::repeat_edge(in, {{0, 64}, {0, 64}});
    out(x, y) = clamped(x - 1, y) + clamped(x + 1, y);
    in.set_estimates({{0, 64}, {0, 64}});
    out.set_estimates({{0, 64}, {0, 64}});
    const PipelineCounters counters = counted(out);
    EXPECT_EQ(counters.compulsory_bytes(), 2 * 64 * 64 * 4);
    EXPECT_DOUBLE_EQ(counters.operations(), 64 * 64);
}

/// The plan of all first candidates, seen as kernels, costs what the search said that the candidates cost.
void expect_costs_of_search(const Func &output) {
    const FunctionDag dag = read_function_dag({output}, cuda_80());
    const SearchOptions options;
    const SearchResult found = search(dag, h100(), options);
    double predicted = 0, costed = 0;
    for (const GroupChoices &group : found.groups) {
        predicted += group.candidates.front().cost;
    }
    const Roofline model(h100(), options.max_registers);
    for (const PlanKernel &kernel : kernels_of(assemble(found, std::vector<int>(found.groups.size(), 0)), dag)) {
        ASSERT_FALSE(kernel.sweep);
        costed += cost_of(model, kernel).total;
    }
    EXPECT_NEAR(costed, predicted, 1e-3 * predicted);
}

TEST(PlanKernels, AStencilChainCostsWhatTheSearchSaid) {
    ImageParam in(Float(32), 2, "in");
    Func a("a"), b("b"), out("out");
    const Func clamped = BoundaryConditions::repeat_edge(in, {{0, 2048}, {0, 2048}});
    const auto blurred = [](const Func &f, const Expr &dx, const Expr &dy) {
        return f(x - dx, y - dy) + f(x, y) + f(x + dx, y + dy);
    };
    a(x, y) = blurred(clamped, 0, 1);
    b(x, y) = blurred(a, 1, 0);
    out(x, y) = b(x, y) * 2 - clamped(x, y);
    in.set_estimates({{0, 2048}, {0, 2048}});
    out.set_estimates({{0, 2048}, {0, 2048}});
    expect_costs_of_search(out);
}

TEST(PlanKernels, StepsTakenTogetherCostWhatTheSearchSaid) {
    ImageParam in(Float(32), 3, "in"), weights(Float(32), 4, "weights");
    const Var c("c");
    const RDom r(0, 64, 0, 3, 0, 3);
    Func sum("sum"), out("out");
    sum(c, x, y) = 0.0f;
    sum(c, x, y) += weights(c, r.x, r.y, r.z) * in(r.x, x + r.y, y + r.z);
    out(c, x, y) = max(sum(c, x, y), 0.0f);
    in.set_estimates({{0, 64}, {0, 130}, {0, 130}});
    weights.set_estimates({{0, 64}, {0, 64}, {0, 3}, {0, 3}});
    out.set_estimates({{0, 64}, {0, 128}, {0, 128}});
    expect_costs_of_search(out);
}

// The sums have the row first, and are a thread's; neighbours are side by side in the row of the output.
TEST(PlanKernels, SumsReadAcrossCostWhatTheSearchSaid) {
    ImageParam in(Float(32), 2, "in");
    const RDom r(0, 8);
    Func sum("sum"), out("out");
    const Expr row = clamp(cast<int>(ceil((y + 0.5f) * 2.0f - 4.5f)), 0, 2040) + r;
    sum(y, x) = 0.0f;
    sum(y, x) += in(x, row) * (1.0f + r);
    out(x, y) = sum(y, x);
    in.set_estimates({{0, 1024}, {0, 2048}});
    out.set_estimates({{0, 1024}, {0, 1024}});
    expect_costs_of_search(out);
}

TEST(PlanKernels, AStreamCostsWhatTheSearchSaid) {
    ImageParam in(Float(32), 2, "in");
    Func last = BoundaryConditions::mirror_image(in);
    for (int i = 0; i < 4; i++) {
        Func next(i < 3 ? "step_" + std::to_string(i) : "out");
        next(x, y) = last(x, y) + (last(x - 1, y) + last(x + 1, y)) + 2 * (last(x, y - 1) + last(x, y + 1));
        last = next;
    }
    in.set_estimates({{0, 4096}, {0, 4096}});
    last.set_estimates({{0, 4096}, {0, 4096}});
    const FunctionDag dag = read_function_dag({last}, cuda_80());
    const SearchResult found = search(dag, h100(), SearchOptions());
    ASSERT_GE(found.groups.front().candidates.front().group.tile.stream, 0);
    expect_costs_of_search(last);
}

TEST(PlanKernels, RowsOfSumsCostWhatTheSearchSaid) {
    ImageParam in(Float(32), 2, "in");
    RDom r(0, 512);
    Func sum("sum"), out("out");
    sum(y) += in(r, y);
    out(x, y) = in(x, y) / sum(y);
    in.set_estimates({{0, 512}, {0, 4096}});
    out.set_estimates({{0, 512}, {0, 4096}});
    expect_costs_of_search(out);
}

TEST(PlanKernels, AReductionOverTheGridReadsItsInputOnce) {
    ImageParam in(Float(32), 1, "in");
    RDom r(0, 1 << 20);
    Func out("out");
    out() += in(r);
    in.set_estimates({{0, 1 << 20}});
    const FunctionDag dag = read_function_dag({out}, cuda_80());
    const int func = dag.node(dag.outputs[0]).func_index;
    // A first kernel stores 256 partial sums, through a copy of them; a second one adds them up.
    Plan plan;
    plan.funcs = func + 1;
    Derived partial, copy;
    partial.kind = Derived::Kind::Partial;
    partial.source = func;
    partial.factor = 256;
    copy.source = plan.funcs;
    plan.derived = {partial, copy};
    Group parts, total;
    parts.output = plan.funcs + 1;
    total.output = func;
    total.updates.resize(1);
    total.atomic = {false};
    plan.groups = {parts, total};
    const std::vector<PlanKernel> kernels = kernels_of(plan, dag);
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_DOUBLE_EQ(kernels[0].sweep->compulsory, 4.0 * (1 << 20) + 4 * 256);
    EXPECT_DOUBLE_EQ(kernels[1].sweep->compulsory, 4 * 256 + 4);
}

// One of two sums is found in parts, whose kernels are known by their totals; the other is a kernel of the same group.
TEST(PlanKernels, TheUpdateBesideOneInPartsCostsWhatTheSearchSaid) {
    ImageParam in(Float(32), 2, "in"), other(Float(32), 2, "other");
    const RDom r(0, 512, 0, 1024);
    Func sum("sum"), out("out");
    sum(x) = 0.0f;
    sum(x) += in(r.x, r.y) * in(r.x, r.y);
    sum(x) += other(r.x, r.y) * other(r.x, r.y);
    out(x) = sqrt(sum(x));
    in.set_estimates({{0, 512}, {0, 1024}});
    other.set_estimates({{0, 512}, {0, 1024}});
    out.set_estimates({{0, 1}});
    const FunctionDag dag = read_function_dag({out}, cuda_80());
    const SearchResult found = search(dag, h100(), {});
    const Roofline model(h100(), SearchOptions().max_registers);
    double predicted = 0, costed = 0;
    for (const GroupChoices &group : found.groups) {
        predicted += group.candidates.front().cost;
    }
    std::vector<int> stages;
    for (const PlanKernel &kernel : kernels_of(assemble(found, std::vector<int>(found.groups.size(), 0)), dag)) {
        costed += cost_of(model, kernel).total;
        stages.push_back(kernel.sweep ? 0 : kernel.stage);
    }
    EXPECT_EQ(std::count(stages.begin(), stages.end(), 0) + 1, static_cast<int>(stages.size()));
    EXPECT_NEAR(costed, predicted, 0.01 * predicted);
}

TEST(PlanKernels, TheReaderOfAReductionOverTheGridReadsPartialSums) {
    ImageParam in(Float(32), 2, "in");
    RDom r(0, 4096);
    Func sum("sum"), out("out");
    sum(x) += in(x, r);
    out(x) = cast<uint16_t>(sum(x));
    in.set_estimates({{0, 1024}, {0, 4096}});
    out.set_estimates({{0, 1024}});
    const FunctionDag dag = read_function_dag({out}, cuda_80());
    const SearchResult found = search(dag, h100(), {});
    const std::vector<PlanKernel> kernels = kernels_of(assemble(found, {0}), dag);
    // 16 partial sums a column; out has 2 bytes a column.
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_DOUBLE_EQ(kernels[0].sweep->compulsory, 4.0 * 1024 * 4096 + 4 * 1024 * 16);
    EXPECT_DOUBLE_EQ(kernels[1].sweep->compulsory, 4.0 * 1024 * 16 + 2 * 1024);
}

}  // namespace
}  // namespace warptile
