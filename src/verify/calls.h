// Calls of the pipeline that a plan must stand: sizes of its outputs, and inputs no larger than what the plain plan
// reads for them. A caller's buffer need not have more, so that a plan which asks for more at one of them is wrong
// there.
#pragma once

#include "verify/lowered/host_run.h"

#include <functional>
#include <string>
#include <vector>

#include "Halide.h"

namespace warptile {

/// To be called in a child, before the Funcs have a schedule: `schedule` gives them the plain one. What has no estimate
/// is taken to be as large as the outputs, and cut to what is read. Sizes at which the plain plan fails a check itself,
/// as where an extent is promised, are no calls. Throws Halide::Error where the plain plan does not lower.
std::vector<PipelineCall> calls_to_stand(const std::vector<Halide::Func> &outputs, const Halide::Target &target,
                                         const std::function<void()> &schedule);

/// "an output of [0..15, 0..15]", for a message.
std::string outputs_of(const PipelineCall &call, const std::vector<Halide::Func> &outputs);

/// To JSON and back, to cross the pipe.
std::string to_json_text(const std::vector<PipelineCall> &calls);
std::vector<PipelineCall> calls_from_json_text(const std::string &text);

}  // namespace warptile
