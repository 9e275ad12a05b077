#include "verify/ptx/ptx.h"

#include "verify/ptx/liveness.h"
#include "verify/ptx/ptx_text.h"

#include <set>

namespace warptile {

namespace {

int sum(const std::map<int, int> &counts) {
    int n = 0;
    for (const auto &[bytes, count] : counts)
        n += count;
    return n;
}

int vector_length(const PtxInstruction &i) { return i.has("v8") ? 8 : i.has("v4") ? 4 : i.has("v2") ? 2 : 1; }

bool is_float(const std::string &type) { return type[0] == 'f' || type.compare(0, 2, "bf") == 0; }

void count_access(const PtxInstruction &i, InstructionCounts &counts) {
    if (i.has("param") || i.has("const")) {
        counts.other++;
        return;
    }
    MemoryCounts &memory = i.has("shared") ? counts.shared : i.has("local") ? counts.local : counts.global;
    auto &by_bytes = i.root() == "st" ? memory.stores : memory.loads;
    by_bytes[vector_length(i) * bytes_of_ptx_type(i.type())]++;
}

void count(const PtxInstruction &i, InstructionCounts &counts) {
    static const std::set<std::string> loads_and_stores = {"ld", "ldu", "st"};
    static const std::set<std::string> special = {"rcp", "sqrt", "rsqrt", "sin", "cos",
                                                  "lg2", "ex2",  "tanh",  "div", "rem"};
    static const std::set<std::string> arithmetic = {
        "add",   "addc", "sub",  "subc", "mul",      "mul24", "mad",  "mad24", "madc", "fma",  "neg",
        "abs",   "min",  "max",  "sad",  "setp",     "set",   "selp", "slct",  "and",  "or",   "xor",
        "not",   "cnot", "shl",  "shr",  "shf",      "lop3",  "bfe",  "bfi",   "brev", "popc", "clz",
        "bfind", "prmt", "dp4a", "dp2a", "copysign", "testp", "bmsk", "szext", "fns"};
    const std::string root = i.root();
    if (loads_and_stores.count(root)) {
        count_access(i, counts);
    } else if (special.count(root)) {
        counts.special_ops++;
    } else if (arithmetic.count(root)) {
        (is_float(i.type()) ? counts.float_ops : counts.int_ops)++;
    } else if (root == "shfl") {
        counts.shuffles++;
    } else if (root == "bar" || root == "barrier") {
        counts.barriers++;
    } else if (root == "atom" || root == "red") {
        counts.atomics++;
        counts.swaps += i.has("cas") ? 1 : 0;
    } else if (root == "cvt") {
        counts.conversions++;
    } else if (root == "bra" || root == "brx") {
        counts.branches++;
    } else if (root == "trap") {
        counts.traps++;
    } else {
        counts.other++;
    }
}

}  // namespace

int MemoryCounts::load_count() const { return sum(loads); }

int MemoryCounts::store_count() const { return sum(stores); }

std::vector<PtxKernel> read_ptx(const std::string &module) {
    std::vector<PtxKernel> kernels;
    for (const PtxBody &body : parse_ptx(module)) {
        PtxKernel kernel;
        kernel.name = body.name;
        for (const PtxInstruction &i : body.instructions) {
            if (!i.opcode.empty() && i.opcode[0] != '.')
                count(i, kernel.counts);
        }
        kernel.shared_bytes = body.shared_bytes;
        kernel.local_bytes = body.local_bytes;
        kernel.registers = live_registers(body);
        kernels.push_back(kernel);
    }
    return kernels;
}

}  // namespace warptile
