// What `autoscheduler.report=FILE` writes: the pipeline's counters and, of a plan, what each kernel is expected to move
// and to take. docs/bench.md describes the file.
#pragma once

#include "machine/machine.h"
#include "schedule/notice.h"
#include "schedule/plan.h"

#include <string>
#include <vector>

#include "Halide.h"

namespace warptile {

/// A plan and what is known of how it was found.
struct PlanReport {
    const Plan &plan;
    const Machine &machine;
    int max_registers;
    int fallbacks;  ///< parts of the pipeline that became plain
    const std::vector<Notice> &notices;
};

/// Writes the report of `outputs`. Reads the pipeline in a child process, so that names that Halide makes up later are
/// as without a report.
/// Throws Error where the pipeline cannot be read or the file cannot be written.
void write_report(const std::string &path, const std::vector<Halide::Func> &outputs, const Halide::Target &target);

/// Adds the kernels of a plan.
void write_report(const std::string &path, const std::vector<Halide::Func> &outputs, const Halide::Target &target,
                  const PlanReport &planned);

}  // namespace warptile
