// Pipelines put together by hand, as plain data, for tests of what does not know Halide.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "dag/function_dag.h"

namespace warptile {

/// Builds a FunctionDag node by node. Every Func has loops over all its dimensions; taps are boxes of offsets.
class HandDag {
public:
    int input(const std::string &name, Region estimate, int bytes = 4) {
        Node node = named(name, std::move(estimate), bytes);
        node.kind = NodeKind::Input;
        return add(node);
    }

    /// A pure Func of `float_ops` operations a point.
    int func(const std::string &name, Region estimate, int float_ops, int bytes = 4) {
        Node node = named(name, std::move(estimate), bytes);
        node.func_index = funcs_++;
        Stage stage;
        stage.ops.float_ops = float_ops;
        for (int d = 0; d < node.dims(); d++) {
            Loop loop;
            loop.name = node.args[static_cast<size_t>(d)];
            loop.estimate = node.estimate[static_cast<size_t>(d)];
            stage.loops.push_back(loop);
            stage.pure_of_dim.push_back(d);
        }
        node.stages.push_back(stage);
        return add(node);
    }

    /// An update over all dimensions and one reduction of constant length.
    void reduce(int node, int64_t length, int float_ops) {
        Stage stage = dag_.nodes[static_cast<size_t>(node)].stages[0];
        Loop loop;
        loop.name = "r";
        loop.reduction = true;
        loop.estimate = {0, length - 1};
        loop.extent_known = true;
        loop.dependence = Dependence::Sum;
        stage.loops.push_back(loop);
        stage.ops.float_ops = float_ops;
        stage.associative = stage.commutative = true;
        stage.rounds = float_ops > 0;
        dag_.nodes[static_cast<size_t>(node)].stages.push_back(stage);
    }

    /// One axis of a load: scale * loop + [lo, hi].
    static AxisAccess along(int loop, int64_t lo = 0, int64_t hi = 0, int64_t scale = 1, int64_t divide = 1) {
        AxisAccess axis;
        Term term;
        term.loop = loop;
        term.numerator = scale;
        axis.terms = {term};
        axis.denominator = divide;
        axis.lo = lo;
        axis.hi = hi;
        return axis;
    }

    static AxisAccess at(int64_t lo, int64_t hi) {
        AxisAccess axis;
        axis.lo = lo;
        axis.hi = hi;
        return axis;
    }

    void reads(int consumer, int producer, std::vector<AxisAccess> axes, int loads, int stage = 0, bool data = false) {
        Access access;
        access.axes = std::move(axes);
        access.loads = loads;
        Edge edge;
        edge.consumer = consumer;
        edge.stage = stage;
        edge.producer = producer;
        edge.accesses = {access};
        edge.loads = loads;
        edge.data_dependent = data;
        dag_.edges.push_back(edge);
    }

    /// One load, at the point that is computed.
    void reads_point(int consumer, int producer) {
        std::vector<AxisAccess> axes;
        for (int d = 0; d < node(producer).dims(); d++) {
            axes.push_back(along(d));
        }
        reads(consumer, producer, axes, 1);
    }

    FunctionDag done(const std::vector<int> &outputs) {
        dag_.edges_into.assign(dag_.nodes.size(), {});
        dag_.edges_out_of.assign(dag_.nodes.size(), {});
        for (size_t e = 0; e < dag_.edges.size(); e++) {
            const Edge &edge = dag_.edges[e];
            dag_.edges_into[static_cast<size_t>(edge.consumer)].push_back(static_cast<int>(e));
            dag_.edges_out_of[static_cast<size_t>(edge.producer)].push_back(static_cast<int>(e));
            add_once(dag_.nodes[static_cast<size_t>(edge.consumer)].producers, edge.producer);
            add_once(dag_.nodes[static_cast<size_t>(edge.producer)].consumers, edge.consumer);
        }
        for (size_t o = 0; o < outputs.size(); o++) {
            Node &node = dag_.nodes[static_cast<size_t>(outputs[o])];
            node.is_output = true;
            node.output_index = static_cast<int>(o);
        }
        dag_.outputs = outputs;
        return dag_;
    }

    Node &node(int id) { return dag_.nodes[static_cast<size_t>(id)]; }

private:
    FunctionDag dag_;
    int funcs_ = 0;

    static Node named(const std::string &name, Region estimate, int bytes) {
        Node node;
        node.name = name;
        node.type_bytes = {bytes};
        node.type_bits = {8 * bytes};
        const std::vector<std::string> names = {"x", "y", "c", "k"};
        node.args.assign(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(estimate.size()));
        node.estimate = std::move(estimate);
        return node;
    }

    int add(Node node) {
        node.id = static_cast<int>(dag_.nodes.size());
        dag_.nodes.push_back(node);
        return node.id;
    }

    static void add_once(std::vector<int> &ids, int id) {
        if (std::find(ids.begin(), ids.end(), id) == ids.end()) {
            ids.push_back(id);
            std::sort(ids.begin(), ids.end());
        }
    }
};

inline std::vector<bool> nothing_inlined(const FunctionDag &dag) { return std::vector<bool>(dag.nodes.size(), false); }

}  // namespace warptile
