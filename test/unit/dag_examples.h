#pragma once

// Small pipelines of every kind that the dag must read, each with its estimates, for the tests that compare regions
// with those that Halide computes when it runs them.

#include <functional>
#include <string>
#include <vector>

#include "Halide.h"

namespace warptile::test {

struct Example {
    std::vector<Halide::Func> outputs;
    std::vector<Halide::ImageParam> inputs;
    bool input_sizes_matter = false;  ///< a boundary condition asks the input for its size
    bool exact_at_root = true;        ///< root regions are Halide's own; false where they may only contain them
    bool exact_in_tiles = true;       ///< the same of the footprints of tiles
    bool tiled = true;                ///< one output of two dimensions, under which everything can be computed in tiles
};

struct NamedExample {
    std::string name;
    std::function<Example()> make;
};

const std::vector<NamedExample> &examples();

}  // namespace warptile::test
