// The numbers that a pipeline's estimates put in the place of its parameters: output sizes, input sizes, scalar
// parameters. An estimate that is missing is no error until something cannot be known without it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "Halide.h"
#include "dag/halide/order.h"
#include "dag/region.h"

namespace warptile {

/// Constraints and estimates may name sizes and parameters in their turn, themselves among them: `dim.set_bounds(0,
/// dim.extent())`. What is being found out does not count as known then, and the next source is asked.
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

    /// One end of it.
    enum class End { Min, Extent };
    std::optional<int64_t> input_end(const Halide::Parameter &param, int dim, End end) const;
    /// The value of a scalar parameter, as an expression without parameters that are known; undefined where nothing
    /// is known of it.
    Halide::Expr scalar(const Halide::Parameter &param) const;

private:
    // What has been found out. An entry stands there, empty, from the moment on at which it is asked for.
    struct Found {
        std::map<std::string, std::optional<int64_t>> ends;
        std::map<std::string, Halide::Expr> scalars;
    };

    std::optional<int64_t> find_end(const Halide::Parameter &param, int dim, End end) const;

    std::map<std::string, Region> output_buffers_;  // by the name of the output's buffer parameter
    Halide::Target target_;
    mutable Found found_;
};

}  // namespace warptile
