// Instructions that reach memory: loads, stores, atomic additions and the addresses that they take.
#include "function_decoder.h"

namespace warptile::emulator {

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

}  // namespace warptile::emulator
