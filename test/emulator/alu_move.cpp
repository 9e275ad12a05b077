// Moves, values packed of parts and taken apart, and addresses brought from one space to another.
#include "address.h"
#include "alu.h"
#include "values.h"

namespace warptile::emulator {

namespace {

void move(uint64_t *r, const Instruction &i) { r[i.d[0]] = r[i.a]; }

uint64_t low_bytes(uint64_t value, int bytes) {
    return bytes >= 8 ? value : value & ((uint64_t(1) << (8 * bytes)) - 1);
}

/// mov.b64 d, {a, b}: `count` parts of `bytes`, the first in the low bits.
void pack(uint64_t *r, const Instruction &i) {
    const uint32_t parts[] = {i.a, i.b, i.c, i.e};
    uint64_t whole = 0;
    for (int k = 0; k < i.count; k++) {
        whole |= low_bytes(r[parts[k]], i.bytes) << (8 * i.bytes * k);
    }
    r[i.d[0]] = whole;
}

/// mov.b64 {d, d}, a.
void unpack(uint64_t *r, const Instruction &i) {
    const uint64_t whole = r[i.a];
    for (int k = 0; k < i.count; k++) {
        r[i.d[static_cast<size_t>(k)]] = low_bytes(whole >> (8 * i.bytes * k), i.bytes);
    }
}

void add_window(uint64_t *r, const Instruction &i) { r[i.d[0]] = r[i.a] + static_cast<uint64_t>(i.offset); }

void take_window(uint64_t *r, const Instruction &i) { r[i.d[0]] = r[i.a] - static_cast<uint64_t>(i.offset); }

/// isspacep.
void is_in_window(uint64_t *r, const Instruction &i) { r[i.d[0]] = space_of_generic(r[i.a]) == i.space; }

}  // namespace

Compute find_move(const OpcodeParts &p) {
    const std::string &root = p[0];
    return root == "mov"                    ? &move
           : root == "mov_pack"             ? &pack
           : root == "mov_unpack"           ? &unpack
           : root == "cvta" && has(p, "to") ? &take_window
           : root == "cvta"                 ? &add_window
           : root == "isspacep"             ? &is_in_window
                                            : nullptr;
}

}  // namespace warptile::emulator
