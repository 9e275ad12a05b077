#include "schedule/rules/check_steps.h"

#include <algorithm>

namespace warptile {
namespace {

bool whole(const Steps &steps, const PlanStage &update, int loop) {
    return update.reductions[static_cast<size_t>(loop)] == steps.of(static_cast<size_t>(loop));
}

/// A loop of which a part is left around the box. Its last part may be shorter, which Halide has to test.
bool is_cut(const Steps &steps, const PlanStage &update, int loop) {
    return steps.of(static_cast<size_t>(loop)) > 1 && !whole(steps, update, loop);
}

std::string text(const Steps &steps) {
    std::string text;
    for (const int count : steps.counts) {
        text += (text.empty() ? "" : " x ") + std::to_string(count);
    }
    return text;
}

/// Steps change places where a box reaches along a loop and leaves some of one further inside to the next box.
bool keeps_order(const Stepper &stepper, const Steps &steps, const PlanStage &update) {
    bool more_inside = false;
    for (int loop = 0; loop < stepper.loops; loop++) {
        if (steps.of(static_cast<size_t>(loop)) > 1 && more_inside) {
            return false;
        }
        more_inside = more_inside || (!stepper.dealt(loop) && !whole(steps, update, loop));
    }
    return true;
}

}  // namespace

std::string check_steps(const Stepper &stepper, const Steps &steps, const PlanStage &update) {
    if (std::all_of(steps.counts.begin(), steps.counts.end(), [](int count) { return count == 1; })) {
        return "";
    }
    const std::string what = stepper.what + " takes " + text(steps) + " steps together";
    if (static_cast<int>(steps.counts.size()) > stepper.loops || steps.together() > kMostSteps ||
        std::any_of(steps.counts.begin(), steps.counts.end(), [](int n) { return n < 1 || n > kMostSteps; })) {
        return what + "; take 1 to " + std::to_string(kMostSteps) + " of the " + std::to_string(stepper.loops) +
               " reduction loops that it has";
    }
    bool cut = false;
    for (int loop = 0; loop < stepper.loops; loop++) {
        if (steps.of(static_cast<size_t>(loop)) > 1 && stepper.dealt(loop)) {
            return what + ", of loop " + std::to_string(loop) + " too, which an axis names; leave one of them out";
        }
        cut = cut || is_cut(steps, update, loop);
    }
    if (cut && update.where_bounds) {
        return what + ", whose `where` keeps it from reading beyond an input's end, but not several at once; take " +
               "them one after the other";
    }
    if (!keeps_order(stepper, steps, update) && !update.any_order()) {
        return what +
               ", but is not known to be associative and commutative; take those of its innermost loop alone, or " +
               "of the loops around it where that one is taken whole";
    }
    if (cut && stepper.reads_here()) {
        return what + " of an update that reads what the same kernel computes, of which Halide would no longer see " +
               "how much it needs; take them one after the other";
    }
    return "";
}

}  // namespace warptile
