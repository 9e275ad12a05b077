// The trial lowering of a scheduled pipeline, and what can be seen in it.
//
// Halide's lowering is the only one who knows what a schedule becomes: which kernels are launched with which extents,
// where each Func is stored, which bounds are checked. Some of it fails silently: a lane member without a constant
// size goes to global memory without a word, and a storage bound that is too small becomes a trap inside the kernel. So
// a plan is lowered for trial, in a child (see child.h), and what comes out is compared with what was planned.
//
// All types here are plain data that cross the pipe as JSON.
#pragma once

#include "verify/calls.h"
#include "verify/ptx/assembler.h"
#include "verify/ptx/ptx.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warptile {

// A number in the lowered code, as far as it is known before the pipeline runs.
struct TrialNumber {
    std::string text;                // Halide's expression
    std::optional<int64_t> at_most;  // a constant that it cannot exceed, where one is provable
    bool exact = false;              // `at_most` is its value

    // The value where it is one constant at every size of the pipeline.
    std::optional<int64_t> value() const { return exact ? at_most : std::nullopt; }
};

struct TrialAllocation {
    enum class Place {
        thread,   // in a kernel: registers or stack of one thread (a lane's share of a lane member)
        shared,   // in a kernel: shared memory of a block
        scratch,  // in a kernel, but in global memory, a slice for each block. No placement of a Plan asks for it
        device,   // of the host code, on the device only: a Func at root that only kernels touch
        host_and_device,  // of the host code, on both sides: the host computes or reads it, and the copies cost
        host,             // of the host code, on the host only
    };

    std::string name;                // Halide's: the Func's name, a tuple element and counters behind a dot
    std::vector<std::string> funcs;  // the Funcs stored in it: several where lifetimes let them share it
    std::string type;                // "float32"
    Place place = Place::host;
    TrialNumber bytes;  // of one thread, of one block (shared and scratch), or in all
};

// A check that stayed in the lowered code: the storage of `func` in `dimension`, bounded by `bound_storage`, holds
// what is `required`. Where Halide can prove that it does there is none; where it proves the opposite at once,
// lowering is an error. In a kernel a check that fails traps, which the caller sees as a failed launch.
struct StorageBoundCheck {
    std::string func, dimension;
    TrialNumber bound, required;
    bool always_fails = false;  // Halide found out later that it never holds

    // Provable after all, with the bounds known at this place of the code.
    bool holds() const { return bound.exact && required.at_most && *required.at_most <= *bound.at_most; }
};

struct TrialKernel {
    std::string loop;                // the outermost block loop: "out.s0.y.yo.block_id_y"
    std::string func;                // whose loop it is: "out"
    int stage = 0;                   // 0 the pure definition, 1 the first update
    std::string condition;           // of the host code around it: specializations, tails; empty where always launched
    std::vector<std::string> funcs;  // every Func computed in it, in order, `func` among them
    TrialNumber blocks[3], threads[3];  // x, y, z; 1 where there is no such loop
    bool lanes = false;                 // x of the threads is a lane loop
    bool stores_func = false;           // somewhere in it `func` is written
    bool divergent_shuffles = false;    // a shuffle that not all lanes reach (see divergent_shuffles.h)
    std::vector<TrialAllocation> allocations;
    std::vector<StorageBoundCheck> storage_bound_checks;
    TrialNumber shared_bytes;  // of a block, all together

    std::string digest;                        // of its lowered loop, where device code was made (see device_code.h)
    std::optional<PtxKernel> ptx;              // where device code was made
    std::optional<KernelResources> resources;  // where it was assembled, see assemble_kernels()

    // The product of `threads`, where it has a bound.
    std::optional<int64_t> most_threads() const;
};

// A loop of the host code. For a pipeline that is to run on the GPU each is either a stage left on the host or a loop
// that launches kernels many times; Halide's own helper loops have no Func.
struct HostLoop {
    std::string name, func;
    std::string kind;  // as Halide prints it: "for", "parallel", "vectorized", ...
    TrialNumber extent;
    bool launches_kernels = false;
};

// A name that the lowered code uses where nothing defines it: Halide would refuse to make machine code of it.
struct LostName {
    std::string name;
    std::string func;  // in whose loops; empty in code of no stage
};

struct Trial {
    std::vector<std::string> outputs;                     // the pipeline's, Halide's names
    std::vector<TrialKernel> kernels;                     // in the order of the code; both sides of a specialization
    std::vector<TrialAllocation> allocations;             // of the host code
    std::vector<StorageBoundCheck> storage_bound_checks;  // of the host code
    std::vector<HostLoop> host_loops;
    std::vector<LostName> lost_names;
    std::string failed_check;    // the first of the host's at one of the calls; empty where all hold
    std::string ptx;             // the module's text, where all of it was made in one piece
    std::string lowered_text;    // the whole lowered statement, printed
    double lower_seconds = 0;    // Halide's lowering, up to the device code
    double codegen_seconds = 0;  // LLVM's making of PTX
    double assemble_seconds = 0;
};

// What was learnt of a kernel when it was made, by its digest.
struct KernelCode {
    std::optional<PtxKernel> ptx;
    std::optional<KernelResources> resources;
};

using KnownKernels = std::map<std::string, KernelCode>;

struct LowerOptions {
    // Without device code a trial takes a fraction of the time, and `ptx` stays empty: enough to see allocations,
    // extents and errors.
    bool device_code = true;
    bool lowered_text = false;

    int sm = 0;                 // assembles the kernels for this compute capability; 0: leaves them as PTX
    int max_registers = 64;     // of a thread, where they are assembled
    int at_once = 1;            // children that make device code side by side; the result does not depend on it
    double time_limit_s = 120;  // of each of them
    // A child with less to make, in characters of its kernels' text, costs more (a fork, and LLVM's reading of the
    // device library) than it saves.
    size_t least_share = 60000;
    KnownKernels known;               // need not be made again
    std::vector<PipelineCall> calls;  // that the host's checks are tried with
    // Asked of what was lowered: where it says no, device code is not made, and kernels have no digest. Empty: always.
    std::function<bool(const Trial &)> worth_code;
};

// Lowers `pipeline` as it is scheduled now. To be called in a child after the plan was applied. Throws Halide::Error
// where Halide refuses the schedule, std::runtime_error where its PTX does not assemble.
Trial lower(const Halide::Pipeline &pipeline, const Halide::Target &target, const LowerOptions &options = {});

// Fills each kernel's `resources` for compute capability `sm` under the runtime's cap of registers. Returns an error
// text, empty where all went well.
std::string assemble_kernels(Trial &trial, int sm, int max_registers);

// What `trial` showed of its kernels, for trials to come.
KnownKernels kernels_of(const Trial &trial);

// To JSON and back. `from_json_text` throws std::exception where the text is not of `to_json_text`.
std::string to_json_text(const Trial &trial);
Trial trial_from_json_text(const std::string &text);

std::string to_json_text(const KnownKernels &kernels);
KnownKernels kernels_from_json_text(const std::string &text);

// A few readable lines for each kernel, for HL_DEBUG_WARPTILE=verify.
std::string describe(const Trial &trial);

// "thread", "shared", "scratch", "device", "host and device", "host".
std::string to_string(TrialAllocation::Place place);

}  // namespace warptile
