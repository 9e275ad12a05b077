// What a tile of one Func needs of all the others: the required regions, stage by stage and side by side, from a
// group's output back to its inputs. This is the arithmetic of Halide's bounds inference on plain integers, fast enough
// to be called for every candidate tile (10^5 a second through a dozen stages).
#pragma once

#include <cstdint>
#include <vector>

#include "dag/function_dag.h"

namespace warptile {

/// Of the output's update, what a tile is of: all steps of its reductions, or one.
enum class TileSteps { All, One };

/// How far the largest extent that a tile needs of a dimension is known.
enum class Known {
    Fixed,      ///< it is one number at every size of the pipeline
    AtRunTime,  ///< data, sizes or parameters say what it is, much the same for every tile: the bins of a histogram
    Drifting,   ///< it grows as the tile moves
};

/// Computes footprints again and again for one group without allocating: keep one for each group.
class Footprint {
public:
    /// `members` are the Funcs computed inside the tile (the output excluded), in any order; Funcs that are neither
    /// members nor the output nor reached through `inlined` are the group's inputs. `inlined[id]`: the Func is inlined
    /// into its consumers, so that its region is passed on and costs no storage. With TileSteps::One `max_extents` are
    /// those of one step of the output's first update, wherever the step lies; `regions` are of all.
    Footprint(const FunctionDag &dag, int output, const std::vector<int> &members, const std::vector<bool> &inlined,
              TileSteps tile_steps = TileSteps::All);

    /// Regions for the tile `tile` of the output (one interval a dimension of the output). Regions are indexed by node
    /// id; a node that the group does not touch has an empty Region. With update stages, a Func's region is the hull of
    /// what its consumers need and of what its own updates read and write of it.
    const std::vector<Region> &regions(const Region &tile);

    /// The largest extents over every place that the tile can have (for storage bounds), indexed as above.
    const std::vector<std::vector<int64_t>> &max_extents(const std::vector<int64_t> &tile);

    /// Nodes of the group, the output first, then members and inlined Funcs, consumers before producers.
    const std::vector<int> &order() const { return order_; }

    /// Funcs and buffers outside the group that it reads, ascending.
    const std::vector<int> &inputs() const { return inputs_; }

    /// Whether the group reads or computes anything of the node.
    bool touches(int id) const { return touched_[static_cast<size_t>(id)]; }

    /// Whether the node's `max_extents` hold at every size of the pipeline. They do not, and are those of the
    /// estimates, where some access is unbounded, a reduction's length is not constant, or two accesses drift apart as
    /// the tile moves (`f(x) + f(2 * x)`): such a node can have no constant storage bound.
    bool fixed_extents(int id) const;

    /// By dimension of the node, how far its `max_extents` hold.
    const std::vector<Known> &known_extents(int id) const { return known_[static_cast<size_t>(id)]; }

private:
    // One axis of one access, flat: the terms are terms_[first_term, last_term).
    struct Axis {
        int producer = 0, dim = 0;
        int first_term = 0, last_term = 0;
        AxisAccess::Kind kind = AxisAccess::Kind::Affine;
        int64_t denominator = 1, lo = 0, hi = 0;
        Interval limits = kEverything;
        bool estimated = false;
    };

    struct Loop {
        int dim = -1;    // of the Func; -1 for a reduction variable
        int slope = -1;  // of a reduction variable of which a tile is one step: its place in Drift::slope
        Interval range;  // of a reduction variable
        bool known = true;
    };

    struct Step {
        int node = 0;
        int first_loop = 0, last_loop = 0;
        int first_axis = 0, last_axis = 0;
    };

    // Where one dimension's interval lies as a function of the tile's origin t, with the reduction's step behind it
    // where a tile is of one: within [slope.t + low, slope.t + high].
    struct Drift {
        bool set = false;
        bool conflict = false;  // it drifts apart, or is unbounded: take the whole of the estimate
        bool fixed = true;      // the extent holds at every size
        bool by_data = false;   // not, since data or sizes say how far it reaches
        std::vector<double> slope;
        double low = 0, high = 0;
        int64_t extent = 0;
        uint64_t clamps = 0;  // the clamps on the way here; equal ones move together
    };

    void find_order(int output, const std::vector<int> &members, const std::vector<bool> &inlined);
    void add_steps(int id, TileSteps tile_steps);
    void add_axes(const std::vector<Access> &accesses, int producer);
    Interval covered(const Axis &axis) const;
    Drift drift(const Axis &axis) const;
    void apply_bounds(int id);
    void find_drifts(const std::vector<int64_t> &tile);
    void settle(int id);

    const FunctionDag &dag_;
    std::vector<int> order_;
    std::vector<int> inputs_;
    std::vector<bool> touched_;
    std::vector<std::vector<Known>> known_;  // by node and dimension
    std::vector<bool> bounded_;              // the Funcs whose `bound`s apply: those that are computed, not inlined
    std::vector<Step> steps_;
    std::vector<Loop> loops_;
    std::vector<Axis> axes_;
    std::vector<Term> terms_;
    std::vector<Interval> loop_ranges_;
    std::vector<Drift> loop_drifts_;
    size_t slopes_ = 0;  // of a Drift
    std::vector<Region> regions_;
    std::vector<std::vector<Drift>> drifts_;  // per node and dimension
    std::vector<std::vector<int64_t>> extents_;
};

}  // namespace warptile
