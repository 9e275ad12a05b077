// From Halide's IR to the FunctionDag, in passes over the Funcs in topological order: inputs and nodes, then stages
// with their loops and edges, then the regions at the estimates, then the flags that follow from the edges.

#include "dag/read.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "dag/bounds/overreads.h"
#include "dag/bounds/root_regions.h"
#include "dag/bounds/unseen_where.h"
#include "dag/bounds/where_bounds.h"
#include "dag/constant_regions.h"
#include "dag/dag_flags.h"
#include "dag/dependences.h"
#include "dag/halide/access.h"
#include "dag/halide/casts.h"
#include "dag/halide/channels.h"
#include "dag/halide/choice.h"
#include "dag/halide/copy.h"
#include "dag/halide/count_ops.h"
#include "dag/halide/device.h"
#include "dag/halide/exprs.h"
#include "dag/halide/order.h"
#include "dag/halide/remainders.h"
#include "dag/halide/schedule.h"
#include "dag/halide/stages.h"
#include "dag/halide/symbolic_offsets.h"
#include "dag/halide/tables.h"
#include "dag/halide/user_name.h"
#include "dag/halide/where.h"
#include "machine/error.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/// The types that cards add atomically, and Halide in one instruction.
bool adds_atomically(const AssociativeOp &op) {
    const std::vector<Expr> &ops = op.pattern.ops;
    return op.associative() && ops.size() == 1 && ops[0].as<Add>() && ops[0].type().bits() >= 32;
}

/// Minima and maxima of floating-point numbers are exact.
bool rounds(const AssociativeOp &op) {
    return op.associative() && std::any_of(op.pattern.ops.begin(), op.pattern.ops.end(), [](const Expr &e) {
               return e.type().is_float() && !e.as<Min>() && !e.as<Max>();
           });
}

/// Of an update that is too large for a proof, nothing is known.
void set_operator(const Function &f, const StageSource &source, int update, Stage &stage) {
    if (std::any_of(source.values.begin(), source.values.end(),
                    [](const Expr &value) { return tree_size(substitute_in_all_lets(value)) > kLargestTree; })) {
        return;
    }
    const AssociativeOp op = prove_associativity(f.name(), source.args, source.values);
    const bool choice = is_choice(f, update), proven = op.associative() && !choice;
    stage.chooses = choice && chooses_in_any_order(f, update);
    stage.associative = proven || stage.chooses;
    stage.commutative = (proven && op.commutative()) || stage.chooses;
    stage.adds = adds_atomically(op);
    stage.rounds = rounds(op);
}

size_t index(int i) { return static_cast<size_t>(i); }

class DagReader {
public:
    DagReader(const std::vector<Func> &outputs, const Target &target)
        : order_(pipeline_order(outputs)), estimates_(order_, target) {}

    FunctionDag read() {
        add_inputs();
        for (size_t i = 0; i < order_.funcs.size(); i++) {
            add_func(order_.funcs[i], order_.func_index[i]);
        }
        for (const std::string &name : casts_lost_inlined(order_)) {
            dag_.nodes[index(ids_.at(name))].loses_cast = true;
        }
        values_ = compute_function_value_bounds(order_.names, order_.env);
        stages_.resize(dag_.nodes.size());
        for (Node &node : dag_.nodes) {
            if (node.kind == NodeKind::Func) {
                read_stages(node);
            } else if (node.kind == NodeKind::Extern) {
                read_extern(node);
            }
        }
        mark_tables();
        link();
        mark_host();
        const RegionSources sources = {order_, estimates_, values_, stages_, functions_, known_inputs_, ids_};
        set_root_regions(dag_, sources, estimated_outputs(dag_, sources));
        do {
            set_flags(dag_);
        } while (set_where_bounds(dag_, sources));
        keep_order_of_choices(dag_);
        set_channels();
        set_overreads(dag_, sources);
        set_unseen_where(dag_, sources);
        return std::move(dag_);
    }

private:
    Node &add_node(NodeKind kind, const std::string &name) {
        Node node;
        node.id = static_cast<int>(dag_.nodes.size());
        node.kind = kind;
        node.name = name;
        ids_[name] = node.id;
        dag_.nodes.push_back(node);
        functions_.emplace_back();
        known_inputs_.emplace_back();
        return dag_.nodes.back();
    }

    static void set_types(Node &node, const std::vector<Type> &types) {
        for (const Type &t : types) {
            node.type_bytes.push_back(t.bytes());
            node.type_bits.push_back(t.bits());
        }
    }

    void add_input(const std::string &name, const Parameter &param, const Buffer<> &buffer) {
        if (ids_.count(name)) {
            return;
        }
        Node &node = add_node(NodeKind::Input, name);
        set_types(node, {param.defined() ? param.type() : buffer.type()});
        if (param.defined()) {
            node.scheduled_by = user_schedule(param);
        }
        const int dims = param.defined() ? param.dimensions() : buffer.dimensions();
        for (int d = 0; d < dims; d++) {
            node.args.push_back("_" + std::to_string(d));
            Interval known;
            if (param.defined()) {
                known = estimates_.input(param, d).value_or(Interval{});
            } else {
                known = {buffer.dim(d).min(), buffer.dim(d).min() + buffer.dim(d).extent() - 1};
            }
            known_inputs_.back().push_back(known);
        }
        node.known_strides = true;
        for (int d = 0; d < dims && param.defined(); d++) {
            node.known_strides = node.known_strides && estimates_.constant(param.stride_constraint(d)).has_value();
        }
    }

    void add_images_in(const Expr &e) {
        for (const Expr &l : distinct_loads({e})) {
            const Call *load = as_load(l);
            if (load->call_type == Call::Image) {
                add_input(load->name, load->param, load->image);
            }
        }
    }

    // Inputs in the order of their first appearance.
    void add_inputs() {
        for (const Function &f : order_.funcs) {
            for (const StageSource &stage : stages_of(f)) {
                for (const Expr &e : stage.expressions()) {
                    add_images_in(e);
                }
            }
            for (const ExternFuncArgument &a : f.extern_arguments()) {
                if (a.is_image_param()) {
                    add_input(a.image_param.name(), a.image_param, Buffer<>());
                } else if (a.is_buffer()) {
                    add_input(a.buffer.name(), Parameter(), a.buffer);
                } else if (a.is_expr()) {
                    add_images_in(a.expr);
                }
            }
        }
    }

    void add_func(const Function &f, int func_index) {
        Node &node = add_node(f.has_extern_definition() ? NodeKind::Extern : NodeKind::Func, f.name());
        functions_.back() = f;
        node.func_index = func_index;
        node.wrapper = func_index < 0;
        node.args = f.args();
        set_types(node, f.output_types());
        for (size_t o = 0; o < order_.outputs.size(); o++) {
            if (order_.outputs[o].same_as(f)) {
                node.is_output = true;
                node.output_index = static_cast<int>(o);
                dag_.outputs.resize(order_.outputs.size(), -1);
                dag_.outputs[o] = node.id;
            }
        }
        node.scheduled_by = node.wrapper ? "in or clone_in" : user_schedule(f, node.is_output);
        node.bounds = bound_rules(f, estimates_);
    }

    // Loops of a stage: the pure variables that its left-hand side keeps, then the reduction's.
    Stage make_stage(const Node &node, const StageSource &source, bool is_update) {
        Stage stage;
        for (size_t d = 0; d < node.args.size(); d++) {
            const Variable *var = source.args[d].as<Variable>();
            const bool pure = !is_update || (var && var->name == node.args[d]);
            stage.pure_of_dim.push_back(pure ? static_cast<int>(stage.loops.size()) : -1);
            if (pure) {
                stage.loops.push_back({node.args[d], false, {}, false});
            } else {
                stage.scatters |= !estimates_.constant(source.args[d]).has_value();
            }
        }
        for (const ReductionVariable &r : source.rvars) {
            stage.loops.push_back(reduction_loop(node, r));
        }
        stage.has_predicate = source.predicate.defined();
        for (Loop &loop : stage.loops) {
            loop.in_where = stage.has_predicate && expr_uses_var(source.predicate, loop.name);
        }
        stage.undefined = std::all_of(source.values.begin(), source.values.end(), [](const Expr &e) {
            const Call *call = e.as<Call>();
            return call && call->is_intrinsic(Call::undef);
        });
        return stage;
    }

    Loop reduction_loop(const Node &node, const ReductionVariable &r) {
        Loop loop;
        loop.name = r.var;
        loop.reduction = true;
        const auto min = estimates_.constant(r.min), extent = estimates_.constant(r.extent);
        if (!min || !extent) {
            const std::string missing = estimates_.missing(min ? r.extent : r.min);
            throw Error(!missing.empty()
                            ? missing
                            : "The bounds of RVar '" + user_rvar(r.var) + "' of Func '" + user_name(node.name) +
                                  "' are not constant at the estimates: give the RDom bounds that only "
                                  "parameters with estimates occur in.");
        }
        loop.estimate = {*min, *min + *extent - 1};
        return loop;
    }

    void read_stages(Node &node) {
        const Function &f = functions_[index(node.id)];
        const std::vector<StageSource> raw = stages_of(f);
        for (size_t s = 0; s < raw.size(); s++) {
            stages_[index(node.id)].push_back(with_estimates(raw[s], estimates_));
            const StageSource &source = stages_[index(node.id)].back();
            Stage stage = make_stage(node, source, s > 0);
            for (size_t r = 0; r < raw[s].rvars.size(); r++) {
                Loop &loop = stage.loops[stage.loops.size() - raw[s].rvars.size() + r];
                loop.extent_known = as_const_int(simplify(raw[s].rvars[r].min)).has_value() &&
                                    as_const_int(simplify(raw[s].rvars[r].extent)).has_value();
            }
            stage.ops = count_ops(raw[s]);
            if (s > 0) {
                set_operator(f, raw[s], static_cast<int>(s) - 1, stage);
            }
            read_loads(node, static_cast<int>(s), raw[s], stage);
            node.stages.push_back(stage);
        }
        const std::vector<Expr> &values = stages_[index(node.id)][0].values;
        if (!node.loses_cast && raw.size() == 1 && std::all_of(values.begin(), values.end(), is_plain_copy)) {
            const auto reads = [&](const Edge &e) { return e.consumer == node.id; };
            const auto edge = std::find_if(dag_.edges.begin(), dag_.edges.end(), reads);
            node.wraps_input =
                std::count_if(edge, dag_.edges.end(), reads) == 1 && only_wraps(node, dag_.node(edge->producer), *edge);
        }
    }

    // One edge a producer; what an update reads and writes of its own Func is no edge.
    void read_loads(const Node &node, int stage_index, const StageSource &source, Stage &stage) {
        AccessReader reader(stage.loops, values_, estimates_);
        OwnAccesses own;
        own.apart_by_name = source.apart;
        SymbolicOffsets offsets(stage.loops);
        std::map<int, Edge> edges;
        for (const Expr &l : distinct_loads(source.expressions())) {
            const Call *load = as_load(l);
            const int producer = producer_of(node, load);
            const bool is_input = dag_.node(producer).kind == NodeKind::Input || dag_.node(producer).wraps_input;
            const std::vector<Access> accesses = reader.read(load->args, is_input);
            const bool data_dependent = reader.take_data_dependent();
            Edge &edge = edges[producer];
            edge.data_dependent |= data_dependent;
            edge.loads++;
            for (const Access &access : accesses) {
                merge(producer == node.id ? stage.own : edge.accesses, access);
            }
            if (producer == node.id) {
                own.reads.insert(own.reads.end(), accesses.begin(), accesses.end());
                if (accesses.size() == 1) {
                    offsets.settle(load->args, own.reads.back());
                    settle_remainders(load->args, reader, own.reads.back());
                }
            }
        }
        if (stage_index > 0) {
            std::vector<Expr> args;
            for (const Expr &arg : source.args) {
                args.push_back(substitute_in_all_lets(arg));
            }
            own.writes = reader.read(args, false);
            for (Access access : own.writes) {
                access.loads = 0;
                merge(stage.own, access);
            }
            if (own.writes.size() == 1) {
                offsets.settle(args, own.writes[0]);
                settle_remainders(args, reader, own.writes[0]);
            }
            own.where = inequalities(source.predicate, reader);
            for (const Loop &loop : stage.loops) {
                own.placed.push_back(std::any_of(args.begin(), args.end(),
                                                 [&](const Expr &arg) { return expr_uses_var(arg, loop.name); }));
            }
            set_dependences(own, stage);
        }
        edges.erase(node.id);
        for (auto &e : edges) {
            e.second.consumer = node.id;
            e.second.stage = stage_index;
            e.second.producer = e.first;
            dag_.edges.push_back(e.second);
        }
    }

    int producer_of(const Node &consumer, const Call *load) const {
        if (load->call_type == Call::Image) {
            return ids_.at(load->name);
        }
        return ids_.at(order_.callee(consumer.name, load->name).name());
    }

    // What an extern stage is handed whole it does not load (`Edge::loads` is 0); of what it is handed the values of,
    // it does.
    void read_extern(const Node &node) {
        std::map<int, int> loads_of;  // by producer
        const Function &f = functions_[index(node.id)];
        const auto add_loads = [&](const Expr &e) {
            for (const Expr &load : distinct_loads({e})) {
                loads_of[producer_of(node, as_load(load))]++;
            }
        };
        const auto add_whole = [&](int producer) { loads_of.emplace(producer, 0); };
        for (const ExternFuncArgument &a : f.extern_arguments()) {
            if (a.is_func()) {
                add_whole(ids_.at(order_.callee(node.name, Function(a.func).name()).name()));
            } else if (a.is_expr()) {
                add_loads(a.expr);
            } else {
                add_whole(ids_.at(a.is_image_param() ? a.image_param.name() : a.buffer.name()));
            }
        }
        if (f.extern_definition_proxy_expr().defined()) {
            for (const Expr &load : distinct_loads({f.extern_definition_proxy_expr()})) {
                add_whole(producer_of(node, as_load(load)));
            }
        }
        AxisAccess anywhere;
        anywhere.kind = AxisAccess::Kind::Unknown;
        for (const auto &[p, loads] : loads_of) {
            const Access access{std::vector<AxisAccess>(index(dag_.node(p).dims()), anywhere), 1};
            dag_.edges.push_back({node.id, 0, p, {access}, loads, true});
        }
    }

    void mark_tables() {
        for (const std::string &name : tables_of_constants(order_)) {
            Node &node = dag_.nodes[index(ids_.at(name))];
            node.table = true;
            node.stages[0].ops = {};
        }
    }

    /// A wrapper that the user made is inlined whatever it is, and leaves to its readers what it cannot do.
    void mark_host() {
        for (Node &node : dag_.nodes) {  // producers first
            if (node.kind != NodeKind::Input) {
                node.only_on_host = why_only_on_host(functions_[index(node.id)]);
            }
            for (const int p : node.producers) {
                const Node &producer = dag_.node(p);
                if (producer.wrapper && producer.on_host() && !node.on_host()) {
                    node.only_on_host = "reads '" + user_name(dag_, producer) + "', which " + producer.only_on_host;
                }
            }
        }
    }

    /// Once the loops are estimated.
    void set_channels() {
        const std::vector<std::vector<std::optional<Interval>>> regions = constant_regions(dag_);
        for (Node &node : dag_.nodes) {
            if (node.stages.empty() || node.table) {
                continue;
            }
            const std::vector<StageSource> sources = stages_of(functions_[index(node.id)]);
            for (size_t s = 0; s < node.stages.size(); s++) {
                Stage &stage = node.stages[s];
                for (size_t d = 0; d < stage.pure_of_dim.size(); d++) {
                    if (stage.pure_of_dim[d] >= 0) {
                        stage.loops[index(stage.pure_of_dim[d])].constant = regions[index(node.id)][d].has_value();
                    }
                }
                stage.channel = find_channel(sources[s], stage);
            }
        }
    }

    void link() {
        std::sort(dag_.edges.begin(), dag_.edges.end(), [](const Edge &a, const Edge &b) {
            return std::tie(a.consumer, a.stage, a.producer) < std::tie(b.consumer, b.stage, b.producer);
        });
        dag_.edges_into.resize(dag_.nodes.size());
        dag_.edges_out_of.resize(dag_.nodes.size());
        std::vector<std::set<int>> producers(dag_.nodes.size()), consumers(dag_.nodes.size());
        for (size_t e = 0; e < dag_.edges.size(); e++) {
            const Edge &edge = dag_.edges[e];
            dag_.edges_into[index(edge.consumer)].push_back(static_cast<int>(e));
            dag_.edges_out_of[index(edge.producer)].push_back(static_cast<int>(e));
            producers[index(edge.consumer)].insert(edge.producer);
            consumers[index(edge.producer)].insert(edge.consumer);
        }
        for (Node &node : dag_.nodes) {
            node.producers.assign(producers[index(node.id)].begin(), producers[index(node.id)].end());
            node.consumers.assign(consumers[index(node.id)].begin(), consumers[index(node.id)].end());
        }
    }

    const PipelineOrder order_;
    const Estimates estimates_;
    FunctionDag dag_;
    FuncValueBounds values_;
    std::map<std::string, int> ids_;
    std::vector<Function> functions_;               // by node; undefined for inputs
    std::vector<std::vector<StageSource>> stages_;  // by node, estimates substituted
    std::vector<Region> known_inputs_;              // by node
};

}  // namespace

FunctionDag read_function_dag(const std::vector<Func> &outputs, const Target &target) {
    const std::string hash = fingerprint(outputs);
    FunctionDag dag = DagReader(outputs, target).read();
    dag.fingerprint = hash;
    return dag;
}

}  // namespace warptile
