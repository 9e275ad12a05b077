// What Halide's bounds inference makes of an expression, in numbers: boxes that it requires of Funcs and images.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "Halide.h"
#include "dag/halide/estimates.h"
#include "dag/region.h"

namespace warptile {

/// The loops of a stage as Halide's bounds inference has them: symbols, so that it draws the same conclusions as when
/// it lowers (from numbers it would draw more), and the numbers that they stand for.
struct LoopBounds {
    Halide::Internal::Scope<Halide::Internal::Interval> scope;
    std::vector<std::pair<std::string, int64_t>> values;

    void add(const std::string &loop, const Interval &range);
    Halide::Expr in_numbers(Halide::Expr e) const;

    /// Nothing where the interval has no bounds, or some that are not known at the estimates.
    std::optional<Interval> numbers(const Halide::Internal::Interval &i, const Estimates &estimates) const;
};

/// A value as Halide's bounds inference takes it: a `select` counts as a branch, what is not taken need not be
/// computed; and the predicate, where there is one, holds. But not of what occurs twice, which is read before any test.
Halide::Expr inferred(const Halide::Expr &value, const Halide::Expr &predicate);

/// A value as the code has it, of which Halide asks what it reads of an input: all of it behind the predicate.
Halide::Expr within_where(const Halide::Expr &value, const Halide::Expr &predicate);

}  // namespace warptile
