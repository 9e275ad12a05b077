#include "verify/lowered/host_run.h"

#include <optional>

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

const std::string kBuffer = ".buffer";
const std::string kOutOfBounds = "halide_error_access_out_of_bounds";

/// What Halide calls an input in its messages is "Input buffer " and its name.
const std::string kInput = "Input buffer ";

bool is_number(const Expr &e) { return e.defined() && is_const(e) && !e.type().is_vector(); }

std::optional<int64_t> whole(const Expr &e) {
    if (const auto i = as_const_int(e)) {
        return *i;
    }
    const auto u = as_const_uint(e);
    return u ? std::optional<int64_t>(static_cast<int64_t>(*u)) : std::nullopt;
}

/// Puts numbers for what is known.
class Numbers : public IRMutator {
public:
    explicit Numbers(const PipelineCall &call) : call_(call) {}

    /// A number, or nothing.
    Expr number(const Expr &e) {
        const Expr value = simplify(mutate(e));
        return is_number(value) ? value : Expr();
    }

    void push(const std::string &name, const Expr &value) { lets_.push(name, value); }

    void pop(const std::string &name) { lets_.pop(name); }

private:
    using IRMutator::visit;

    Expr visit(const Variable *op) override {
        if (const Expr *value = lets_.find(op->name)) {
            return value->defined() ? *value : Expr(op);
        }
        const auto scalar = call_.scalars.find(op->name);
        return scalar != call_.scalars.end() ? make_const(op->type, scalar->second) : Expr(op);
    }

    Expr visit(const Let *op) override {
        const Expr value = number(op->value);
        const ScopedBinding<Expr> bind(lets_, op->name, value);
        return Let::make(op->name, value.defined() ? value : op->value, mutate(op->body));
    }

    Expr visit(const Call *op) override {
        if (op->name == Call::buffer_is_bounds_query) {
            return const_false();
        }
        const Region *buffer = op->args.empty() ? nullptr : region_of(op->args[0]);
        const std::optional<int64_t> d = buffer && op->args.size() == 2 ? whole(op->args[1]) : std::nullopt;
        if (!d || *d < 0 || static_cast<size_t>(*d) >= buffer->size()) {
            return IRMutator::visit(op);
        }
        const size_t dim = static_cast<size_t>(*d);
        if (op->name == Call::buffer_get_min) {
            return make_const(op->type, (*buffer)[dim].min);
        }
        if (op->name == Call::buffer_get_max) {
            return make_const(op->type, (*buffer)[dim].max);
        }
        if (op->name == Call::buffer_get_extent) {
            return make_const(op->type, (*buffer)[dim].extent());
        }
        return IRMutator::visit(op);
    }

    const Region *region_of(const Expr &e) const {
        const Variable *v = e.as<Variable>();
        if (!v || v->name.size() <= kBuffer.size() ||
            v->name.compare(v->name.size() - kBuffer.size(), kBuffer.size(), kBuffer) != 0) {
            return nullptr;
        }
        const auto it = call_.buffers.find(v->name.substr(0, v->name.size() - kBuffer.size()));
        return it != call_.buffers.end() ? &it->second : nullptr;
    }

    const PipelineCall &call_;
    Scope<Expr> lets_;
};

class Host : public IRVisitor {
public:
    explicit Host(const PipelineCall &call) : numbers_(call) {}

    HostRun run;

private:
    using IRVisitor::visit;

    /// A chain of lets is walked in a loop, since it can be longer than the stack is deep.
    void visit(const LetStmt *op) override {
        std::vector<std::string> names;
        Stmt body;
        for (; op; op = body.as<LetStmt>()) {
            numbers_.push(op->name, numbers_.number(op->value));
            names.push_back(op->name);
            body = op->body;
        }
        body.accept(this);
        for (auto name = names.rbegin(); name != names.rend(); ++name) {
            numbers_.pop(*name);
        }
    }

    /// Of a branch of which is not known whether it is taken, nothing is said.
    void visit(const IfThenElse *op) override {
        const Expr condition = numbers_.number(op->condition);
        if (condition.defined() && is_const_one(condition)) {
            op->then_case.accept(this);
        } else if (condition.defined() && op->else_case.defined()) {
            op->else_case.accept(this);
        }
    }

    void visit(const For *) override {}

    /// Its message may be a call inside lets.
    void visit(const AssertStmt *op) override {
        std::vector<std::string> names;
        Expr message = op->message;
        for (const Let *let = message.as<Let>(); let; let = message.as<Let>()) {
            numbers_.push(let->name, numbers_.number(let->value));
            names.push_back(let->name);
            message = let->body;
        }
        const Call *error = message.as<Call>();
        if (error && error->name == kOutOfBounds && error->args.size() == 6) {
            check_access(*error);
        } else if (const Expr holds = numbers_.number(op->condition); holds.defined() && is_const_zero(holds)) {
            run.failed.push_back("a check of it fails (" + (error ? error->name : "require") + ")");
        }
        for (auto name = names.rbegin(); name != names.rend(); ++name) {
            numbers_.pop(*name);
        }
    }

    /// Its arguments: whose, dimension, the first and the last that are accessed, the first and the last that are
    /// there.
    void check_access(const Call &error) {
        const StringImm *whose = error.args[0].as<StringImm>();
        int64_t n[5];
        for (size_t i = 0; i < 5; i++) {
            const Expr value = numbers_.number(error.args[i + 1]);
            const auto v = value.defined() ? whole(value) : std::nullopt;
            if (!v) {
                return;
            }
            n[i] = *v;
        }
        const Interval accessed = {n[1], n[2]}, there = {n[3], n[4]};
        const bool input = whose && whose->value.compare(0, kInput.size(), kInput) == 0;
        if (input) {
            Region &read = run.read[whose->value.substr(kInput.size())];
            read.resize(std::max(read.size(), static_cast<size_t>(n[0]) + 1));
            read[static_cast<size_t>(n[0])] = accessed;
        }
        if (accessed.min < there.min || accessed.max > there.max) {
            run.failed.push_back("it asks for " + to_string({accessed}) + " of dimension " + std::to_string(n[0]) +
                                 " of '" +
                                 (input   ? whose->value.substr(kInput.size())
                                  : whose ? whose->value
                                          : "") +
                                 "', of which there is " + to_string({there}));
        }
    }

    Numbers numbers_;
};

class Parameters : public IRVisitor {
public:
    std::map<std::string, Parameter> found;

private:
    using IRVisitor::visit;

    void add(const Parameter &p) {
        if (p.defined()) {
            found.emplace(p.name(), p);
        }
    }

    void visit(const Variable *op) override { add(op->param); }

    void visit(const Load *op) override {
        add(op->param);
        IRVisitor::visit(op);
    }
};

}  // namespace

HostRun run_host(const Stmt &lowered, const PipelineCall &call) {
    Host host(call);
    lowered.accept(&host);
    return host.run;
}

std::map<std::string, Parameter> parameters_in(const Stmt &lowered) {
    Parameters parameters;
    lowered.accept(&parameters);
    return parameters.found;
}

}  // namespace warptile
