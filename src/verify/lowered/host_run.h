// The host code of a lowered pipeline, run on numbers. Before it launches anything, Halide's host code works out how
// much it will read of each input, and checks that the caller's buffers have that much. With numbers for the sizes of
// all buffers these checks come out true or false, without anything being compiled or any memory being there. What
// Halide asks for is known nowhere else: its bounds inference may lose how two ends of a region move together, and then
// ask for more than is read.
#pragma once

#include "dag/region.h"

#include <map>
#include <string>
#include <vector>

#include "Halide.h"

namespace warptile {

/// What a caller gives. Both by Halide's name of the argument.
struct PipelineCall {
    std::map<std::string, Region> buffers;  ///< outputs and inputs: where they begin and end
    std::map<std::string, double> scalars;
};

struct HostRun {
    std::map<std::string, Region> read;  ///< of each input that has checks: what they say is read
    /// The checks that fail, in the order of the code, in words. Those that need to know more than the call says, such
    /// as where a buffer lies in memory, are taken to hold.
    std::vector<std::string> failed;
};

/// `lowered`: the last statement before device code is split off. Loops are not entered: what Halide checks of buffers
/// comes before them.
HostRun run_host(const Halide::Internal::Stmt &lowered, const PipelineCall &call);

/// The scalar and buffer parameters that the statement uses, by name.
std::map<std::string, Halide::Parameter> parameters_in(const Halide::Internal::Stmt &lowered);

}  // namespace warptile
