// From an index expression to the ways in which it walks a dimension: rows of a rational access matrix where it is
// affine, the interval of its values where it is not.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "Halide.h"
#include "dag/function_dag.h"
#include "dag/halide/estimates.h"
#include "dag/halide/exprs.h"
#include "dag/halide/index_variables.h"

namespace warptile {

class AccessReader {
public:
    /// `loops` are a stage's; of their estimates only those of reductions of constant length are looked at. `values`
    /// bounds what Funcs hold; it and `estimates` must outlive the reader.
    AccessReader(const std::vector<Loop> &loops, const Halide::Internal::FuncValueBounds &values,
                 const Estimates &estimates);

    /// One access for each combination of the forms that the indices of one load may have (`select(c, x, w - x)` has
    /// two), at most eight, else `Unknown`. Where the producer is an input or only wraps one, a `select` one side of
    /// which is `likely` counts as that side: but for its edges, a mirrored image is read where it is not mirrored.
    std::vector<Access> read(const std::vector<Halide::Expr> &indices, bool is_input);

    /// Whether an index read since the last call depends on a loaded value, or could not be bounded.
    bool take_data_dependent();

private:
    using Forms = std::vector<AxisAccess>;
    Forms form(const Halide::Expr &e);
    Forms find_form(const Halide::Expr &e);
    std::optional<Interval> bounds(const Halide::Expr &e) const;
    Forms bounded(const Halide::Expr &e);
    Forms sum(const Halide::Expr &a, const Halide::Expr &b, int64_t sign, const Halide::Expr &whole);
    Forms product(const Halide::Expr &a, const Halide::Expr &b, const Halide::Expr &whole);
    Forms quotient(const Halide::Expr &a, const Halide::Expr &b, const Halide::Expr &whole);
    Forms extremum(const Halide::Expr &a, const Halide::Expr &b, bool is_min, const Halide::Expr &whole);
    Forms either(const Halide::Expr &a, const Halide::Expr &b, const Halide::Expr &whole);
    Forms call(const Halide::Internal::Call *op, const Halide::Expr &whole);

    void set_drift(const Halide::Expr &index, AxisAccess &form) const;

    IndexLoops loops_;
    const Halide::Internal::FuncValueBounds &values_;
    const Estimates &estimates_;
    Halide::Internal::Scope<Halide::Internal::Interval> anywhere_, in_reduction_;  // the loops' ranges
    // Of the parts of the indices that are being read: a part may stand in many places.
    std::map<Halide::Expr, Forms, Halide::ExprCompare> forms_;
    TreeSizes sizes_;
    bool is_input_ = false;
    bool data_dependent_ = false;
};

/// Adds an access to a list, merging it with one of the same matrix.
void merge(std::vector<Access> &into, const Access &access);

}  // namespace warptile
