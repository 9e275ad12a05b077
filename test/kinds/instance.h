// A kind of test/kinds in this process, and runs of it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "Halide.h"

namespace warptile::kinds {

struct Size {
    int width = 0, height = 0;
};

/// What inputs are filled with.
enum class Fill {
    WholeNumbers,         ///< small, of both signs where the type has one: sums are exact in any order
    WholeNumbersAndNaNs,  ///< the same, some of the floats no numbers
    Fractions,            ///< floats in (0, 1), of which each addition loses some: a sum depends on its order
};

/// One instance of a generator, not scheduled: a Func cannot be unscheduled, so each schedule wants its own.
class Instance {
public:
    /// With estimates, and where its algorithm has constant sizes these, of `size`; {0, 0}: the generator's own.
    Instance(const std::string &name, Size size);

    const std::vector<Halide::Func> &outputs() const { return outputs_; }

    /// Values of all inputs, in their order.
    const std::vector<Halide::Parameter> &inputs() const { return inputs_; }

    /// Binds inputs as large as the estimates of `other`, an instance of the same generator, say. Without a fill they
    /// have no values.
    void bind(const Instance &other);
    void bind(const Instance &other, Fill fill);

    /// One buffer an output, or an element of one that is a tuple, as large as the estimates.
    std::vector<Halide::Buffer<>> output_buffers() const;

private:
    std::shared_ptr<Halide::Internal::AbstractGenerator> generator_;
    std::vector<Halide::Func> outputs_;
    std::vector<Halide::Parameter> inputs_;
};

/// The first value that differs, in words, or nothing. Integers must be equal; floats may differ by `rounded` roundings
/// of the value.
std::string difference(const Halide::Buffer<> &expected, const Halide::Buffer<> &found, double rounded);

}  // namespace warptile::kinds
