// What the stages of a pipeline read at sizes that a caller may ask for, with every Func at root. Halide's boxes are
// made once, in terms of a stage's loops, and put into numbers for each size.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "dag/bounds/root_regions.h"
#include "dag/halide/boxes.h"

namespace warptile {

/// By node, stage and loop: where it goes.
using LoopRanges = std::vector<std::vector<Region>>;

/// The estimates, a little less, and a point of everything, of one dimension, of one output alone, or of all others:
/// what outputs read of a Func at the estimates may hide what they do not read where one of them is smaller, and what
/// an RDom reads has one size always. The regions of the nodes are known.
std::vector<LoopRanges> sizes_to_try(const FunctionDag &dag, const RegionSources &sources);

LoopBounds loop_bounds(const Stage &stage, const Region &ranges);

/// Boxes in terms of a stage's loops, by the node that they are required of.
using Boxes = std::vector<std::pair<int, Halide::Internal::Box>>;

/// What stage `s` of the node reads, where `source` is its definition: of Funcs what Halide would store of them, of
/// inputs what the code reads (`halide/boxes.h`).
Boxes required_boxes(const RegionSources &sources, const Node &node, size_t s, const StageSource &source);

/// The same, of Funcs too what the code reads.
Boxes boxes_within_where(const RegionSources &sources, const Node &node, size_t s, const StageSource &source);

/// By node and dimension: what is required; nothing where it has no bounds. Nodes that are not read are not there.
using Required = std::map<int, std::vector<std::optional<Interval>>>;

void add_required(const RegionSources &sources, const Boxes &boxes, const LoopBounds &loops, Required &required);

/// Whether `more` has what stands before the node be computed, or an input be read, further than `less` does, such that
/// an input is read further.
bool reaches_further(const FunctionDag &dag, const Node &node, const Required &more, const Required &less);

}  // namespace warptile
