// The text of a PTX module taken apart into functions, variables and statements, without a meaning: names stay names.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace warptile::emulator {

/// The module cannot be used; the message names the line.
struct PtxError : std::runtime_error {
    PtxError(int line, const std::string &what);
};

/// `.shared .align 4 .b8 buffer[64] = {1, 2}`, a parameter, or a variable of a call sequence.
struct Variable {
    std::string name;
    std::string space;  ///< "global", "const", "shared", "local" or "param"
    int line = 0;
    int element_bytes = 1;
    uint64_t count = 1;  ///< 0: an extern array, whose size the launch gives
    uint64_t align = 1;
    std::vector<uint64_t> values;  ///< of the first elements, as bits

    uint64_t bytes() const { return element_bytes * count; }
};

struct Operand {
    enum class Kind {
        Name,     ///< a register, a variable, a label or a function
        Number,   ///< `bits`
        Address,  ///< [name + bits], or [bits] where the name is empty
        List,     ///< {a, b} or (a, b)
    };
    Kind kind = Kind::Name;
    std::string name;
    std::string second;  ///< of `%r1|%p2`
    bool negated = false;
    uint64_t bits = 0;
    std::vector<Operand> elements;
};

/// An instruction, a label, or the declaration of a variable or of registers.
struct Statement {
    enum class Kind { Instruction, Label, Variable, Registers, Targets };
    Kind kind = Kind::Instruction;
    int line = 0;
    std::string name;   ///< of a label; the type of registers
    std::string guard;  ///< the predicate register, or empty
    bool guard_negated = false;
    std::vector<std::string> parts;  ///< of the opcode: {"ld", "global", "nc", "b32"}
    std::vector<Operand> operands;   ///< of `.branchtargets`: the labels
    Variable variable;
    std::vector<std::pair<std::string, int>> registers;  ///< name, and how many (0: the name is the register)
};

struct Function {
    std::string name;
    bool kernel = false;
    int line = 0;
    std::vector<Variable> results, parameters;
    std::vector<Statement> body;
};

struct ModuleText {
    int target = 0;  ///< 80 of `.target sm_80`
    std::vector<Variable> variables;
    std::vector<Function> functions;  ///< those with a body
};

/// Throws PtxError.
ModuleText parse_module(const std::string &text);

/// The bytes of "b32", "f16x2", "pred" (1); 0 for what is no type.
int type_bytes(const std::string &type);

}  // namespace warptile::emulator
