// What can be read off a kernel's PTX without assembling it: how many instructions of each kind a thread has, the
// memory it declares, and an estimate of its registers.
//
// Counts are static: an instruction inside a loop counts once, one under a condition counts once.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace warptile {

// Loads and stores of one kind of memory, by the bytes that one instruction moves for one thread (1, 2, 4, 8, 16).
struct MemoryCounts {
    std::map<int, int> loads, stores;

    int load_count() const;
    int store_count() const;
};

struct InstructionCounts {
    MemoryCounts global;  // generic addresses included
    MemoryCounts shared;
    MemoryCounts local;   // the thread's stack: what the compiler could not keep in registers
    int shuffles = 0;     // shfl
    int barriers = 0;     // bar, barrier
    int atomics = 0;      // atom, red
    int swaps = 0;        // those of them that compare and swap
    int float_ops = 0;    // arithmetic, comparison and selection of floating-point values; a fused multiply-add is one
    int int_ops = 0;      // the same of integers and bits, address arithmetic and predicates included
    int special_ops = 0;  // reciprocal, root, exponential, logarithm, sine, division
    int conversions = 0;  // cvt
    int branches = 0;
    int traps = 0;  // an assertion that stayed in the kernel
    int other = 0;  // moves, parameters, address space conversions, returns, and what is in no class
};

struct PtxKernel {
    std::string name;
    InstructionCounts counts;
    int shared_bytes = 0;  // declared in the PTX; Halide's kernels get theirs at the launch and declare none
    int local_bytes = 0;   // declared stack
    int registers = 0;     // estimate by liveness, in 32-bit registers of a thread
};

// Every kernel of the module, in the order of the text. Text that is no PTX has none.
std::vector<PtxKernel> read_ptx(const std::string &module);

}  // namespace warptile
