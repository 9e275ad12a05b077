#include "order.h"

namespace warptile::emulator {

namespace {

bool same_warp(const Stamp &s, const Accessor &by) { return s.thread / 32 == by.thread / 32; }

/// Of a stamp that stands for the thread or threads that `readers` says.
bool is_before(const Stamp &s, const Accessor &by, uint16_t readers) {
    if (s.block < by.first_block) {
        return true;
    }
    if (s.block != by.block || readers == ManyBlocks) {
        return false;
    }
    return s.time < by.block_since || (readers == OneThread && s.thread == by.thread) ||
           (readers <= OneWarp && same_warp(s, by) && s.time < by.warp_since);
}

void mark(Stamp &s, const Accessor &by) {
    s.block = by.block;
    s.time = by.now;
    s.line = by.line & 0x7fffffff;
    s.atomic = by.atomic;
    s.thread = by.thread;
    s.other = 0;
}

void note_read(Stamp &read, const Accessor &by) {
    if (is_before(read, by, read.other)) {
        mark(read, by);
        return;
    }
    const Readers with_me = read.block != by.block ? ManyBlocks : same_warp(read, by) ? OneWarp : OneBlock;
    if (read.other < with_me && (read.thread != by.thread || read.block != by.block)) {
        read.other = with_me;
    }
    read.time = by.now;
}

}  // namespace

const Stamp *read_races_with(Cell &cell, const Accessor &by) {
    const Stamp &write = cell.write;
    const bool wrote_the_same = write.block == by.block && write.other == by.thread + 1;
    if (!is_before(write, by, OneThread) && !wrote_the_same && !(by.atomic && write.atomic)) {
        return &write;
    }
    if (!by.atomic) {
        note_read(cell.read, by);
    }
    return nullptr;
}

const Stamp *write_races_with(Cell &cell, const Accessor &by, bool changes) {
    Stamp &write = cell.write;
    const bool after_write = is_before(write, by, OneThread);
    if (changes && !after_write && !(by.atomic && write.atomic)) {
        return &write;
    }
    if (changes && !is_before(cell.read, by, cell.read.other)) {
        return &cell.read;
    }
    if (after_write || by.atomic) {
        mark(write, by);
    } else {
        write.other = static_cast<uint16_t>(by.thread + 1);
    }
    return nullptr;
}

}  // namespace warptile::emulator
