// PTX turned into machine code for one card, to learn what only the assembler knows: the registers of each kernel and
// what it spills under the cap that Halide's runtime will set.
//
// Three ways, the first that can do it is taken:
//   1. NVIDIA's PTX compiler as a library, where the build found it and it knows the card (compute capability 7.5 and
//      later);
//   2. a `ptxas` program that knows the card, for older ones CUDA 12.9's or older. Looked for in this order: the file
//      that the environment's WARPTILE_PTXAS names, `ptxas` in the folders of PATH, $CUDA_HOME/bin, $CUDA_PATH/bin,
//      /usr/local/cuda/bin;
//   3. an estimate by liveness over the PTX text.
#pragma once

#include <string>
#include <vector>

namespace warptile {

struct KernelResources {
    enum class Source { library, ptxas, estimate };

    std::string name;           // of the kernel, as in the PTX
    int registers = 0;          // 32-bit registers of a thread, at most the cap
    int spill_store_bytes = 0;  // of all store instructions that spill, of one thread; loops not counted
    int spill_load_bytes = 0;
    int stack_bytes = 0;   // a thread's stack frame: spills, and arrays that the kernel indexes at run time
    int shared_bytes = 0;  // static; what Halide asks for at the launch is not in the PTX
    Source source = Source::estimate;

    bool spills() const { return spill_store_bytes > 0 || spill_load_bytes > 0; }
};

struct Assembly {
    std::vector<KernelResources> kernels;  // each of the module, in the PTX's order; empty on an error
    std::string error;                     // the assembler's words, where it refused the PTX
    bool unable = false;                   // with an error: not the PTX is at fault, but this way is not there, or does
                                           // not know the card or the PTX's version; another way may

    bool ok() const { return error.empty(); }
};

// Assembles `ptx` for compute capability `sm` (90 for 9.0), at least the PTX's own `.target`, with at most
// `max_registers` registers a thread. Each way runs in a child of its own: an assembler that crashes or hangs is an
// error like another.
Assembly assemble(const std::string &ptx, int sm, int max_registers);

// The same, by one way only.
Assembly assemble_by(KernelResources::Source way, const std::string &ptx, int sm, int max_registers);

// The `ptxas` programs that would be tried, best first.
std::vector<std::string> ptxas_candidates();

// Reads what the library and `ptxas --verbose` say of the kernels `names`, in whatever order they say it. A kernel that
// the log does not mention is an error.
Assembly parse_assembly_log(const std::string &log, const std::vector<std::string> &names,
                            KernelResources::Source source);

// "library", "ptxas", "estimate".
std::string to_string(KernelResources::Source source);

}  // namespace warptile
