#pragma once

// One group of Funcs that a kernel computes, with what is needed again and again to cost its tiles: the stages'
// expanded costs, the extents that a tile needs (remembered by tile), and the whole regions.

#include <cstdint>
#include <map>
#include <vector>

#include "dag/footprint.h"
#include "dag/function_dag.h"
#include "model/expansion.h"

namespace warptile {

class GroupView {
public:
    /// `members` without the output; `inlined` by node id. A member is never inlined.
    GroupView(const FunctionDag &dag, int output, const std::vector<int> &members, std::vector<bool> inlined);

    const FunctionDag &dag() const { return dag_; }

    int output() const { return output_; }

    const Node &output_node() const { return dag_.node(output_); }

    /// Consumers before producers.
    const std::vector<int> &members() const { return members_; }

    const std::vector<bool> &inlined() const { return inlined_; }

    /// Buffers and Funcs of other groups that are read, ascending.
    const std::vector<int> &inputs() const { return inputs_; }

    /// All inlined Funcs on the way, consumers before producers.
    const std::vector<int> &inlined_funcs() const { return inlined_funcs_; }

    bool is_member(int node) const;
    bool is_input(int node) const;

    const Expansion &expansion(int node, int stage) const;
    /// Nodes of the group (output or members) that read `node`, in the order of `members`.
    std::vector<int> readers(int node) const;

    /// Points that a tile of the output needs of a node, per dimension, wherever the tile lies.
    const std::vector<int64_t> &extents(const std::vector<int64_t> &tile, int node) const;

    /// Whether these hold at every size of the pipeline.
    bool fixed_extents(int node) const { return footprint_.fixed_extents(node); }

    const std::vector<Known> &known_extents(int node) const { return footprint_.known_extents(node); }

    /// The same of what one step of a member's update needs of a node, `tile` being one of the member.
    const std::vector<int64_t> &step_extents(int member, const std::vector<int64_t> &tile, int node) const;

    bool fixed_step_extents(int member, int node) const { return steps_of(member).fixed_extents(node); }

    /// How often the region of a node is halved (or divided otherwise) on the way from the output, in the dimension
    /// where that is most often; twice where the taps are further apart than a point of the divided dimension. Each
    /// makes its extents depend on where the tile lies, which Halide has to bound.
    int divisions(int node) const { return divisions_[static_cast<size_t>(slot(node))]; }

    /// What the whole output needs of a node at the estimates.
    const Region &whole(int node) const { return whole_[static_cast<size_t>(slot(node))]; }

private:
    void count_divisions();
    Footprint &steps_of(int member) const;

    int slot(int node) const { return slots_[static_cast<size_t>(node)]; }

    const FunctionDag &dag_;
    int output_;
    std::vector<bool> inlined_;
    mutable Footprint footprint_;
    mutable std::map<int, Footprint> step_footprints_;  // by member, where they were asked for
    std::vector<int> members_, inputs_, inlined_funcs_;
    std::vector<int> slots_;                          // node -> index in the compact tables below; -1: not of the group
    std::vector<std::vector<Expansion>> expansions_;  // [slot][stage]
    std::vector<Region> whole_;
    std::vector<int> divisions_;
    mutable std::map<std::vector<int64_t>, std::vector<std::vector<int64_t>>> extents_;
};

}  // namespace warptile
