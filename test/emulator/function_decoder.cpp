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

Space FunctionDecoder::space_in(const OpcodeParts &p) const {
    for (const std::string &part : p) {
        const std::string space = part.substr(0, part.find("::"));
        if (space == "global" || space == "const") {
            return Space::Global;
        }
        if (space == "shared" || space == "local" || space == "param") {
            return space == "shared" ? Space::Shared : space == "local" ? Space::Local : Space::Param;
        }
    }
    return Space::Generic;
}

void FunctionDecoder::address(const Operand &o, Instruction &i) {
    if (o.kind != Operand::Kind::Address) {
        fail("an operand that is no address where one belongs");
    }
    i.offset = static_cast<int64_t>(o.bits);
    if (o.name.empty()) {
        return;
    }
    i.a = slot(o.name);
    const Place *const place = names_.place(o.name);
    if (place && i.space == Space::Param) {
        i.space = place->space;  // of a function: its parameters lie in local memory
    }
}

bool FunctionDecoder::is_strong(const OpcodeParts &p) const {
    return has(p, "volatile") || has(p, "relaxed") || has(p, "acquire") || has(p, "release");
}

void FunctionDecoder::access(const Statement &s, Instruction &i) {
    const bool store = s.parts[0] == "st";
    expect_operands(s, 2, 2);
    i.op = store ? Op::Store : Op::Load;
    i.space = space_in(s.parts);
    i.bytes = static_cast<uint8_t>(type_bytes(s.parts.back()));
    i.sign = s.parts.back()[0] == 's';
    i.strong = is_strong(s.parts);
    i.constant = has(s.parts, "nc");
    i.count = has(s.parts, "v4") ? 4 : has(s.parts, "v2") ? 2 : 1;
    if (i.bytes == 0 || i.bytes > 8 || has(s.parts, "v8")) {
        unknown(s);
    }
    address(s.operands[store ? 0 : 1], i);
    const Operand &values = s.operands[store ? 1 : 0];
    const size_t count = values.kind == Operand::Kind::List ? values.elements.size() : 1;
    if (count != i.count) {
        fail("an access of " + std::to_string(i.count) + " elements with " + std::to_string(count) + " registers");
    }
    for (size_t k = 0; k < count; k++) {
        i.d[k] = slot(values.kind == Operand::Kind::List ? values.elements[k] : values);
    }
}

void FunctionDecoder::atomic(const Statement &s, Instruction &i) {
    const bool result = s.parts[0] == "atom";
    expect_operands(s, result ? 3 : 2, result ? 4 : 2);
    i.op = Op::Atomic;
    i.space = space_in(s.parts);
    i.bytes = static_cast<uint8_t>(type_bytes(s.parts.back()));
    i.combine = find_combine(s.parts);
    i.compares = has(s.parts, "cas");
    i.strong = true;
    if (!i.combine || i.bytes < 2 || i.bytes > 8) {
        unknown(s);
    }
    if (result) {
        i.d[0] = slot(s.operands[0]);
    }
    const size_t first = result ? 1 : 0;
    address(s.operands[first], i);
    i.b = slot(s.operands[first + 1]);
    if (s.operands.size() > first + 2) {
        i.c = slot(s.operands[first + 2]);
    }
}

void FunctionDecoder::branch(const Statement &s, Instruction &i) {
    expect_operands(s, 1, 2);
    const Operand &label = s.operands.back();
    const size_t here = program_.code.size();
    if (s.parts[0] == "bra") {
        i.op = Op::Branch;
        branches_.push_back({here, label.name});
    } else {
        i.op = Op::BranchByIndex;
        i.a = slot(s.operands[0]);
        tables_.push_back({here, label.name});
    }
}

void FunctionDecoder::resolve() {
    for (const Fixup &f : branches_) {
        program_.code[f.instruction].target = place_of(f);
    }
    for (const Fixup &f : tables_) {
        std::vector<uint32_t> table;
        for (const std::string &label : target_lists_[f.label]) {
            table.push_back(place_of({f.instruction, label}));
        }
        program_.code[f.instruction].target = static_cast<uint32_t>(program_.tables.size());
        program_.tables.push_back(table);
    }
}

uint32_t FunctionDecoder::place_of(const Fixup &f) {
    line_ = program_.code[f.instruction].line;
    const auto found = labels_.find(f.label);
    if (found == labels_.end()) {
        fail("there is no label '" + f.label + "'");
    }
    return found->second;
}

void FunctionDecoder::barrier(const Statement &s, Instruction &i) {
    if (!has(s.parts, "sync")) {
        unknown(s);
    }
    expect_operands(s, 1, 1);
    i.op = has(s.parts, "warp") ? Op::WarpBarrier : Op::Barrier;
    i.sync = true;
    i.e = slot(s.operands[0]);
    if (i.op == Op::Barrier && i.e != slot_zero) {
        fail("a barrier other than barrier 0");
    }
}

void FunctionDecoder::shuffle(const Statement &s, Instruction &i) {
    i.sync = has(s.parts, "sync");
    expect_operands(s, i.sync ? 5 : 4, i.sync ? 5 : 4);
    i.op = Op::Shuffle;
    const ShuffleMode mode = has(s.parts, "up")     ? ShuffleMode::Up
                             : has(s.parts, "down") ? ShuffleMode::Down
                             : has(s.parts, "bfly") ? ShuffleMode::Butterfly
                                                    : ShuffleMode::Index;
    if (mode == ShuffleMode::Index && !has(s.parts, "idx")) {
        unknown(s);
    }
    i.mode = static_cast<uint8_t>(mode);
    results(s, i);
    i.a = slot(s.operands[1]);
    i.b = slot(s.operands[2]);
    i.c = slot(s.operands[3]);
    i.e = i.sync ? slot(s.operands[4]) : names_.constant(0xffffffff);
}

void FunctionDecoder::vote(const Statement &s, Instruction &i) {
    const OpcodeParts &p = s.parts;
    i.sync = has(p, "sync");
    expect_operands(s, i.sync ? 3 : 2, i.sync ? 3 : 2);
    i.op = Op::Vote;
    if (!has(p, "all") && !has(p, "any") && !has(p, "uni") && !has(p, "ballot")) {
        unknown(s);
    }
    i.mode = static_cast<uint8_t>(has(p, "all")   ? VoteMode::All
                                  : has(p, "any") ? VoteMode::Any
                                  : has(p, "uni") ? VoteMode::Same
                                                  : VoteMode::Ballot);
    results(s, i);
    i.a = slot(s.operands[1]);
    i.e = i.sync ? slot(s.operands[2]) : names_.constant(0xffffffff);
}

void FunctionDecoder::call(const Statement &s, const Instruction &guarded) {
    const bool with_results = !s.operands.empty() && s.operands[0].kind == Operand::Kind::List;
    const size_t name_at = with_results ? 1 : 0;
    if (s.operands.size() <= name_at || s.operands[name_at].kind != Operand::Kind::Name) {
        fail("a call of a form that the emulator does not know");
    }
    const auto callee = callees_.find(s.operands[name_at].name);
    if (callee == callees_.end()) {
        fail("the function '" + s.operands[name_at].name + "' is called and is not in the module");
    }
    const std::vector<Operand> none;
    const auto &results = with_results ? s.operands[0].elements : none;
    const auto &arguments = s.operands.size() > name_at + 1 ? s.operands[name_at + 1].elements : none;
    copy_all(arguments, callee->second.parameters, guarded, true);
    Instruction i = guarded;
    i.op = Op::Call;
    i.target = callee->second.entry;
    program_.code.push_back(i);
    copy_all(results, callee->second.results, guarded, false);
}

void FunctionDecoder::copy_all(const std::vector<Operand> &own, const std::vector<std::pair<uint64_t, uint64_t>> &its,
                               const Instruction &guarded, bool to_callee) {
    if (own.size() != its.size()) {
        fail("a call with " + std::to_string(own.size()) + " values where " + std::to_string(its.size()) +
             " are declared");
    }
    for (size_t k = 0; k < own.size(); k++) {
        const Place *const place = names_.place(own[k].name);
        if (!place) {
            fail("a call with a value that is no variable of .param");
        }
        const uint64_t mine = place->address;
        copy(guarded, to_callee ? mine : its[k].first, to_callee ? its[k].first : mine, its[k].second);
    }
}

void FunctionDecoder::copy(const Instruction &guarded, uint64_t from, uint64_t to, uint64_t bytes) {
    const uint32_t through = names_.new_slot();
    for (uint64_t done = 0; done < bytes;) {
        Instruction i = guarded;
        i.space = Space::Local;
        i.bytes = static_cast<uint8_t>(bytes - done >= 8 && (from | to) % 8 == 0   ? 8
                                       : bytes - done >= 4 && (from | to) % 4 == 0 ? 4
                                                                                   : 1);
        i.d[0] = through;
        i.op = Op::Load;
        i.offset = static_cast<int64_t>(from + done);
        program_.code.push_back(i);
        i.op = Op::Store;
        i.offset = static_cast<int64_t>(to + done);
        program_.code.push_back(i);
        done += i.bytes;
    }
}

}  // namespace warptile::emulator
