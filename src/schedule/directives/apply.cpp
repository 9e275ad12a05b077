#include "schedule/directives/apply.h"

#include <map>
#include <string>
#include <utility>

#include "dag/halide/order.h"
#include "machine/error.h"
#include "schedule/directives/bound_names.h"
#include "schedule/directives/stand_in.h"

namespace warptile {

namespace {

using Halide::Func;
using Halide::RVar;
using Halide::Stage;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

TailStrategy strategy(SplitTail tail) {
    switch (tail) {
    case SplitTail::RoundUp:
        return TailStrategy::RoundUp;
    case SplitTail::GuardWithIf:
        return TailStrategy::GuardWithIf;
    case SplitTail::ShiftInwards:
        return TailStrategy::ShiftInwards;
    }
    throw Error("unknown tail strategy in a directive");
}

/// The local names that a list of directives has declared so far, and what they stand for.
class Locals {
public:
    explicit Locals(const std::vector<Func> &outputs) : numbered_(numbered_funcs(outputs)) {}

    /// Numbered before the schedule makes Funcs of its own.
    Func fetch(int64_t index) const { return numbered_.at(static_cast<size_t>(index)); }

    Func &func(const std::string &name) { return lookup(funcs_, name, "Func"); }

    VarOrRVar loop(const std::string &name) { return lookup(loops_, name, "loop"); }

    Halide::Expr expr(const std::string &name) { return lookup(exprs_, name, "Expr"); }

    Var var(const std::string &name) { return loop(name).var; }

    std::vector<VarOrRVar> loops(const std::vector<std::string> &names) {
        std::vector<VarOrRVar> result;
        for (const std::string &name : names) {
            result.push_back(loop(name));
        }
        return result;
    }

    Stage stage(const Directive &d) {
        if (!d.specialized.empty()) {
            return lookup(stages_, d.specialized, "Stage");
        }
        Func &f = func(d.func);
        return d.stage == 0 ? Stage(f.function(), f.function().definition(), 0) : f.update(d.stage - 1);
    }

    const UpdateStandIn &stand_in(const std::string &name) { return lookup(stand_ins_, name, "StandIn"); }

    void declare(const std::string &name, const UpdateStandIn &s) { stand_ins_.emplace(name, s); }

    void declare(const std::string &name, const Func &f) { funcs_.emplace(name, f); }

    void declare(const std::string &name, const VarOrRVar &v) { loops_.emplace(name, v); }

    void declare(const std::string &name, const Halide::Expr &e) { exprs_.emplace(name, e); }

    void declare(const std::string &name, const Stage &s) { stages_.emplace(name, s); }

private:
    template<typename T>
    static T &lookup(std::map<std::string, T> &table, const std::string &name, const char *what) {
        const auto it = table.find(name);
        if (it == table.end()) {
            throw Error("a directive uses the " + std::string(what) + " '" + name + "' before it is declared");
        }
        return it->second;
    }

    const std::vector<Func> numbered_;
    std::map<std::string, Func> funcs_;
    std::map<std::string, VarOrRVar> loops_;
    std::map<std::string, Stage> stages_;
    std::map<std::string, Halide::Expr> exprs_;
    std::map<std::string, UpdateStandIn> stand_ins_;
};

Halide::Expr extent(const SizeTest &t, Locals &locals) {
    return t.local.empty() ? Halide::Expr(locals.func(t.func).output_buffers()[0].dim(t.dim).extent())
                           : locals.expr(t.local);
}

Halide::Expr condition(const Directive &d, Locals &locals) {
    Halide::Expr all;
    for (const SizeTest &t : d.tests) {
        const Halide::Expr size = extent(t, locals);
        const int tested = static_cast<int>(t.extent);
        const Halide::Expr e = t.exact ? size == tested : size >= tested;
        all = all.defined() ? all && e : e;
    }
    return all;
}

void declare(const Directive &d, Locals &locals) {
    switch (d.op) {
    case Op::FetchFunc:
        return locals.declare(d.local, locals.fetch(d.numbers[0]));
    case Op::FetchArg:
        return locals.declare(d.local, VarOrRVar(locals.func(d.func).args()[static_cast<size_t>(d.numbers[0])]));
    case Op::FetchRVar: {
        const Halide::Stage update = locals.func(d.func).update(static_cast<int>(d.numbers[0]));
        const std::vector<Halide::Internal::Dim> dims = update.get_schedule().dims();
        return locals.declare(d.local, VarOrRVar(RVar(dims[static_cast<size_t>(d.numbers[1])].var)));
    }
    case Op::FetchExtent: {
        const Halide::Stage update = locals.func(d.func).update(static_cast<int>(d.numbers[0]));
        const std::vector<Halide::Internal::ReductionVariable> rvars = update.get_schedule().rvars();
        return locals.declare(d.local, rvars[static_cast<size_t>(d.numbers[1])].extent);
    }
    case Op::NewVar:
        return locals.declare(d.local, VarOrRVar(Var(d.local)));
    case Op::NewRVar:
        return locals.declare(d.local, VarOrRVar(RVar(d.local)));
    case Op::In: {
        std::vector<Func> consumers;
        for (const std::string &name : d.names) {
            consumers.push_back(locals.func(name));
        }
        Func &f = locals.func(d.func);
        // Halide names the wrapper for one consumer otherwise than for a list of one, and `in({f})` in the printed text
        // means the former: the overload called here is the one that C++ chooses there.
        if (consumers.size() == 1) {
            return locals.declare(d.local, f.in(consumers.front()));
        }
        return locals.declare(d.local, consumers.empty() ? f.in() : f.in(consumers));
    }
    case Op::Rfactor:
        return locals.declare(d.local, locals.stage(d).rfactor(locals.loop(d.names[0]).rvar, locals.var(d.names[1])));
    case Op::StandIn:
        return locals.declare(d.local, UpdateStandIn(locals.func(d.func), d.stage - 1));
    case Op::Specialize:
        return locals.declare(d.local, locals.stage(d).specialize(condition(d, locals)));
    default:
        throw Error("a directive that declares nothing was read as a declaration");
    }
}

void call_on_func(const Directive &d, Locals &locals) {
    Func &f = locals.func(d.func);
    switch (d.op) {
    case Op::ComputeRoot:
        f.compute_root();
        return;
    case Op::ComputeAt: {
        const VarOrRVar loop = locals.loop(d.names[1]);
        const Func at = locals.func(d.names[0]);
        loop.is_rvar ? f.compute_at(at, loop.rvar) : f.compute_at(at, loop.var);
        return;
    }
    case Op::StoreAt:
        f.store_at(locals.func(d.names[0]), locals.var(d.names[1]));
        return;
    case Op::StoreInRegisters:
        f.store_in(Halide::MemoryType::Register);
        return;
    case Op::ReorderStorage: {
        std::vector<Var> vars;
        for (const std::string &name : d.names) {
            vars.push_back(locals.var(name));
        }
        f.reorder_storage(vars);
        return;
    }
    case Op::AlignStorage:
        f.align_storage(locals.var(d.names[0]), static_cast<int>(d.numbers[0]));
        return;
    case Op::BoundExtent:
        f.bound_extent(locals.var(d.names[0]), static_cast<int>(d.numbers[0]));
        return;
    case Op::BoundStorage:
        f.bound_storage(locals.var(d.names[0]), static_cast<int>(d.numbers[0]));
        return;
    case Op::TakeBoundNames:
        take_bound_names(f);
        return;
    default:
        throw Error("a directive on a stage was read as one on a Func");
    }
}

void call_on_stage(const Directive &d, Locals &locals) {
    Stage s = locals.stage(d);
    switch (d.op) {
    case Op::Split:
        s.split(locals.loop(d.names[0]), locals.loop(d.names[1]), locals.loop(d.names[2]),
                static_cast<int>(d.numbers[0]), strategy(d.tail));
        return;
    case Op::SplitOutermost:
        s.split(Var::outermost(), Var::outermost(), locals.var(d.names[0]), 1);
        return;
    case Op::Fuse:
        s.fuse(locals.loop(d.names[0]), locals.loop(d.names[1]), locals.loop(d.names[2]));
        return;
    case Op::Reorder:
        s.reorder(locals.loops(d.names));
        return;
    case Op::Unroll:
        s.unroll(locals.loop(d.names[0]));
        return;
    case Op::Atomic:
        s.atomic();
        return;
    case Op::AllowRaces:
        s.allow_race_conditions();
        return;
    case Op::GpuBlocks:
        for (const std::string &name : d.names) {
            s.gpu_blocks(locals.loop(name));
        }
        return;
    case Op::GpuThreads:
        for (const std::string &name : d.names) {
            s.gpu_threads(locals.loop(name));
        }
        return;
    case Op::GpuLanes:
        s.gpu_lanes(locals.loop(d.names[0]));
        return;
    case Op::GpuSingleThread:
        s.gpu_single_thread();
        return;
    case Op::PutBack:
        locals.stand_in(d.names[0]).put_back(locals.func(d.func), d.stage - 1);
        return;
    default:
        throw Error("a directive on a Func was read as one on a stage");
    }
}

/// What only a GPU has; and unrolling, which changes nothing but the time that the mirror takes to compile.
bool left_out_of_mirror(Op op) {
    return op == Op::GpuBlocks || op == Op::GpuThreads || op == Op::GpuLanes || op == Op::GpuSingleThread ||
           op == Op::Atomic || op == Op::AllowRaces || op == Op::Unroll || op == Op::StoreInRegisters;
}

}  // namespace

std::vector<std::string> apply_directives(const std::vector<Directive> &directives, const std::vector<Func> &outputs,
                                          ApplyTo to) {
    Locals locals(outputs);
    std::vector<std::string> derived;
    for (const Directive &d : directives) {
        if (to == ApplyTo::HostMirror && left_out_of_mirror(d.op)) {
            continue;
        }
        if (d.op <= Op::Specialize) {
            declare(d, locals);
            if (d.op == Op::In || d.op == Op::Rfactor) {
                derived.push_back(locals.func(d.local).name());
            }
        } else if (d.op <= Op::TakeBoundNames) {
            call_on_func(d, locals);
        } else {
            call_on_stage(d, locals);
        }
    }
    return derived;
}

}  // namespace warptile
