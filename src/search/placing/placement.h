#pragma once

// Where each member of a group is computed, by rule: a `Form` says what is preferred, and what Halide's lowering
// demands of each placement (schedule/rules/check_members.cpp) says what is possible. A producer is never computed
// further in than its readers.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/kernel.h"

namespace warptile {

/// What a kernel prefers for its members.
enum class Form {
    Block,   ///< shared memory
    Thread,  ///< everything in registers of the thread
    Warp,    ///< lane registers
    Stream,  ///< lane registers, of each row only until it was read for the last time
    Rows,    ///< reductions along rows by 32 threads a row, through shared memory
};

std::string to_string(Form form);

/// Where a part may be computed.
struct Place {
    Placement placement = Placement::Block;
    int step_of = -1;  ///< Thread: the node at each of whose steps (Member::each_step); -1: once a thread
};

inline bool operator==(const Place &a, const Place &b) { return a.placement == b.placement && a.step_of == b.step_of; }

/// What is to be otherwise than the form would have it, where that may be.
struct Wishes {
    std::map<int, Place> places;  ///< by node; a reduction that has one is not split
    std::set<int> unstaged;       ///< inputs that are read where they lie
};

struct Permissions {
    bool whole_tiles = true;  ///< the output's tiles are rounded up, so that their places are multiples of their sizes
};

/// Adds the members of `view` and copies of the inputs `copies` to `kernel`, whose tile is set. False: this form has no
/// legal placement for some of them, or would come out as another form.
bool arrange(const GroupView &view, const std::vector<int> &copies, Form form, const Permissions &may, Kernel &kernel,
             const Wishes &wishes = {});

/// Deals dimensions of a Func to the block's threads: as many as there are, the adjacent one first. Only dimensions
/// that the first `stages` stages of the Func all run over: a copy has one, whatever it is a copy of. Empty: it has
/// none.
std::vector<AxisTile> deal_to_threads(const Node &node, const std::vector<int64_t> &extents,
                                      const std::vector<int> &threads, size_t stages);

/// Deals a reduction's partial results in shared memory to `factor` threads a row, and its points, `extents` of them,
/// to the `threads` beside these.
void deal_rows(const Node &node, const std::vector<int64_t> &extents, const std::vector<int> &threads, Part &partial);

/// How often a member's region may be divided on the way from the output (`GroupView::divisions`): beyond, Halide finds
/// no constant that bounds its extents, and in registers it needs one.
constexpr int kMostDivisions = 2, kMostDivisionsInShifted = 1;

constexpr int64_t kMostChunks = 4;

}  // namespace warptile
