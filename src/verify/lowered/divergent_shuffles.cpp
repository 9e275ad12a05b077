#include "verify/lowered/divergent_shuffles.h"

#include <map>
#include <set>
#include <string>

namespace warptile {

using namespace Halide::Internal;

namespace {

bool is_shuffle(const Call *op) { return op->name.rfind("llvm.nvvm.shfl", 0) == 0; }

// Whether an expression may differ between the lanes of a warp.
class Varies : public IRVisitor {
public:
    Varies(const std::map<std::string, int> &varying, const std::set<std::string> &private_memory)
        : varying_(varying), private_memory_(private_memory) {}

    bool operator()(const Halide::Expr &e) {
        found_ = false;
        e.accept(this);
        return found_;
    }

private:
    using IRVisitor::visit;

    const std::map<std::string, int> &varying_;
    const std::set<std::string> &private_memory_;
    bool found_ = false;

    void visit(const Variable *op) override {
        const auto it = varying_.find(op->name);
        found_ |= it != varying_.end() && it->second > 0;
    }

    void visit(const Load *op) override {
        found_ |= private_memory_.count(op->name) > 0;
        IRVisitor::visit(op);
    }

    void visit(const Call *op) override {
        found_ |= is_shuffle(op);
        IRVisitor::visit(op);
    }
};

class FindDivergent : public IRVisitor {
public:
    std::vector<bool> kernels;

private:
    using IRVisitor::visit;

    bool in_kernel_ = false;
    int divergence_ = 0;                    // tests and loops around this place that lanes decide differently
    std::map<std::string, int> varying_;    // names whose value lanes do not share, by how many definitions
    std::set<std::string> private_memory_;  // of a thread
    Varies varies_{varying_, private_memory_};

    void visit(const For *op) override {
        if (!in_kernel_) {
            if (op->for_type != ForType::GPUBlock) {
                IRVisitor::visit(op);
                return;
            }
            in_kernel_ = true;
            kernels.push_back(false);
            op->body.accept(this);
            in_kernel_ = false;
            return;
        }
        const bool lanes = op->for_type == ForType::GPULane;
        const bool serial = op->for_type == ForType::Serial;
        const bool uneven = serial && (varies_(op->min) || varies_(op->extent));
        op->min.accept(this);
        op->extent.accept(this);
        varying_[op->name] += lanes || uneven;
        divergence_ += uneven;
        op->body.accept(this);
        divergence_ -= uneven;
        varying_[op->name] -= lanes || uneven;
    }

    void visit(const IfThenElse *op) override {
        op->condition.accept(this);
        const bool divides = in_kernel_ && varies_(op->condition);
        divergence_ += divides;
        op->then_case.accept(this);
        if (op->else_case.defined()) {
            op->else_case.accept(this);
        }
        divergence_ -= divides;
    }

    template<typename LetOrLetStmt>
    void visit_let(const LetOrLetStmt *op) {
        op->value.accept(this);
        const bool varies = in_kernel_ && varies_(op->value);
        varying_[op->name] += varies;
        op->body.accept(this);
        varying_[op->name] -= varies;
    }

    void visit(const Let *op) override { visit_let(op); }

    void visit(const LetStmt *op) override { visit_let(op); }

    void visit(const Allocate *op) override {
        if (in_kernel_ && op->memory_type != Halide::MemoryType::GPUShared) {
            private_memory_.insert(op->name);
        }
        IRVisitor::visit(op);
    }

    void visit(const Call *op) override {
        if (in_kernel_ && is_shuffle(op) && divergence_ > 0) {
            kernels.back() = true;
        }
        IRVisitor::visit(op);
    }
};

}  // namespace

std::vector<bool> divergent_shuffles(const Stmt &lowered) {
    FindDivergent finder;
    lowered.accept(&finder);
    return finder.kernels;
}

}  // namespace warptile
