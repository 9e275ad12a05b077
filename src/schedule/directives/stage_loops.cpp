#include "schedule/directives/stage_loops.h"

#include "dag/saturating.h"

namespace warptile {

namespace {

int64_t round_up(int64_t n, int64_t multiple) { return (n + multiple - 1) / multiple * multiple; }

/// A Stage of its own for the usual extent: how many steps there are is a constant then, so that those of partial
/// results can be unrolled, and none has to be tested.
void unroll_usual(const StageName &stage, const NamedLoop &loop, Names &names, std::vector<Directive> &calls) {
    SizeTest test;
    test.local = loop.whole_extent;
    test.extent = loop.usual_extent;
    test.exact = true;
    const StageName usual = specialize(stage, {test}, "usual", names, calls);
    if (loop.part) {
        return;  // unrolled already, or long
    }
    if (loop.usual_steps <= loop.steps_together) {
        unroll_all(usual, {loop.local}, calls);
        return;
    }
    const std::string turn = names.loop(loop.base, "turn", true), step = names.loop(loop.base, "step", true);
    calls.push_back(split(usual, loop.local, turn, step, loop.steps_together, SplitTail::GuardWithIf));
    unroll_all(usual, {step}, calls);
}

}  // namespace

void finish_stage(const StageName &stage, const StageParts &parts, bool unroll, Names &names,
                  std::vector<Directive> &calls) {
    std::vector<std::string> order = parts.points;
    order.insert(order.end(), parts.serial.begin(), parts.serial.end());
    order.insert(order.end(), parts.steps.begin(), parts.steps.end());
    order.insert(order.end(), parts.reductions.begin(), parts.reductions.end());
    order.insert(order.end(), parts.rolled.begin(), parts.rolled.end());
    if (!parts.lane.empty()) {
        order.push_back(parts.lane);
    }
    order.insert(order.end(), parts.threads.begin(), parts.threads.end());
    if (order.size() > 1) {
        calls.push_back(on(stage, Op::Reorder, order));
    }
    unroll_all(stage, parts.steps, calls);
    if (unroll) {
        unroll_all(stage, parts.serial, calls);
    }
    if ((unroll || parts.total) && parts.reduction_points <= kUnrolledReduction) {
        unroll_all(stage, parts.reductions, calls);
    }
    if (!parts.threads.empty()) {
        calls.push_back(on(stage, Op::GpuThreads, parts.threads));
    }
    if (!parts.lane.empty()) {
        calls.push_back(on(stage, Op::GpuLanes, {parts.lane}));
    }
    if (!parts.usual.local.empty() && parts.usual.local == parts.reductions.front() && parts.whole_reductions == 1) {
        unroll_usual(stage, parts.usual, names, calls);
    }
}

void add_reduction(const Steps &steps, const StageName &stage, const NamedLoop &loop, int number, Names &names,
                   StageParts &parts, std::vector<Directive> &calls) {
    const int count = stage.stage == 1 ? steps.of(static_cast<size_t>(number)) : 1;
    if (count > 1) {
        const StepLoops cut = take_steps(stage, loop, count, names, parts.points, calls);
        parts.steps.push_back(cut.step);
        if (!cut.turn.empty()) {
            parts.reductions.push_back(cut.turn);
            parts.whole_reductions++;
        }
    } else {
        parts.reductions.push_back(loop.local);
        parts.whole_reductions++;
        parts.total = loop.part && parts.reductions.size() == 1;
        if (loop.usual_extent > 0) {
            parts.usual = loop;
        }
    }
    parts.reduction_points =
        saturating_multiply(parts.reduction_points, loop.extent ? loop.extent : kUnrolledReduction + 1);
}

int64_t storage_of(const Member &member, size_t dim) { return dim < member.storage.size() ? member.storage[dim] : 0; }

void bound(const Member &member, const NamedFunc &func, size_t dim, int64_t unit, std::vector<Directive> &calls) {
    const int64_t points = storage_of(member, dim);
    if (points > 0) {
        calls.push_back(on({func.local, 0, ""}, Op::BoundStorage, {func.args[dim].local}, {round_up(points, unit)}));
    }
}

void specialize_full(const StageName &stage, const NamedFunc &func, Names &names, std::vector<Directive> &calls) {
    const std::vector<SizeTest> tests = names.sizes_of_full(func);
    if (!tests.empty()) {
        specialize(stage, tests, "full", names, calls);
    }
}

}  // namespace warptile
