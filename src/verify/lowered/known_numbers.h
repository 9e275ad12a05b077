// What is known of the integers of a lowered statement at one place of it: the values of its lets and the constant
// bounds of its variables.
#pragma once

#include "verify/trial.h"

#include <Halide.h>

#include <map>

namespace warptile {

// `e` as Halide prints it, but for the parentheses around the whole.
std::string expression_text(const Halide::Expr &e);

class KnownNumbers {
public:
    // A variable enters and leaves scope. Inner ones hide outer ones of the same name.
    void push_let(const std::string &name, const Halide::Expr &value);
    void push_loop(const std::string &name, const Halide::Expr &min, const Halide::Expr &extent);
    void pop(const std::string &name);

    // A branch that is taken where `condition` holds, or does not, is entered: what a comparison of a variable with a
    // constant says is known until the names that it returns are forgotten.
    std::vector<std::string> assume(const Halide::Expr &condition, bool holds);
    void forget(const std::vector<std::string> &assumed);

    // What `e` is here.
    TrialNumber number(const Halide::Expr &e) const;

    // A bound of `e` where it is a product of extents: factors are taken to be at least 0, which their intervals often
    // do not say, and without which no product has a bound.
    std::optional<int64_t> size_at_most(const Halide::Expr &e) const;

    // `e`, or what it stands for where it is a variable bound by a let.
    Halide::Expr resolved(Halide::Expr e) const;

    // Says that the variable `name`, once it is bound, is at most `bound` (a size that the host computes in a loop).
    void promise_at_most(const std::string &name, int64_t bound) { promises[name] = bound; }

private:
    // What the let that binds `name` says; undefined where there is none.
    Halide::Expr value_of(const std::string &name) const;
    void assume_comparison(const Halide::Expr &smaller, const Halide::Expr &larger, bool equal,
                           std::vector<std::string> &assumed);
    void narrow(const std::string &name, const Halide::Internal::Interval &to, std::vector<std::string> &assumed);

    Halide::Internal::Scope<Halide::Internal::Interval> bounds;
    std::map<std::string, std::vector<Halide::Expr>> values;  // innermost last; undefined for a loop
    std::map<std::string, int64_t> promises;
};

// Products and sums, exact where both are, bounded where both are. Both factors are taken to be at least 0.
TrialNumber product(const TrialNumber &a, const TrialNumber &b);
TrialNumber sum(const TrialNumber &a, const TrialNumber &b);
TrialNumber constant(int64_t value);

}  // namespace warptile
