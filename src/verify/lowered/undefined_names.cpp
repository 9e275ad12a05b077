#include "verify/lowered/undefined_names.h"

#include <algorithm>
#include <map>

namespace warptile {

using namespace Halide::Internal;

namespace {

class FindUndefined : public IRVisitor {
public:
    explicit FindUndefined(const std::vector<Halide::Argument> &arguments) {
        for (const Halide::Argument &argument : arguments) {
            scope_[argument.name]++;
        }
    }

    std::vector<LostName> found;

private:
    using IRVisitor::visit;

    std::map<std::string, int> scope_;  // how many definitions of a name are around this place
    std::string stage_;                 // the Func whose loops this place is in

    template<typename Body>
    void inside(const std::string &name, const Body &body) {
        scope_[name]++;
        body.accept(this);
        scope_[name]--;
    }

    void visit(const Let *op) override {
        op->value.accept(this);
        inside(op->name, op->body);
    }

    void visit(const LetStmt *op) override {
        op->value.accept(this);
        inside(op->name, op->body);
    }

    void visit(const For *op) override {
        op->min.accept(this);
        const std::string outer = stage_;
        if (const size_t end = op->name.find(".s"); stage_.empty() && end != std::string::npos) {
            stage_ = op->name.substr(0, end);
        }
        op->extent.accept(this);
        inside(op->name, op->body);
        stage_ = outer;
    }

    void visit(const Allocate *op) override {
        for (const Halide::Expr &extent : op->extents) {
            extent.accept(this);
        }
        op->condition.accept(this);
        if (op->new_expr.defined()) {
            op->new_expr.accept(this);
        }
        inside(op->name, op->body);
    }

    void visit(const Load *op) override {
        use(op->name, op->param.defined() || op->image.defined());
        IRVisitor::visit(op);
    }

    void visit(const Store *op) override {
        use(op->name, op->param.defined());
        IRVisitor::visit(op);
    }

    void visit(const Variable *op) override {
        use(op->name, op->param.defined() || op->image.defined() || op->type.is_handle());
    }

    void use(const std::string &name, bool argument) {
        const bool known = std::any_of(found.begin(), found.end(), [&](const LostName &l) { return l.name == name; });
        if (!argument && !known && scope_[name] == 0) {
            found.push_back({name, stage_});
        }
    }
};

}  // namespace

std::vector<LostName> undefined_names(const Stmt &lowered, const std::vector<Halide::Argument> &arguments) {
    FindUndefined finder(arguments);
    lowered.accept(&finder);
    return finder.found;
}

}  // namespace warptile
