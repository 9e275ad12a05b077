// The regions that Halide would compute with every Func at root, for the outputs' estimates or other sizes: Halide's
// own bounds of each definition, with numbers for the loops.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "dag/function_dag.h"
#include "dag/halide/order.h"
#include "dag/halide/stages.h"

namespace warptile {

/// What the reader has found out about the pipeline when the regions are asked for.
struct RegionSources {
    const PipelineOrder &order;
    const Estimates &estimates;
    const Halide::Internal::FuncValueBounds &values;
    /// By node; empty for inputs and extern stages. Loops of reductions have their ranges already.
    const std::vector<std::vector<StageSource>> &stages;
    const std::vector<Halide::Internal::Function> &functions;  ///< by node; undefined for inputs
    const std::vector<Region> &known_inputs;  ///< by node: what estimates say, an empty interval where they do not
    const std::map<std::string, int> &ids;
};

/// What is computed of each output, by its node.
using OutputRegions = std::map<int, Region>;

/// The outputs' estimates.
OutputRegions estimated_outputs(const FunctionDag &dag, const RegionSources &sources);

/// Sets the estimate of every node and of every stage's loops to what these outputs need. Throws `Error` where a region
/// cannot be known: it names the parameter or the input that has no estimate, or the Func that is read without bound.
void set_root_regions(FunctionDag &dag, const RegionSources &sources, const OutputRegions &outputs);

}  // namespace warptile
