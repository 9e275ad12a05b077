#include "verify/lowered/lowered_ir.h"

#include "verify/lowered/known_numbers.h"
#include "verify/lowered/lowered_names.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

using Place = TrialAllocation::Place;

template<typename T>
std::string text_of(const T &value) {
    std::ostringstream s;
    s << value;
    return s.str();
}

// The first call of `name` inside an expression.
class FindCall : public IRVisitor {
public:
    FindCall(const Expr &e, std::string name) : name(std::move(name)) {
        if (e.defined())
            e.accept(this);
    }

    const Call *found = nullptr;

private:
    using IRVisitor::visit;

    void visit(const Call *op) override {
        if (!found && op->name == name)
            found = op;
        IRVisitor::visit(op);
    }

    const std::string name;
};

bool ends_with(const std::string &s, const std::string &end) {
    return s.size() >= end.size() && s.compare(s.size() - end.size(), end.size(), end) == 0;
}

const std::string buffer_suffix = ".buffer", size_suffix = ".shared_size";

class Reader : public IRVisitor {
public:
    explicit Reader(Trial &trial) : trial(trial) {}

private:
    using IRVisitor::visit;

    // ---- Loops ----

    void visit(const For *op) override {
        if (op->for_type == ForType::GPUBlock && !kernel) {
            read_kernel(op);
            return;
        }
        if (kernel) {
            read_gpu_loop(op);
            visit_loop(op);
            return;
        }
        const size_t loop = trial.host_loops.size(), kernels = trial.kernels.size();
        trial.host_loops.push_back(
            {op->name, stage_of(op->name).func, text_of(op->for_type), numbers.number(op->extent), false});
        visit_loop(op);
        trial.host_loops[loop].launches_kernels = trial.kernels.size() > kernels;
    }

    void visit_loop(const For *op) {
        numbers.push_loop(op->name, op->min, op->extent);
        op->body.accept(this);
        numbers.pop(op->name);
    }

    // Extents are taken where the lets that they are made of are in scope.
    void read_gpu_loop(const For *op) {
        if (op->for_type == ForType::GPUBlock)
            blocks.push_back(numbers.number(op->extent));
        if (op->for_type == ForType::GPUThread || op->for_type == ForType::GPULane) {
            threads.push_back(numbers.number(op->extent));
            kernel->lanes |= op->for_type == ForType::GPULane;
        }
    }

    void read_kernel(const For *op) {
        const LoweredStage stage = stage_of(op->name);
        TrialKernel k;
        k.loop = op->name;
        k.func = stage.func;
        k.stage = stage.stage;
        k.condition = condition_text();
        k.funcs = {stage.func};
        kernel = &k;
        blocks.clear();
        threads.clear();
        read_gpu_loop(op);
        visit_loop(op);
        for (size_t d = 0; d < 3; d++) {  // the innermost loop is x
            k.blocks[d] = d < blocks.size() ? blocks[blocks.size() - 1 - d] : constant(1);
            k.threads[d] = d < threads.size() ? threads[threads.size() - 1 - d] : constant(1);
        }
        // Global memory that was allocated around the launch, for this kernel's own use.
        k.allocations.insert(k.allocations.end(), scratch.begin(), scratch.end());
        k.shared_bytes = constant(0);
        for (TrialAllocation &a : k.allocations) {
            a.funcs = funcs_in(a.name, k.funcs);
            if (a.place == Place::shared)
                k.shared_bytes = sum(k.shared_bytes, a.bytes);
        }
        kernel = nullptr;
        trial.kernels.push_back(k);
    }

    // ---- Conditions ----

    void visit(const IfThenElse *op) override {
        if (kernel) {
            op->then_case.accept(this);
            if (op->else_case.defined())
                op->else_case.accept(this);
            return;
        }
        const Expr condition = numbers.resolved(op->condition);
        conditions.push_back(expression_text(condition));
        visit_branch(op->then_case, condition, true);
        conditions.back() = "!(" + conditions.back() + ")";
        if (op->else_case.defined())
            visit_branch(op->else_case, condition, false);
        conditions.pop_back();
    }

    // Halide has simplified it by what the condition says of sizes.
    void visit_branch(const Stmt &branch, const Expr &condition, bool holds) {
        const std::vector<std::string> assumed = numbers.assume(condition, holds);
        branch.accept(this);
        numbers.forget(assumed);
    }

    // The condition that every pipeline has around it, that no buffer is a bounds query, says nothing.
    std::string condition_text() const {
        std::string all;
        for (const std::string &c : conditions) {
            if (c.find("_halide_buffer_is_bounds_query") != std::string::npos)
                continue;
            all += (all.empty() ? "" : " && ") + c;
        }
        return all;
    }

    // ---- Lets and calls ----

    // A chain of lets is walked in a loop, since it can be longer than the stack is deep.
    void visit(const LetStmt *op) override {
        std::vector<std::string> names;
        Stmt body;
        for (; op; op = body.as<LetStmt>()) {
            read_calls(op->value);
            numbers.push_let(op->name, op->value);
            names.push_back(op->name);
            body = op->body;
        }
        body.accept(this);
        for (auto name = names.rbegin(); name != names.rend(); ++name)
            numbers.pop(*name);
    }

    void visit(const Evaluate *op) override { read_calls(op->value); }

    // A realization at root is on the device if the host code makes it there or copies it there.
    void read_calls(const Expr &e) {
        if (kernel)
            return;
        for (const char *name : {"halide_device_malloc", "halide_device_and_host_malloc", "halide_copy_to_device"}) {
            const FindCall call(e, name);
            if (!call.found || call.found->args.empty())
                continue;
            const Variable *buffer = call.found->args[0].as<Variable>();
            if (buffer && ends_with(buffer->name, buffer_suffix)) {
                on_device.insert(buffer->name.substr(0, buffer->name.size() - buffer_suffix.size()));
            }
        }
    }

    // The size of shared memory that varies from block to block is found by the host in a loop of such stores.
    void visit(const Store *op) override {
        if (kernel) {
            kernel->stores_func |= op->name == kernel->func || op->name.rfind(kernel->func + ".", 0) == 0;
            return;
        }
        if (!ends_with(op->name, size_suffix))
            return;
        const Max *max = op->value.as<Max>();
        if (!max)
            return;
        std::optional<int64_t> most;
        for (const Expr &side : {max->a, max->b}) {
            if (!side.as<Load>())
                most = numbers.size_at_most(side);
        }
        if (most)
            numbers.promise_at_most(op->name + "_var", *most);
    }

    // ---- Storage ----

    void visit(const Allocate *op) override {
        if (kernel) {
            add_kernel_allocation(op);
            op->body.accept(this);
        } else if (ends_with(op->name, buffer_suffix)) {
            scratch.push_back(scratch_of(op));
            op->body.accept(this);
            scratch.pop_back();
        } else if (ends_with(op->name, size_suffix)) {
            op->body.accept(this);
        } else {
            add_host_allocation(op);
        }
    }

    TrialNumber bytes_of(const Allocate *op) const {
        TrialNumber bytes = constant(op->type.bytes());
        for (const Expr &e : op->extents)
            bytes = product(bytes, numbers.number(e));
        return bytes;
    }

    void add_kernel_allocation(const Allocate *op) {
        const Place place = op->memory_type == MemoryType::GPUShared ? Place::shared : Place::thread;
        kernel->allocations.push_back({op->name, {}, text_of(op->type), place, bytes_of(op)});
    }

    // Halide makes a buffer for it whose innermost dimension is the slice of one block.
    TrialAllocation scratch_of(const Allocate *op) const {
        TrialAllocation a;
        a.name = op->name.substr(0, op->name.size() - buffer_suffix.size());
        a.type = text_of(op->type);
        a.place = Place::scratch;
        const FindCall shape(op->new_expr, Call::get_intrinsic_name(Call::make_struct));
        if (shape.found && shape.found->args.size() > 1) {
            a.bytes = product(constant(op->type.bytes()), numbers.number(shape.found->args[1]));
        }
        return a;
    }

    void add_host_allocation(const Allocate *op) {
        const size_t index = trial.allocations.size();
        trial.allocations.push_back({op->name, funcs_in(op->name, {}), text_of(op->type), Place::host, bytes_of(op)});
        op->body.accept(this);
        if (on_device.count(op->name)) {
            const bool no_host = is_const_zero(op->condition);
            trial.allocations[index].place = no_host ? Place::device : Place::host_and_device;
        }
    }

    void visit(const AssertStmt *op) override {
        read_calls(op->condition);
        const FindCall error(op->message, "halide_error_storage_bound_too_small");
        if (!error.found || error.found->args.size() != 4)
            return;
        const auto &args = error.found->args;  // Func, dimension, bound, required
        StorageBoundCheck check;
        if (const StringImm *name = args[0].as<StringImm>())
            check.func = name->value;
        if (const StringImm *name = args[1].as<StringImm>())
            check.dimension = name->value;
        check.bound = numbers.number(args[2]);
        check.required = numbers.number(args[3]);
        check.always_fails = is_const_zero(numbers.resolved(op->condition));
        (kernel ? kernel->storage_bound_checks : trial.storage_bound_checks).push_back(check);
    }

    void visit(const ProducerConsumer *op) override {
        if (kernel && op->is_producer) {
            auto &funcs = kernel->funcs;
            if (std::find(funcs.begin(), funcs.end(), op->name) == funcs.end())
                funcs.push_back(op->name);
        }
        op->body.accept(this);
    }

    Trial &trial;
    KnownNumbers numbers;
    TrialKernel *kernel = nullptr;             // the one that is being read
    std::vector<TrialNumber> blocks, threads;  // its extents, outermost first
    std::vector<std::string> conditions;
    std::vector<TrialAllocation> scratch;  // around the place that is being read
    std::set<std::string> on_device;
};

}  // namespace

void read_lowered(const Stmt &lowered, Trial &trial) {
    Reader reader(trial);
    lowered.accept(&reader);
}

}  // namespace warptile
