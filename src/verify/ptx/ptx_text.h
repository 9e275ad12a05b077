// A PTX module's text taken apart into kernels and instructions: only as far as counting and liveness need it.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace warptile {

// `@!%p1 add.f32 %f1, %f2, 0f00000000;` has guard "%p1", opcode "add.f32" and the three operands. A label, and a
// `.branchtargets` list with its labels as operands, stand as instructions of their own.
struct PtxInstruction {
    std::string label;                  // not empty: this is a label, and has nothing else
    std::string guard;                  // the predicate register, or empty
    std::string opcode;                 // with its suffixes; ".branchtargets" for such a list
    std::vector<std::string> operands;  // split at the outer commas

    // The opcode up to its first dot: "add".
    std::string root() const;
    // Whether one of the opcode's suffixes is `name`: has("global") for ld.global.nc.b32.
    bool has(const std::string &name) const;
    // The last suffix, which is the type: "f32".
    std::string type() const;
};

struct PtxBody {
    std::string name;
    std::vector<PtxInstruction> instructions;
    std::map<std::string, int>
        register_bits;     // declared register, or prefix of numbered ones ("%rd"): bits, 1 for .pred
    int local_bytes = 0;   // .local, the stack
    int shared_bytes = 0;  // .shared, in the kernel or in the module and named by the kernel

    // The bits of the register `name`; 0 where it is none that the kernel declared (%tid.x and its like).
    int bits_of(const std::string &name) const;
};

// The registers named in an operand such as "{%r1, %r2}", "[%rd4+16]" or "%r1|%p2", special registers included.
std::vector<std::string> registers_in(const std::string &operand);

// The bytes of a PTX type such as "b32", "f16x2" or "pred" (0).
int bytes_of_ptx_type(const std::string &type);

// Every `.entry` of the module, in the order of the text.
std::vector<PtxBody> parse_ptx(const std::string &module);

}  // namespace warptile
