// A directive is one scheduling call, as data: `x.split(...)`, `f.compute_at(...)`, and also the declaration of the
// local names that such calls use. A list of directives is a Plan's only road to Halide. Three readers share it:
// `apply_directives` makes the calls on the real Funcs; for the host mirror it leaves out the GPU loops and keeps the
// rest; and `print` writes the C++ that a user reviews and replays. What is reviewed is therefore what ran.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warptile {

enum class Op {
    // Declarations: `local` is the name that later directives use.
    FetchFunc,    ///< Func local = pipeline.get_func(numbers[0])
    FetchArg,     ///< Var local = func.args()[numbers[0]]
    FetchRVar,    ///< RVar local(func.update(numbers[0]).get_schedule().dims()[numbers[1]].var)
    FetchExtent,  ///< Expr local = func.update(numbers[0]).get_schedule().rvars()[numbers[1]].extent
    NewVar,       ///< Var local("local")
    NewRVar,      ///< RVar local("local")
    In,           ///< Func local = func.in({names...}), or func.in() where there are none
    Rfactor,      ///< Func local = func.update(stage).rfactor(names[0], names[1])
    StandIn,      ///< StandIn local(func, stage - 1): a sum for an update that chooses, see stand_in.h
    Specialize,   ///< Stage local = func.specialize(the size tests), or func.update(stage - 1) the same
    // Calls on a Func.
    ComputeRoot,
    ComputeAt,         ///< names: Func, Var or RVar
    StoreAt,           ///< names: Func, Var
    StoreInRegisters,  ///< store_in(MemoryType::Register)
    ReorderStorage,    ///< names: Vars
    AlignStorage,      ///< names: Var; numbers: alignment
    BoundExtent,       ///< names: Var; numbers: extent
    BoundStorage,      ///< names: Var; numbers: bound
    TakeBoundNames,    ///< see bound_names.h
    // Calls on a stage of a Func, or on a specialization of it.
    Split,           ///< names: old, outer, inner; numbers: factor
    SplitOutermost,  ///< names: new block variable: `split(Var::outermost(), Var::outermost(), v, 1)`
    Fuse,            ///< names: inner, outer, fused
    Reorder,         ///< names, innermost first
    Unroll,          ///< names: Var
    Atomic,
    AllowRaces,  ///< allow_race_conditions()
    GpuBlocks,   ///< names, innermost first
    GpuThreads,  ///< names, innermost first
    GpuLanes,    ///< names: Var
    GpuSingleThread,
    PutBack,  ///< names: a StandIn; the update chooses again
};

/// The tail strategies that a plan's splits use.
enum class SplitTail { RoundUp, GuardWithIf, ShiftInwards };

/// `output(index).dim(d).extent() >= extent`, or `==` where it is `exact`, where `func` is the local name of the
/// output; or, where `local` is one of FetchExtent, that it is as large.
struct SizeTest {
    std::string func;
    int dim = 0;
    int64_t extent = 0;
    std::string local;
    bool exact = false;
};

struct Directive {
    Op op = Op::ComputeRoot;
    std::string func;         ///< local name of the Func it is called on
    int stage = 0;            ///< 0: the pure definition; k: update(k - 1)
    std::string specialized;  ///< local name of the Stage it is called on instead, where that is a specialization
    std::string local;        ///< the name that a declaration declares
    std::vector<std::string> names;
    std::vector<int64_t> numbers;
    SplitTail tail = SplitTail::RoundUp;
    std::vector<SizeTest> tests;  ///< of Specialize
};

}  // namespace warptile
