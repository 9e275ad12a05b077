// Flags of nodes: see dag_flags.h.
//
// Raw inputs: Halide checks at run time that an input holds all that is read of it. When a tail rounds up a Func's
// extent, what that Func reads grows with it, unless a clamp to bounds of its own stops the growth (boundary conditions
// do) or the index takes values of a fixed interval. Growth passes through producers dimension by dimension. An output
// that other Funcs read ends where the caller's buffer does, and is raw to them as an input is.

#include "dag/dag_flags.h"

#include <algorithm>

namespace warptile {

namespace {

size_t index(int i) { return static_cast<size_t>(i); }

bool is_identity(const AxisAccess &axis, int loop) {
    return axis.kind == AxisAccess::Kind::Affine && axis.denominator == 1 && axis.lo == 0 && axis.hi == 0 &&
           axis.terms.size() == 1 && axis.terms[0].numerator == 1 && axis.terms[0].loop == loop;
}

bool is_pointwise_access(const Access &access) {
    int last = -1;
    for (const AxisAccess &axis : access.axes) {
        const bool constant = axis.kind == AxisAccess::Kind::Affine && axis.terms.empty() && axis.lo == axis.hi;
        if (constant) {
            continue;
        }
        if (axis.terms.size() != 1 || axis.terms[0].loop <= last || axis.limits != kEverything ||
            !is_identity(axis, axis.terms[0].loop)) {
            return false;
        }
        last = axis.terms[0].loop;
    }
    return true;
}

bool is_pointwise(const FunctionDag &dag, const Node &node) {
    if (node.kind != NodeKind::Func || node.stages.size() != 1) {
        return false;
    }
    const std::vector<int> &edges = dag.edges_into[index(node.id)];
    return std::all_of(edges.begin(), edges.end(), [&](int e) {
        const std::vector<Access> &accesses = dag.edges[index(e)].accesses;
        return std::all_of(accesses.begin(), accesses.end(), is_pointwise_access);
    });
}

// Whether the growth of a dimension makes the index grow that the loop `at` is a term of: it is the dimension's own, or
// the `where` lets more of its steps through.
bool grows_with(const Stage &stage, int at, size_t dim) {
    const int own = stage.pure_of_dim[dim];
    const Loop &loop = stage.loops[index(at)];
    if (!loop.reduction) {
        return own == at;
    }
    return own >= 0 && stage.where_bounds && loop.in_where && stage.loops[index(own)].in_where;
}

// Marks the dimensions of the consumer whose growth makes these accesses grow in a raw dimension of the producer. A
// clamp to an input's own size ends where the input does; any other clamp, and one around a Func that is more than the
// input, may lie further out than what the pipeline needs.
void mark_growth(const std::vector<Access> &accesses, const Stage &stage, const Node &producer,
                 const std::vector<bool> &raw_of_producer, std::vector<bool> &raw) {
    const bool is_input = producer.kind == NodeKind::Input || producer.wraps_input;
    for (const Access &access : accesses) {
        for (size_t d = 0; d < access.axes.size(); d++) {
            const AxisAccess &axis = access.axes[d];
            if (!raw_of_producer[d] || (axis.clamped && axis.sized && is_input)) {
                continue;
            }
            if (axis.kind == AxisAccess::Kind::Unknown) {
                raw.assign(raw.size(), true);
            }
            for (const Term &t : axis.terms) {
                for (size_t dim = 0; dim < raw.size(); dim++) {
                    raw[dim] = raw[dim] || grows_with(stage, t.loop, dim);
                }
            }
        }
    }
}

void set_raw_dims(const FunctionDag &dag, Node &node) {
    node.raw_dims.assign(index(node.dims()),
                         node.kind == NodeKind::Input || (node.kind == NodeKind::Extern && !node.producers.empty()));
    if (node.kind == NodeKind::Func && node.on_host()) {
        // What it prints or requires of more points, the unscheduled pipeline does not.
        node.raw_dims.assign(node.raw_dims.size(), true);
    } else if (node.kind == NodeKind::Func) {
        std::vector<bool> before;
        do {  // an update passes the growth of one dimension on to another; each round adds a dimension or is the last
            before = node.raw_dims;
            for (const int e : dag.edges_into[index(node.id)]) {
                const Edge &edge = dag.edges[index(e)];
                const Node &producer = dag.node(edge.producer);
                const std::vector<bool> raw =
                    producer.is_output ? std::vector<bool>(producer.raw_dims.size(), true) : producer.raw_dims;
                mark_growth(edge.accesses, node.stages[index(edge.stage)], producer, raw, node.raw_dims);
            }
            for (const Stage &stage : node.stages) {
                mark_growth(stage.own, stage, node, before, node.raw_dims);
            }
        } while (before != node.raw_dims);
        for (const BoundRule &rule : node.bounds) {
            if (rule.kind == BoundRule::Kind::Fixed) {
                node.raw_dims[index(rule.dim)] = false;
            }
        }
    }
    node.reads_raw_input = std::find(node.raw_dims.begin(), node.raw_dims.end(), true) != node.raw_dims.end();
}

}  // namespace

// A boundary condition reads point x at x, or, beyond the edges, at some point of a fixed interval.
bool only_wraps(const Node &node, const Node &producer, const Edge &edge) {
    if ((producer.kind != NodeKind::Input && !producer.wraps_input) || producer.dims() != node.dims() ||
        edge.data_dependent || edge.loads > static_cast<int>(node.type_bytes.size())) {
        return false;
    }
    return std::all_of(edge.accesses.begin(), edge.accesses.end(), [](const Access &access) {
        for (size_t d = 0; d < access.axes.size(); d++) {
            if (access.axes[d].kind != AxisAccess::Kind::Absolute &&
                !is_identity(access.axes[d], static_cast<int>(d))) {
                return false;
            }
        }
        return true;
    });
}

void set_flags(FunctionDag &dag) {
    for (Node &node : dag.nodes) {  // producers first
        node.pointwise = is_pointwise(dag, node);
        set_raw_dims(dag, node);
    }
}

bool FunctionDag::steps_read_raw_input(int id) const {
    const std::vector<int> &producers = node(id).producers;
    return node(id).reads_raw_input || std::any_of(producers.begin(), producers.end(), [&](int p) {
               return node(p).kind == NodeKind::Input || node(p).reads_raw_input;
           });
}

}  // namespace warptile
