// Instructions by which threads go elsewhere or meet: branches, barriers, shuffles, votes and calls.
#include "function_decoder.h"

namespace warptile::emulator {

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
