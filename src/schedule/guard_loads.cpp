#include "schedule/guard_loads.h"

#include <vector>

namespace warptile {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

class Loads : public IRVisitor {
public:
    bool found = false;

private:
    using IRVisitor::visit;

    void visit(const Load *) override { found = true; }
};

class GuardLoads : public IRMutator {
    using IRMutator::visit;

    Stmt visit(const For *op) override {
        const bool outside = !in_kernel_;
        in_kernel_ = in_kernel_ || op->for_type == ForType::GPUBlock;
        const Stmt stmt = IRMutator::visit(op);
        in_kernel_ = !outside;
        return stmt;
    }

    Stmt visit(const IfThenElse *op) override {
        std::vector<Expr> first, last;
        take_apart(substitute_in_all_lets(op->condition), first, last);
        if (!in_kernel_ || op->else_case.defined() || first.empty() || last.empty()) {
            return IRMutator::visit(op);
        }
        Stmt stmt = mutate(op->then_case);
        for (auto test = last.rbegin(); test != last.rend(); ++test) {
            stmt = IfThenElse::make(*test, stmt);
        }
        for (auto test = first.rbegin(); test != first.rend(); ++test) {
            stmt = IfThenElse::make(*test, stmt);
        }
        return stmt;
    }

    /// The sides of all `&&`: those without a load, and those with one.
    void take_apart(const Expr &condition, std::vector<Expr> &first, std::vector<Expr> &last) {
        if (const And *both = condition.as<And>()) {
            take_apart(both->a, first, last);
            take_apart(both->b, first, last);
            return;
        }
        Loads loads;
        condition.accept(&loads);
        (loads.found ? last : first).push_back(condition);
    }

    bool in_kernel_ = false;
};

}  // namespace

Stmt guard_loads(const Stmt &lowered) { return GuardLoads().mutate(lowered); }

const char *const kGuardLoads =
    R"(// A test that loads is put inside those that do not, with which Halide has joined it by `&&`: of that both sides are
// evaluated on a device, and it may load from beyond an input's end.
struct GuardLoads : public ::Halide::Internal::IRMutator {
    using And = ::Halide::Internal::And;
    using Expr = ::Halide::Expr;
    using IfThenElse = ::Halide::Internal::IfThenElse;
    using Stmt = ::Halide::Internal::Stmt;
    struct Loads : public ::Halide::Internal::IRVisitor {
        bool found = false;
        using IRVisitor::visit;
        void visit(const ::Halide::Internal::Load *) override { found = true; }
    };
    using IRMutator::visit;
    Stmt visit(const ::Halide::Internal::For *op) override {
        const bool outside = !in_kernel;
        in_kernel = in_kernel || op->for_type == ::Halide::Internal::ForType::GPUBlock;
        const Stmt stmt = IRMutator::visit(op);
        in_kernel = !outside;
        return stmt;
    }
    Stmt visit(const IfThenElse *op) override {
        std::vector<Expr> first, last;
        take_apart(::Halide::Internal::substitute_in_all_lets(op->condition), first, last);
        if (!in_kernel || op->else_case.defined() || first.empty() || last.empty()) {
            return IRMutator::visit(op);
        }
        Stmt stmt = mutate(op->then_case);
        for (auto test = last.rbegin(); test != last.rend(); ++test) {
            stmt = IfThenElse::make(*test, stmt);
        }
        for (auto test = first.rbegin(); test != first.rend(); ++test) {
            stmt = IfThenElse::make(*test, stmt);
        }
        return stmt;
    }
    void take_apart(const Expr &condition, std::vector<Expr> &first, std::vector<Expr> &last) {
        if (const And *both = condition.as<And>()) {
            take_apart(both->a, first, last);
            take_apart(both->b, first, last);
            return;
        }
        Loads loads;
        condition.accept(&loads);
        (loads.found ? last : first).push_back(condition);
    }
    bool in_kernel = false;
};
)";

}  // namespace warptile
