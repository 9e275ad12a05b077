#include "verify/ptx/liveness.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

namespace warptile {

namespace {

// A set of small numbers.
class BitSet {
public:
    explicit BitSet(size_t size = 0) : words((size + 63) / 64) {}

    bool has(size_t i) const { return words[i / 64] >> (i % 64) & 1; }

    void add(size_t i) { words[i / 64] |= uint64_t(1) << (i % 64); }

    void remove(size_t i) { words[i / 64] &= ~(uint64_t(1) << (i % 64)); }

    // True where something was new.
    bool add_all(const BitSet &other) {
        bool changed = false;
        for (size_t w = 0; w < words.size(); w++) {
            const uint64_t sum = words[w] | other.words[w];
            changed |= sum != words[w];
            words[w] = sum;
        }
        return changed;
    }

private:
    std::vector<uint64_t> words;
};

// What an instruction reads and writes, as numbers of registers.
struct Operation {
    std::vector<size_t> defs, uses;
    bool guarded = false;
};

struct Block {
    std::vector<Operation> operations;
    std::vector<size_t> successors;
};

bool writes_no_register(const PtxInstruction &i) {
    static const std::set<std::string> roots = {"st",      "red",       "bar",   "barrier", "membar",   "fence", "bra",
                                                "brx",     "ret",       "exit",  "trap",    "prefetch", "call",  "cp",
                                                "discard", "nanosleep", "brkpt", "pmevent", "prefetchu"};
    return roots.count(i.root()) > 0;
}

bool ends_block(const PtxInstruction &i) {
    const std::string root = i.root();
    return root == "bra" || root == "brx" || root == "ret" || root == "exit" || root == "trap";
}

class Liveness {
public:
    explicit Liveness(const PtxBody &kernel) : kernel(kernel) {
        find_free_registers();
        build_blocks();
    }

    int highest() {
        solve();
        int most = 0;
        for (size_t b = 0; b < blocks.size(); b++)
            most = std::max(most, highest_in(b));
        return most;
    }

private:
    // The registers that cost nothing: written only from kernel parameters, from block indices, or from copies and
    // address conversions of such.
    void find_free_registers() {
        std::set<std::string> costly;
        bool changed = true;
        while (changed) {
            changed = false;
            for (const PtxInstruction &i : kernel.instructions) {
                if (i.opcode.empty() || writes_no_register(i) || i.operands.empty() || comes_free(i, costly))
                    continue;
                for (const std::string &name : registers_in(i.operands[0]))
                    changed |= costly.insert(name).second;
            }
        }
        for (const std::string &name : costly) {
            const int bits = kernel.bits_of(name);
            if (bits == 0)
                continue;
            number_of[name] = weights.size();
            weights.push_back(bits == 1 ? 0 : (bits + 31) / 32);
        }
    }

    bool comes_free(const PtxInstruction &i, const std::set<std::string> &costly) const {
        if (i.root() == "ld")
            return i.has("param") && registers_in(i.operands.back()).empty();
        if (i.root() != "mov" && i.root() != "cvta")
            return false;
        for (size_t k = 1; k < i.operands.size(); k++) {
            for (const std::string &name : registers_in(i.operands[k])) {
                const bool special = kernel.bits_of(name) == 0;
                if (special ? name.compare(0, 6, "%ctaid") != 0 : costly.count(name) > 0)
                    return false;
            }
        }
        return true;
    }

    void add_numbers(const std::string &operand, std::vector<size_t> &to) const {
        for (const std::string &name : registers_in(operand)) {
            const auto found = number_of.find(name);
            if (found != number_of.end())
                to.push_back(found->second);
        }
    }

    Operation operation_of(const PtxInstruction &i) const {
        Operation op;
        op.guarded = !i.guard.empty();
        add_numbers(i.guard, op.uses);
        const size_t first_use = writes_no_register(i) || i.operands.empty() ? 0 : 1;
        if (first_use == 1)
            add_numbers(i.operands[0], op.defs);
        for (size_t k = first_use; k < i.operands.size(); k++)
            add_numbers(i.operands[k], op.uses);
        return op;
    }

    // Cuts the kernel at labels and behind branches. An indirect branch may go wherever a list of targets says.
    void build_blocks() {
        std::map<std::string, size_t> block_of_label;
        std::vector<std::string> indirect;
        std::vector<std::pair<size_t, const PtxInstruction *>> branches;
        std::vector<size_t> fall_through;  // blocks that go on to the next
        blocks.emplace_back();
        bool open = true;  // whether control can reach the next instruction from the one before
        bool cut = false;
        for (const PtxInstruction &i : kernel.instructions) {
            if (i.opcode == ".branchtargets") {
                indirect.insert(indirect.end(), i.operands.begin(), i.operands.end());
                continue;
            }
            if (!i.label.empty() || cut) {
                if (open)
                    fall_through.push_back(blocks.size() - 1);
                blocks.emplace_back();
                open = true;
                cut = false;
            }
            if (!i.label.empty()) {
                block_of_label[i.label] = blocks.size() - 1;
                continue;
            }
            blocks.back().operations.push_back(operation_of(i));
            if (ends_block(i)) {
                branches.emplace_back(blocks.size() - 1, &i);
                open = !i.guard.empty();
                cut = true;
            }
        }
        for (size_t b : fall_through)
            blocks[b].successors.push_back(b + 1);
        for (const auto &[block, branch] : branches) {
            std::vector<std::string> targets = branch->root() == "brx" ? indirect : branch->operands;
            for (const std::string &target : targets) {
                const auto found = block_of_label.find(target);
                if (found != block_of_label.end())
                    blocks[block].successors.push_back(found->second);
            }
        }
    }

    static void step_back(const Operation &op, BitSet &live) {
        for (size_t r : op.defs) {
            if (!op.guarded)
                live.remove(r);
        }
        for (size_t r : op.uses)
            live.add(r);
    }

    BitSet live_out(size_t block) const {
        BitSet live(weights.size());
        for (size_t s : blocks[block].successors)
            live.add_all(live_in[s]);
        return live;
    }

    void solve() {
        live_in.assign(blocks.size(), BitSet(weights.size()));
        bool changed = true;
        while (changed) {
            changed = false;
            for (size_t b = blocks.size(); b-- > 0;) {
                BitSet live = live_out(b);
                for (auto op = blocks[b].operations.rbegin(); op != blocks[b].operations.rend(); ++op)
                    step_back(*op, live);
                changed |= live_in[b].add_all(live);
            }
        }
    }

    int weight(const BitSet &live) const {
        int sum = 0;
        for (size_t r = 0; r < weights.size(); r++)
            sum += live.has(r) ? weights[r] : 0;
        return sum;
    }

    // A result takes a register beside all that lives on behind it, also where nobody reads it; an operand that dies
    // can lend it its own.
    int highest_in(size_t block) const {
        BitSet live = live_out(block);
        int now = weight(live), most = now;
        const auto &operations = blocks[block].operations;
        for (auto op = operations.rbegin(); op != operations.rend(); ++op) {
            int dead_results = 0;
            for (size_t r : op->defs)
                dead_results += live.has(r) ? 0 : weights[r];
            most = std::max(most, now + dead_results);
            for (size_t r : op->defs) {
                if (!op->guarded && live.has(r))
                    now -= weights[r], live.remove(r);
            }
            for (size_t r : op->uses) {
                if (!live.has(r))
                    now += weights[r], live.add(r);
            }
            most = std::max(most, now);
        }
        return most;
    }

    const PtxBody &kernel;
    std::map<std::string, size_t> number_of;  // of the registers that cost something
    std::vector<int> weights;                 // by number, in 32-bit registers
    std::vector<Block> blocks;
    std::vector<BitSet> live_in;
};

}  // namespace

int live_registers(const PtxBody &kernel) { return Liveness(kernel).highest(); }

}  // namespace warptile
