// The numbers that a pipeline's estimates put in the place of its parameters: output sizes, input sizes, scalar
// parameters. An estimate that is missing is no error until something cannot be known without it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "Halide.h"
#include "dag/halide_order.h"
#include "dag/region.h"

namespace warptile {

class Estimates {
public:
    Estimates(const PipelineOrder &order, const Halide::Target &target);

    /// With scalar parameters, sizes of buffers and questions about the target replaced by what is known of them.
    Halide::Expr substitute(const Halide::Expr &e) const;
    /// The value of an expression without loops; nothing if it needs an estimate that is missing.
    std::optional<int64_t> constant(const Halide::Expr &e) const;

    /// The region of an output. Throws `Error` where a dimension has no estimate.
    Region output(const Halide::Internal::Function &f) const;
    /// The interval of one dimension of an input, where an estimate, a constraint or a bound buffer gives it.
    std::optional<Interval> input(const Halide::Parameter &param, int dim) const;

    /// "Param 'radius' has no estimate: call …" for the first parameter in `e` that has none; empty if all have.
    std::string missing(const Halide::Expr &e) const;

private:
    std::map<std::string, Region> output_buffers_;  // by the name of the output's buffer parameter
    Halide::Target target_;
};

}  // namespace warptile
