// One function or kernel: its instructions, put at the end of a program's code.
#pragma once

#include "alu.h"
#include "names.h"
#include "program.h"
#include "ptx_syntax.h"

namespace warptile::emulator {

/// What a call needs to know of a function.
struct Callee {
    uint32_t entry = 0;
    std::vector<std::pair<uint64_t, uint64_t>> results, parameters;  ///< local address and bytes
};

using Callees = std::map<std::string, Callee>;

class FunctionDecoder {
public:
    FunctionDecoder(const Function &f, Program &program, const std::map<std::string, Place> &places,
                    const Extent &taken, Callees &callees)
        : f_(f), program_(program), names_(places, taken), callees_(callees) {}

    /// Throws PtxError. A function is among the callees then.
    void decode();

    uint32_t entry() const { return entry_; }

    const Names &names() const { return names_; }

    const std::vector<Parameter> &parameters() const { return parameters_; }

private:
    struct Fixup {
        size_t instruction;
        std::string label;
    };

    const Function &f_;
    Program &program_;
    Names names_;
    Callees &callees_;
    uint32_t entry_ = 0;
    int line_ = 0;
    std::map<std::string, uint32_t> labels_;
    std::map<std::string, std::vector<std::string>> target_lists_;
    std::vector<Fixup> branches_, tables_;
    std::vector<Parameter> parameters_;
    std::string last_label_;

    [[noreturn]] void fail(const std::string &what) const { throw PtxError(line_, what); }

    uint32_t slot(const std::string &name) { return names_.slot(name, line_); }

    uint32_t slot(const Operand &o);
    void place_parameters();

    // Statements.
    void statement(const Statement &s);
    void instruction(const Statement &s);
    [[noreturn]] void unknown(const Statement &s) const;
    void expect_operands(const Statement &s, size_t least, size_t most) const;

    // Computation.
    void modes(const OpcodeParts &p, Instruction &i) const;
    void computation(const Statement &s, Instruction &i);
    void results(const Statement &s, Instruction &i);
    void packed(const Operand &list, const std::string &type, Instruction &i) const;

    // Memory: decode_memory.cpp.
    Space space_in(const OpcodeParts &p) const;
    void address(const Operand &o, Instruction &i);
    bool is_strong(const OpcodeParts &p) const;
    void access(const Statement &s, Instruction &i);
    void atomic(const Statement &s, Instruction &i);

    // Control: decode_control.cpp.
    void branch(const Statement &s, Instruction &i);
    void resolve();
    uint32_t place_of(const Fixup &f);

    /// bar.sync 0, barrier.sync 0, barrier.cta.sync.aligned.all 0, bar.warp.sync mask.
    void barrier(const Statement &s, Instruction &i);
    void shuffle(const Statement &s, Instruction &i);
    void vote(const Statement &s, Instruction &i);

    /// Copies the arguments into the function's parameters, calls, and copies the results back. Functions that are
    /// called come before their callers in the text.
    void call(const Statement &s, const Instruction &guarded);
    void copy_all(const std::vector<Operand> &own, const std::vector<std::pair<uint64_t, uint64_t>> &its,
                  const Instruction &guarded, bool to_callee);
    void copy(const Instruction &guarded, uint64_t from, uint64_t to, uint64_t bytes);
};

}  // namespace warptile::emulator
