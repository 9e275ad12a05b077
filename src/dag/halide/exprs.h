// Expressions as a table of distinct subexpressions, each once: what operation counts, lists of distinct loads and the
// fingerprint are read from. Halide's expressions are graphs whose trees can be exponentially larger; numbering values
// bottom-up visits each node once, and gives structurally equal subexpressions the same number.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "Halide.h"

namespace warptile {

class ExprTable {
public:
    struct Record {
        Halide::Expr expr;          ///< one of the equal subexpressions
        std::vector<int> children;  ///< numbers of the operands
        std::string key;            ///< kind, type, name and operands' numbers: equal keys are equal expressions
    };

    /// The name under which a variable, a call or a load is entered.
    using Naming = std::function<std::string(const Halide::Expr &)>;

    ExprTable() = default;

    explicit ExprTable(Naming naming) : naming_(std::move(naming)) {}

    /// The number of the expression; lets are substituted. Operands have smaller numbers.
    int add(const Halide::Expr &e);

    const std::vector<Record> &records() const { return records_; }

private:
    int number(const Halide::Expr &e);
    std::string name_of(const Halide::Expr &e) const;

    Naming naming_;
    std::vector<Record> records_;
    std::map<std::string, int> by_key_;
    std::unordered_map<const void *, int> by_node_;  // looked up only, never walked
    std::vector<Halide::Expr> roots_;                // keep the nodes alive, so that no address is used twice
};

/// The operands of any expression node, in order.
std::vector<Halide::Expr> operands(const Halide::Expr &e);

/// The call if `e` loads from a Func or an image, else null.
const Halide::Internal::Call *as_load(const Halide::Expr &e);

/// Each load in the expressions once, operands before what they are operands of.
std::vector<Halide::Expr> distinct_loads(const std::vector<Halide::Expr> &exprs);

/// Nodes of the expression as a tree, in which what occurs twice counts twice: what Halide's simplifier and its bounds
/// walk. A few dozen nodes, each the sum of the one before it with itself, are a tree that nobody can walk. Sizes of
/// what was asked before are in `known`.
using TreeSizes = std::map<Halide::Expr, double, Halide::ExprCompare>;
double tree_size(const Halide::Expr &e, TreeSizes &known);
double tree_size(const Halide::Expr &e);

/// The largest tree that is given to Halide to be simplified, bounded or proved something of.
constexpr double kLargestTree = 20000;

/// Without the `likely`s around it.
Halide::Expr strip_likely(const Halide::Expr &e);

}  // namespace warptile
