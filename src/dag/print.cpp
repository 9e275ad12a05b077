// The listing of a FunctionDag.

#include "dag/function_dag.h"
#include "dag/saturating.h"
#include <algorithm>

namespace warptile {

namespace {

std::string describe(const Node &n) {
    const char *kinds[] = {"func", "input", "extern"};
    std::string text = std::to_string(n.id) + " " + kinds[static_cast<int>(n.kind)] + " " + n.name + "(";
    for (size_t d = 0; d < n.args.size(); d++) {
        text += (d ? ", " : "") + n.args[d];
    }
    text += ") " + std::to_string(n.bytes()) + "B " + to_string(n.estimate);
    text += n.func_index >= 0 ? " get_func(" + std::to_string(n.func_index) + ")" : "";
    text += n.is_output ? " output " + std::to_string(n.output_index) : "";
    text += n.wraps_input ? " wraps-input" : "";
    text += n.known_strides ? " known-strides" : "";
    text += n.table ? " table" : "";
    text += n.loses_cast ? " loses-cast" : "";
    text += n.pointwise ? " pointwise" : "";
    text += n.reads_raw_input ? " raw" : "";
    text += n.scheduled_by.empty() ? "" : " scheduled by " + n.scheduled_by;
    text += n.overreads ? " overreads" : "";
    text += n.unbounded ? " unbounded" : "";
    text += n.unseen_where.empty() ? "" : " read-under-unseen-where";
    text += n.on_host() ? " on-host (" + n.only_on_host + ")" : "";
    return text + (n.wrapper ? " wrapper" : "") + "\n";
}

const char *describe(Dependence dependence) {
    const char *texts[] = {"", " sum", " scatter", " in order"};
    return texts[static_cast<int>(dependence)];
}

std::string describe(const Stage &s, size_t number) {
    std::string text = "    stage " + std::to_string(number) + ":";
    for (size_t l = 0; l < s.loops.size(); l++) {
        text += " i" + std::to_string(l) + "=" + s.loops[l].name + (s.loops[l].reduction ? "(r)" : "") +
                to_string(Region{s.loops[l].estimate}) + describe(s.loops[l].dependence);
    }
    text += ", " + std::to_string(s.ops.float_ops) + " float, " + std::to_string(s.ops.int_ops) + " int, " +
            std::to_string(s.ops.choices) + " choices, " + std::to_string(s.ops.index_ops) + " index, " +
            std::to_string(s.ops.special_ops) + " special, " + std::to_string(s.ops.loads) + " loads";
    if (s.channel.loop >= 0) {
        text += ", i" + std::to_string(s.channel.loop) + " a channel (" + std::to_string(s.channel.numbers.total()) +
                " operations of all by number, " + std::to_string(s.channel.apart.total()) + " else)";
    }
    text += s.has_predicate ? ", predicate" : "";
    text += s.where_bounds ? " that bounds what is read" : "";
    text += s.associative ? ", associative" : "";
    text += s.commutative ? ", commutative" : "";
    text += s.chooses ? ", chooses" : "";
    return text + (s.scatters ? ", scatters" : "") + "\n";
}

std::string describe(const Edge &e, const FunctionDag &dag) {
    std::string text = "    stage " + std::to_string(e.stage) + " reads " + dag.node(e.producer).name + " (" +
                       std::to_string(e.loads) + (e.data_dependent ? ", data-dependent" : "") + "):";
    for (const Access &a : e.accesses) {
        text += " (";
        for (size_t d = 0; d < a.axes.size(); d++) {
            text += (d ? ", " : "") + to_string(a.axes[d]);
        }
        text += ")";
    }
    return text + "\n";
}

}  // namespace

int64_t Stage::steps() const {
    int64_t steps = 1;
    for (const Loop &loop : loops) {
        steps = saturating_multiply(steps, loop.reduction ? std::max<int64_t>(1, loop.estimate.extent()) : 1);
    }
    return steps;
}

double Stage::iterations() const {
    double n = 1;
    for (const Loop &loop : loops) {
        n *= static_cast<double>(std::max<int64_t>(1, loop.estimate.extent()));
    }
    return n;
}

int Node::bytes() const {
    int total = 0;
    for (const int b : type_bytes) {
        total += b;
    }
    return total;
}

std::string to_string(const FunctionDag &dag) {
    std::string text = "fingerprint " + dag.fingerprint + "\n";
    for (const Node &n : dag.nodes) {
        text += describe(n);
        for (size_t s = 0; s < n.stages.size(); s++) {
            text += describe(n.stages[s], s);
        }
        for (const int e : dag.edges_into[static_cast<size_t>(n.id)]) {
            text += describe(dag.edges[static_cast<size_t>(e)], dag);
        }
    }
    return text;
}

}  // namespace warptile
