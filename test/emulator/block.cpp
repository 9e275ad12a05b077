#include "block.h"

#include <algorithm>
#include <map>

namespace warptile::emulator {

namespace {

uint64_t special_value(Special which, uint32_t id, const Launch &l) {
    const uint32_t lane = id % 32;
    const uint32_t equal = 1u << lane, less = equal - 1;
    switch (which) {
    case Special::ThreadX:
        return id % l.block.x;
    case Special::ThreadY:
        return id / l.block.x % l.block.y;
    case Special::ThreadZ:
        return id / l.block.x / l.block.y;
    case Special::ThreadsX:
        return l.block.x;
    case Special::ThreadsY:
        return l.block.y;
    case Special::ThreadsZ:
        return l.block.z;
    case Special::BlocksX:
        return l.grid.x;
    case Special::BlocksY:
        return l.grid.y;
    case Special::BlocksZ:
        return l.grid.z;
    case Special::Lane:
        return lane;
    case Special::Warp:
        return id / 32;
    case Special::WarpSize:
        return 32;
    case Special::LanesEqual:
        return equal;
    case Special::LanesLess:
        return less;
    case Special::LanesLessEqual:
        return less | equal;
    case Special::LanesGreater:
        return ~(less | equal);
    case Special::LanesGreaterEqual:
        return ~less;
    case Special::DynamicShared:
        return l.dynamic_shared;
    case Special::TotalShared:
        return l.kernel->shared_bytes + l.dynamic_shared;
    case Special::BlockX:
    case Special::BlockY:
    case Special::BlockZ:
        break;  // set for each block
    }
    return 0;
}

}  // namespace

Block::Block(const Launch &launch, uint32_t first_block)
    : launch_(launch), code_(launch.program->code.data()), accesses_(launch, clock_) {
    const size_t count = launch.block.count();
    const Kernel &k = *launch.kernel;
    clock_.block = first_block - 1;
    clock_.first_block = first_block;
    clock_.warp_since.resize((count + 31) / 32);
    slots_.assign(count * k.slots, 0x7f7f7f7f7f7f7f7f);
    local_.resize(count * k.local_bytes);
    threads_.resize(count);
    for (size_t t = 0; t < count; t++) {
        threads_[t].slots = slots_.data() + t * k.slots;
        threads_[t].local = local_.data() + t * k.local_bytes;
        threads_[t].id = static_cast<uint16_t>(t);
        threads_[t].slots[slot_true] = 1;
        threads_[t].slots[slot_zero] = 0;
    }
    preset(launch.program->preset);
    preset(k.preset);
}

void Block::preset(const Preset &preset) {
    for (Thread &t : threads_) {
        for (const auto &[slot, value] : preset.constants) {
            t.slots[slot] = value;
        }
        for (const auto &[slot, which] : preset.specials) {
            t.slots[slot] = special_value(which, t.id, launch_);
        }
    }
}

void Block::begin(const Dim3 &index) {
    clock_.block++;
    clock_.now++;
    clock_.block_since = clock_.now;
    accesses_.begin_block();
    std::fill(local_.begin(), local_.end(), poison);
    for (Thread &t : threads_) {
        t.pc = launch_.kernel->entry;
        t.state = State::Ready;
        t.returns.clear();
        t.last_atomic = nowhere;
        for (const Preset *p : {&launch_.program->preset, &launch_.kernel->preset}) {
            for (const auto &[slot, which] : p->specials) {
                if (which == Special::BlockX || which == Special::BlockY || which == Special::BlockZ) {
                    t.slots[slot] = which == Special::BlockX ? index.x : which == Special::BlockY ? index.y : index.z;
                }
            }
        }
    }
}

void Block::run(const Dim3 &index) {
    try {
        begin(index);
        run_all();
    } catch (const Fault &f) {
        throw LaunchError(f.code, launch_.kernel->name + ", block (" + std::to_string(index.x) + ", " +
                                      std::to_string(index.y) + ", " + std::to_string(index.z) + "), " +
                                      (running_ ? thread_name(running_->id, launch_.block) + ", " : "") + "line " +
                                      std::to_string(f.line) + " of the PTX: " + f.what);
    }
}

void Block::run_all() {
    for (;;) {
        bool moved = false;
        for (size_t first = 0; first < threads_.size(); first += 32) {
            moved |= run_warp(first, std::min(first + 32, threads_.size()));
        }
        running_ = nullptr;
        if (std::all_of(threads_.begin(), threads_.end(), [](const Thread &t) { return t.state == State::Exited; })) {
            return;
        }
        if (at_barrier()) {
            pass_barrier();
        } else if (!moved) {
            fail_waiting();
        }
    }
}

/// False where nobody of the warp could run.
bool Block::run_warp(size_t first, size_t end) {
    bool moved = false;
    do {
        for (size_t t = first; t < end; t++) {
            if (threads_[t].state == State::Ready) {
                running_ = &threads_[t];
                run_thread(threads_[t]);
                moved = true;
            }
        }
        running_ = nullptr;
    } while (meet(first, end));
    return moved;
}

/// Threads that have exited count as arrived, as on a card.
bool Block::at_barrier() const {
    return std::all_of(threads_.begin(), threads_.end(),
                       [](const Thread &t) { return t.state == State::AtBarrier || t.state == State::Exited; });
}

void Block::pass_barrier() {
    std::vector<uint32_t> of_warp(clock_.warp_since.size(), 0);
    for (Thread &t : threads_) {
        if (t.state != State::AtBarrier) {
            continue;
        }
        uint32_t &at = of_warp[t.id / 32];
        if (at != 0 && at != t.pc) {
            running_ = &t;
            throw Fault{LaunchFailed, code_[t.pc - 1].line,
                        "waits at a barrier, and others of its warp at the one of line " +
                            std::to_string(code_[at - 1].line)};
        }
        at = t.pc;
        t.state = State::Ready;
    }
    clock_.block_since = ++clock_.now;
}

void Block::fail_waiting() const {
    std::map<std::pair<int, State>, int> where;
    int line = 0;
    for (const Thread &t : threads_) {
        line = code_[t.pc - 1].line;
        where[{t.state == State::Exited ? 0 : line, t.state}]++;
    }
    std::string text = "the threads wait for each other for ever:";
    for (const auto &[place, count] : where) {
        const auto &[at, state] = place;
        text += " " + std::to_string(count) +
                (state == State::Exited
                     ? " exited,"
                     : (state == State::AtBarrier ? " at the barrier of line " : " at the shuffle of line ") +
                           std::to_string(at) + ",");
    }
    text.pop_back();
    throw Fault{LaunchTimeout, line, text};
}

void Block::run_thread(Thread &thread) {
    uint64_t *const r = thread.slots;
    uint32_t pc = thread.pc;
    uint64_t done = 0, branches = 0;
    for (;;) {
        const Instruction &i = code_[pc++];
        done++;
        if ((r[i.guard] & 1) != i.guard_value) {
            continue;
        }
        switch (i.op) {
        case Op::Compute:
            i.compute(r, i);
            break;
        case Op::Load:
            accesses_.load(thread, i);
            break;
        case Op::Store:
            accesses_.store(thread, i);
            break;
        case Op::Atomic:
            accesses_.atomic(thread, i);
            break;
        case Op::Branch:
        case Op::BranchByIndex:
            if (++branches > launch_.checks.most_branches) {
                throw Fault{LaunchTimeout, i.line, "a loop does not end"};
            }
            pc = i.op == Op::Branch ? i.target : launch_.program->tables[i.target].at(static_cast<uint32_t>(r[i.a]));
            break;
        case Op::Call:
            thread.returns.push_back(pc);
            pc = i.target;
            break;
        case Op::Trap:
            throw Fault{LaunchFailed, i.line, "trap: an assertion of the kernel does not hold"};
        case Op::Nothing:
            break;
        case Op::Return:
            if (!i.mode && !thread.returns.empty()) {
                pc = thread.returns.back();
                thread.returns.pop_back();
                break;
            }
            [[fallthrough]];
        case Op::Barrier:
        case Op::WarpBarrier:
        case Op::Shuffle:
        case Op::Vote:
            thread.state = i.op == Op::Return    ? State::Exited
                           : i.op == Op::Barrier ? State::AtBarrier
                                                 : State::WithWarp;
            thread.pc = pc;
            instructions_ += done;
            return;
        }
    }
}

}  // namespace warptile::emulator
