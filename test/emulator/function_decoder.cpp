#include "function_decoder.h"

#include <algorithm>

#include "address.h"

namespace warptile::emulator {

void FunctionDecoder::decode() {
    entry_ = static_cast<uint32_t>(program_.code.size());
    place_parameters();
    for (const Statement &s : f_.body) {
        line_ = s.line;
        statement(s);
    }
    Instruction end;
    end.op = Op::Return;
    end.line = line_;
    program_.code.push_back(end);
    resolve();
}

void FunctionDecoder::place_parameters() {
    Callee callee;
    callee.entry = entry_;
    for (const Variable &v : f_.results) {
        callee.results.emplace_back(names_.declare(v), v.bytes());
    }
    for (const Variable &v : f_.parameters) {
        const uint64_t address = names_.declare(v, f_.kernel);
        parameters_.push_back({address, v.bytes()});
        callee.parameters.emplace_back(address, v.bytes());
    }
    if (!f_.kernel) {
        callees_[f_.name] = callee;
    }
}

uint32_t FunctionDecoder::slot(const Operand &o) {
    if (o.kind == Operand::Kind::Number) {
        return names_.constant(o.bits);
    }
    if (o.kind != Operand::Kind::Name || o.negated) {
        fail("an operand of a form that the emulator does not know");
    }
    return slot(o.name);
}

void FunctionDecoder::statement(const Statement &s) {
    switch (s.kind) {
    case Statement::Kind::Registers:
        names_.declare_registers(s);
        break;
    case Statement::Kind::Variable:
        names_.declare(s.variable);
        break;
    case Statement::Kind::Label:
        last_label_ = s.name;
        labels_[s.name] = static_cast<uint32_t>(program_.code.size());
        break;
    case Statement::Kind::Targets:
        for (const Operand &o : s.operands) {
            target_lists_[last_label_].push_back(o.name);
        }
        break;
    case Statement::Kind::Instruction:
        instruction(s);
        break;
    }
}

void FunctionDecoder::instruction(const Statement &s) {
    Instruction i;
    i.line = s.line;
    if (!s.guard.empty()) {
        i.guard = slot(s.guard);
        i.guard_value = !s.guard_negated;
    }
    const std::string &root = s.parts[0];
    if (root == "call") {
        call(s, i);
        return;
    }
    if (root == "ld" || root == "ldu" || root == "st") {
        access(s, i);
    } else if (root == "atom" || root == "red") {
        atomic(s, i);
    } else if (root == "bra" || root == "brx") {
        branch(s, i);
    } else if (root == "ret" || root == "exit" || root == "trap") {
        i.op = root == "trap" ? Op::Trap : Op::Return;
        i.mode = root == "exit";
    } else if (root == "bar" || root == "barrier") {
        barrier(s, i);
    } else if (root == "membar" || root == "fence") {
        i.op = Op::Nothing;
    } else if (root == "shfl") {
        shuffle(s, i);
    } else if (root == "vote") {
        vote(s, i);
    } else {
        computation(s, i);
    }
    program_.code.push_back(i);
}

void FunctionDecoder::unknown(const Statement &s) const {
    std::string opcode = s.parts[0];
    for (size_t k = 1; k < s.parts.size(); k++) {
        opcode += "." + s.parts[k];
    }
    fail("the emulator does not know the instruction '" + opcode + "'");
}

void FunctionDecoder::expect_operands(const Statement &s, size_t least, size_t most) const {
    if (s.operands.size() < least || s.operands.size() > most) {
        fail("'" + s.parts[0] + "' with " + std::to_string(s.operands.size()) + " operands");
    }
}

void FunctionDecoder::modes(const OpcodeParts &p, Instruction &i) const {
    i.flush = has(p, "ftz");
    i.saturate = has(p, "sat");
    const bool zero = has(p, "rz") || has(p, "rzi"), down = has(p, "rm") || has(p, "rmi"),
               up = has(p, "rp") || has(p, "rpi");
    i.rounding = zero ? Rounding::Zero : down ? Rounding::Down : up ? Rounding::Up : Rounding::Nearest;
    i.to_integer = has(p, "rni") || has(p, "rzi") || has(p, "rmi") || has(p, "rpi");
    if (p[0] == "set") {
        i.to_integer = p[p.size() - 2] != "f32";
    }
}

void FunctionDecoder::computation(const Statement &s, Instruction &i) {
    OpcodeParts p = s.parts;
    i.op = Op::Compute;
    expect_operands(s, 2, 5);
    std::vector<Operand> sources(s.operands.begin() + 1, s.operands.end());
    results(s, i);
    if (p[0] == "mov" && s.operands[0].kind == Operand::Kind::List) {
        p[0] = "mov_unpack";
        packed(s.operands[0], p.back(), i);
    } else if (p[0] == "mov" && sources[0].kind == Operand::Kind::List) {
        p[0] = "mov_pack";
        packed(sources[0], p.back(), i);
        sources = sources[0].elements;
    } else if (p[0] == "cvta" || p[0] == "isspacep") {
        i.space = space_in(p);
        i.offset = static_cast<int64_t>(window_of(i.space));
    }
    i.compute = find_compute(p);
    if (!i.compute || sources.size() > 4) {
        unknown(s);
    }
    modes(p, i);
    uint32_t *const to[] = {&i.a, &i.b, &i.c, &i.e};
    for (size_t k = 0; k < sources.size(); k++) {
        *to[k] = slot(sources[k]);
    }
}

void FunctionDecoder::results(const Statement &s, Instruction &i) {
    const Operand &to = s.operands[0];
    if (to.kind == Operand::Kind::List) {
        if (to.elements.size() > i.d.size()) {
            fail("more than four results");
        }
        for (size_t k = 0; k < to.elements.size(); k++) {
            i.d[k] = slot(to.elements[k]);
        }
    } else {
        i.d[0] = slot(to);
        if (!to.second.empty()) {
            i.d[1] = slot(to.second);
        }
    }
}

void FunctionDecoder::packed(const Operand &list, const std::string &type, Instruction &i) const {
    i.count = static_cast<uint8_t>(list.elements.size());
    i.bytes = static_cast<uint8_t>(type_bytes(type) / std::max<int>(i.count, 1));
    if (i.count > 4 || i.bytes == 0 || type_bytes(type) > 8) {
        fail("a packed value of this form");
    }
}

}  // namespace warptile::emulator
