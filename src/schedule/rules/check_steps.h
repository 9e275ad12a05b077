// The rule of the steps that a thread takes together, of a kernel's update and of a member's alike.
#pragma once

#include <functional>
#include <string>

#include "schedule/plan.h"
#include "schedule/plan_graph.h"

namespace warptile {

/// Steps of a reduction that are taken together; more loads wait for each other all the same.
constexpr int kMostSteps = 32;

/// Who takes the steps, and what is known there of the loops.
struct Stepper {
    std::string what;                  ///< for messages: "'sum', update 0,"
    int loops = 0;                     ///< reduction loops that a thread may have
    std::function<bool(int)> dealt;    ///< whether threads or blocks share the steps of a loop
    std::function<bool()> reads_here;  ///< whether the update reads what the same kernel computes
};

/// Empty, or one message.
std::string check_steps(const Stepper &stepper, const Steps &steps, const PlanStage &update);

}  // namespace warptile
