// The pipeline as WarpTile sees it: a directed acyclic graph of Funcs and input buffers, with the loops of every stage,
// the way each load walks its producer, and the operations a point costs. It is plain data in plain integers: once read
// from Halide's IR (`read_function_dag`), nothing in here refers to Halide, so that costing a tile is arithmetic only.
//
// Consumers come before producers nowhere: `nodes` is in topological order, every producer before its consumers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dag/access.h"
#include "dag/region.h"

namespace warptile {

/// What a point of a stage costs, counted over the stage's right-hand sides and index expressions.
struct OpCounts {
    int float_ops = 0;    ///< additions, multiplications, comparisons, selects on floating-point values
    int int_ops = 0;      ///< the same on integers
    int special_ops = 0;  ///< divisions, square roots, exp, log, sin, pow, … (the SFU or a sequence)
    int choices = 0;      ///< of the first two: minima, maxima, comparisons, selects
    int index_ops = 0;    ///< integer operations that only make up an index and that no data go into
    int loads = 0;        ///< distinct loads (equal loads are counted once)

    int total() const { return float_ops + int_ops + special_ops + index_ops; }
};

/// What the steps of a loop of an update do to each other (`dependences.h`).
enum class Dependence {
    Apart,    ///< no two touch the same place: they may run side by side
    Sum,      ///< they meet at one place, where an associative and commutative operator joins them, in any order
    Scatter,  ///< the same, at a place that depends on the step: some may meet
    Ordered,  ///< one after the other
};

/// One loop of a stage: a pure variable, or a reduction variable.
struct Loop {
    std::string name;  ///< as in the Func's definition (`f.args()[i]`, or the RVar's name)
    bool reduction = false;
    Interval estimate;          ///< from the estimates (pure) or the RDom (reduction); inclusive
    bool extent_known = false;  ///< a reduction variable whose bounds are constants
    bool constant = false;      ///< a pure variable: the same steps at every size (`constant_regions.h`)
    Dependence dependence = Dependence::Apart;
    /// Apart, which Halide cannot tell: it has to be promised so, and lets no two such loops change places, unless the
    /// update is associative and commutative.
    bool promised = false;
    /// Apart within a turn of the stage's `turns` outermost reductions, and only there; to be promised as well.
    bool apart_in_turn = false;
    bool in_where = false;  ///< the `where` of the stage's RDom depends on it
};

/// A loop of few steps that cost less together than apart (`halide/channels.h`).
struct Channel {
    int loop = -1;     ///< index in Stage::loops; -1: there is none
    int steps = 1;     ///< of it, at the estimates
    OpCounts numbers;  ///< what all of them cost in one thread, if the code knows their numbers …
    OpCounts apart;    ///< … and if it does not: what is shared is computed once, what is chosen is chosen by each
};

/// One definition of a Func: stage 0 is the pure definition, stage k the k-th update.
struct Stage {
    std::vector<Loop> loops;  ///< pure variables in argument order (those that an update keeps), then reduction ones
    OpCounts ops;             ///< for one point of the loops
    Channel channel;
    bool has_predicate = false;  ///< the RDom has a `where`
    bool where_bounds = false;  ///< … without which, or cut into parts, it would read an input further (where_bounds.h)
    bool undefined = false;     ///< all its values are `undef`: Halide makes no loop for it
    bool associative = false;  ///< an update whose operator is proven associative, so that it may have partial results
    bool commutative = false;
    /// It is both, but not as Halide knows: its steps change places only where it has partial results
    /// (`halide/choice.h`).
    bool chooses = false;
    /// It adds to numbers of 32 or 64 bits, integers or floating-point: what Halide makes one atomic instruction of.
    bool adds = false;
    bool rounds = false;           ///< in another order its result may differ by what is rounded
    std::vector<int> pure_of_dim;  ///< per dimension of the Func: the loop that is stored there, or -1 where an update
                                   ///< writes elsewhere
    bool scatters = false;         ///< an update whose left-hand side indexes by data or by a reduction variable
    /// What an update reads and writes of its own Func (no edge leads from a node to itself).
    std::vector<Access> own;
    /// So many of its outermost reduction loops, taken one step after the other, leave those next to them apart
    /// (`Loop::apart_in_turn`), as steps in time leave the points of a grid; 0: none do that.
    int turns = 0;

    /// Whether Halide lets its steps change places.
    bool any_order() const { return associative && commutative && !chooses; }

    /// Of all its reduction loops together, at the estimates; saturating (saturating.h).
    int64_t steps() const;

    /// Of all its loops together, those over dimensions too.
    double iterations() const;
};

enum class NodeKind { Func, Input, Extern };

/// A Func, an input buffer (an ImageParam or a Buffer), or an extern stage.
struct Node {
    int id = 0;  ///< index in FunctionDag::nodes
    NodeKind kind = NodeKind::Func;
    std::string name;               ///< Halide's name, `$` suffix included
    int func_index = -1;            ///< i of `pipeline.get_func(i)`; -1 for inputs
    std::vector<std::string> args;  ///< names of the pure variables, innermost in storage first
    std::vector<int> type_bytes;    ///< bytes of each tuple element
    std::vector<int> type_bits;     ///< bits of each tuple element (1 for bool)
    bool is_output = false;
    int output_index = -1;
    Region estimate;             ///< the region computed at the estimates, one interval a dimension
    std::vector<Stage> stages;   ///< empty for inputs and extern stages
    std::vector<int> producers;  ///< ids, ascending, without repetition
    std::vector<int> consumers;  ///< ids, ascending, without repetition
    bool wraps_input = false;  ///< only a boundary condition (or a plain copy or cast) around one input: always inlined
    bool known_strides = false;  ///< of an input: how far apart its rows are in memory are numbers of the code
    bool table = false;       ///< every value that is read is a constant of the code once inlined; its operations are 0
    bool loses_cast = false;  ///< inlined, a cast to integers would be lost (`halide/casts.h`)
    /// Stored, it would have an input read further than the unscheduled pipeline reads it (`overreads.h`): only
    /// inlined.
    bool overreads = false;
    /// Halide knows no bound of where it is read, so that it cannot be stored (`bounds/root_regions.h`): only inlined.
    bool unbounded = false;
    /// Nodes whose `where` Halide does not see when it asks how far they read this one, which has to be stored
    /// (`unseen_where.h`); ascending.
    std::vector<int> unseen_where;
    bool pointwise = false;  ///< one stage, every load at the point itself or at constants
    /// Growing the computed region of this Func grows what is read of an input buffer, or of the buffer of another
    /// output: some load on a path to one is not clamped. Tails that round up would then read where the unscheduled
    /// pipeline does not.
    bool reads_raw_input = false;
    std::vector<bool> raw_dims;     ///< the same, for each dimension that grows
    std::vector<BoundRule> bounds;  ///< of `bound` and `align_bounds`, in the order in which they apply
    bool wrapper =
        false;  ///< made by the user's `in()` or `clone_in()`: not among `pipeline.get_func(i)`, func_index is -1
    std::string scheduled_by;  ///< the call by which the user scheduled it by hand already ("compute_at"); empty: none
    /// Why the host alone can compute it, as words that follow its name (`halide/device.h`); empty where a GPU can.
    /// Extern stages are among them.
    std::string only_on_host;

    int dims() const { return static_cast<int>(args.size()); }

    bool only_inlined() const { return overreads || unbounded; }

    bool on_host() const { return kind == NodeKind::Extern || !only_on_host.empty(); }

    int bytes() const;  ///< of one point, over all tuple elements
};

/// All loads of one producer by one stage of one consumer.
struct Edge {
    int consumer = 0;
    int stage = 0;  ///< of the consumer
    int producer = 0;
    std::vector<Access> accesses;  ///< distinct access matrices; offsets of equal matrices are merged into [lo, hi]
    /// Distinct loads that a point of the consumer's loops makes; 0 where an extern stage is handed the producer whole.
    int loads = 0;
    bool data_dependent =
        false;  ///< some index depends on a loaded value, or is no affine function of the loops and not bounded
};

struct FunctionDag {
    std::vector<Node> nodes;
    std::vector<Edge> edges;                     ///< ordered by (consumer, stage, producer)
    std::vector<std::vector<int>> edges_out_of;  ///< per node: indices of the edges in which it is the producer
    std::vector<std::vector<int>> edges_into;    ///< per node: indices of the edges in which it is the consumer
    std::vector<int> outputs;                    ///< node ids, in the pipeline's order
    std::string fingerprint;  ///< hexadecimal; equal for equal algorithms, whatever the Funcs' `$` suffixes

    const Node &node(int id) const { return nodes[static_cast<size_t>(id)]; }

    /// Whether more steps of the node's loops, reductions among them, would read more of an input buffer.
    bool steps_read_raw_input(int node) const;
};

/// A readable listing, one line a node and an edge (what `HL_DEBUG_WARPTILE=dag` prints).
std::string to_string(const FunctionDag &dag);

}  // namespace warptile
