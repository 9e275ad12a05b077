// What the lanes of a warp do together.
//
// A shuffle with a mask is done when every lane that its mask names, exists and has not exited stands at this very
// instruction: PTX would let two shuffles of the same form meet, but a program that relies on it was not meant so. One
// without a mask, of cards before Volta, is done by the lanes that stand there when no lane of the warp can run.
#include "block.h"

namespace warptile::emulator {

namespace {

constexpr uint32_t lane_bits = 31;

/// The lane that a shuffle reads, and whether it is within the segment; the lane itself where it is not.
struct Source {
    uint32_t lane;
    bool inside;
};

Source source_of(ShuffleMode mode, uint32_t lane, uint32_t b, uint32_t c) {
    const uint32_t step = b & lane_bits, clamp = c & lane_bits, segment = c >> 8 & lane_bits;
    const uint32_t least = lane & segment, most = least | (clamp & ~segment);
    int from = 0;
    bool inside = false;
    switch (mode) {
    case ShuffleMode::Up:
        from = static_cast<int>(lane) - static_cast<int>(step);
        inside = from >= static_cast<int>(most);
        break;
    case ShuffleMode::Down:
        from = static_cast<int>(lane + step);
        inside = from <= static_cast<int>(most);
        break;
    case ShuffleMode::Butterfly:
        from = static_cast<int>(lane ^ step);
        inside = from <= static_cast<int>(most);
        break;
    case ShuffleMode::Index:
        from = static_cast<int>(least | (step & ~segment));
        inside = from <= static_cast<int>(most);
        break;
    }
    return {inside ? static_cast<uint32_t>(from) : lane, inside};
}

}  // namespace

/// Lets one group of waiting lanes go on; false where no group is complete.
bool Block::meet(size_t first, size_t end) {
    const Thread *next = nullptr;
    uint32_t members = 0;
    for (size_t t = first; t < end; t++) {
        uint32_t with = 0;
        const Thread &at = threads_[t];
        if (at.state == State::WithWarp && (!next || at.pc < next->pc) && is_complete(first, end, at, with)) {
            next = &at;
            members = with;
        }
    }
    if (!next) {
        return false;
    }
    exchange(first, members, code_[next->pc - 1]);
    bool everyone = true;
    clock_.now++;
    for (size_t t = first; t < end; t++) {
        if (members >> (t - first) & 1) {
            threads_[t].state = State::Ready;
        } else {
            everyone = everyone && threads_[t].state == State::Exited;
        }
    }
    if (everyone) {
        clock_.warp_since[first / 32] = clock_.now;
    }
    return true;
}

/// Whether all lanes stand where the mask of `at` wants them, and which these are.
bool Block::is_complete(size_t first, size_t end, const Thread &at, uint32_t &members) const {
    const Instruction &i = code_[at.pc - 1];
    const uint32_t mask = static_cast<uint32_t>(at.slots[i.e]);
    members = 0;
    for (size_t t = first; t < end; t++) {
        const Thread &other = threads_[t];
        const bool named = !i.sync || (mask >> (t - first) & 1);
        const bool here =
            other.state == State::WithWarp && other.pc == at.pc && static_cast<uint32_t>(other.slots[i.e]) == mask;
        if (here && !named) {
            throw Fault{LaunchFailed, i.line,
                        thread_name(other.id, launch_.block) + " is not in the mask that it gives"};
        }
        if (here) {
            members |= 1u << (t - first);
        } else if (i.sync && named && other.state != State::Exited) {
            return false;
        }
    }
    return true;
}

void Block::exchange(size_t first, uint32_t members, const Instruction &i) {
    if (i.op == Op::Shuffle) {
        shuffle(first, members, i);
    } else if (i.op == Op::Vote) {
        vote(first, members, i);
    }
}

void Block::fail_absent(size_t first, uint32_t lane, const Instruction &i) const {
    const bool exists = first + lane < threads_.size();
    throw Fault{LaunchFailed, i.line,
                "the shuffle reads lane " + std::to_string(lane) + ", which " +
                    (!exists                                         ? "the block does not have"
                     : threads_[first + lane].state == State::Exited ? "has exited"
                                                                     : "does not take part")};
}

void Block::shuffle(size_t first, uint32_t members, const Instruction &i) {
    uint64_t values[32] = {};
    bool inside[32] = {};
    for (uint32_t lane = 0; lane < 32; lane++) {
        if (!(members >> lane & 1)) {
            continue;
        }
        const Thread &t = threads_[first + lane];
        const Source from = source_of(static_cast<ShuffleMode>(i.mode), lane, static_cast<uint32_t>(t.slots[i.b]),
                                      static_cast<uint32_t>(t.slots[i.c]));
        inside[lane] = from.inside;
        if (!(members >> from.lane & 1)) {
            if (launch_.checks.absent_lanes) {
                running_ = &t;
                fail_absent(first, from.lane, i);
            }
            values[lane] = 0x01010101u * poison;
            continue;
        }
        values[lane] = threads_[first + from.lane].slots[i.a] & 0xffffffff;
    }
    for (uint32_t lane = 0; lane < 32; lane++) {
        if (members >> lane & 1) {
            uint64_t *const r = threads_[first + lane].slots;
            r[i.d[0]] = values[lane];
            r[i.d[1]] = inside[lane];
        }
    }
}

void Block::vote(size_t first, uint32_t members, const Instruction &i) {
    uint32_t ballot = 0;
    for (uint32_t lane = 0; lane < 32; lane++) {
        if (members >> lane & 1) {
            ballot |= static_cast<uint32_t>(threads_[first + lane].slots[i.a] & 1) << lane;
        }
    }
    const VoteMode mode = static_cast<VoteMode>(i.mode);
    const uint32_t result = mode == VoteMode::All    ? ballot == members
                            : mode == VoteMode::Any  ? ballot != 0
                            : mode == VoteMode::Same ? ballot == 0 || ballot == members
                                                     : ballot;
    for (uint32_t lane = 0; lane < 32; lane++) {
        if (members >> lane & 1) {
            threads_[first + lane].slots[i.d[0]] = result;
        }
    }
}

}  // namespace warptile::emulator
