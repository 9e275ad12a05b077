#include "schedule/rules/check_plan.h"

#include <algorithm>
#include <set>

#include "dag/extern_reads.h"
#include "schedule/empty_plan.h"
#include "schedule/plan_graph.h"
#include "schedule/rules/check_group.h"

namespace warptile {

namespace {

std::string check_pipeline(const Plan &plan, const FunctionDag &dag) {
    if (!plan.fingerprint.empty() && !dag.fingerprint.empty() && plan.fingerprint != dag.fingerprint) {
        return "the plan was made for another pipeline: its fingerprint is " + plan.fingerprint +
               ", this pipeline's is " + dag.fingerprint + "; make the plan anew";
    }
    const int funcs = empty_plan(dag).funcs;
    if (plan.funcs != funcs) {
        return "the plan is of a pipeline of " + std::to_string(plan.funcs) + " Funcs, this one has " +
               std::to_string(funcs) + "; make the plan anew";
    }
    return "";
}

/// Every reference is in range, and no Func is computed in two places.
std::string check_references(const Plan &plan, const PlanGraph &graph) {
    const FuncRef count = static_cast<FuncRef>(graph.funcs.size());
    std::set<FuncRef> named;
    for (size_t g = 0; g < plan.groups.size(); g++) {
        std::vector<FuncRef> refs = {plan.groups[g].output};
        for (const Member &m : plan.groups[g].members) {
            refs.push_back(m.func);
        }
        for (const FuncRef ref : refs) {
            if (ref < 0 || ref >= count) {
                return "group " + std::to_string(g) + " names Func " + std::to_string(ref) + "; there are " +
                       std::to_string(count) + ", numbered from 0";
            }
            if (!named.insert(ref).second) {
                return "'" + graph.func(ref).name + "' is computed in two places; name it once, in group " +
                       std::to_string(g) + " or before";
            }
        }
    }
    return "";
}

/// What cannot be inlined has a place of its own.
std::string check_computed(const Plan &plan, const PlanGraph &graph, const FunctionDag &dag) {
    std::set<FuncRef> named, roots;
    for (const Group &g : plan.groups) {
        named.insert(g.output);
        roots.insert(g.output);
        for (const Member &m : g.members) {
            named.insert(m.func);
        }
    }
    for (FuncRef ref = 0; ref < static_cast<FuncRef>(graph.funcs.size()); ref++) {
        const PlanFunc &f = graph.func(ref);
        const Node &node = dag.node(f.node);
        const bool itself = f.kind == PlanFunc::Kind::Itself;
        const bool for_host = std::all_of(f.readers.begin(), f.readers.end(), [&](const auto &reader) {
            const PlanFunc &r = graph.func(reader.first);
            return r.kind == PlanFunc::Kind::Itself && dag.node(r.node).on_host();
        });
        const bool host = node.on_host() && node.func_index >= 0 && (node.kind == NodeKind::Extern || !for_host);
        if (itself && (node.is_output || host) && !roots.count(ref)) {
            return "'" + f.name + "' " + (node.is_output ? "is an output" : node.only_on_host) +
                   "; make it the output of a group";
        }
        if (f.stages.size() > 1 && !named.count(ref)) {
            return "'" + f.name + "' has updates and cannot be inlined; name it in a group";
        }
        if (itself && node.loses_cast && node.func_index >= 0 && !named.count(ref)) {
            return "'" + f.name + "' makes integers of floats, which a reader casts once more: inlined, Halide would " +
                   "lose the first cast; name it in a group";
        }
        if (node.overreads && named.count(ref)) {
            return "'" + f.name + "' is read at points that do not fill a box: stored, it would ask for more of an " +
                   "input than the unscheduled pipeline does; leave it out, so that it is inlined";
        }
        if (node.unbounded && named.count(ref)) {
            return "'" + f.name + "' is read at places of which Halide knows no bound: it cannot be stored; leave it " +
                   "out, so that it is inlined";
        }
        for (const auto &[reader, stage] : f.readers) {
            const PlanFunc &r = graph.func(reader);
            if (r.kind != PlanFunc::Kind::Itself || dag.node(r.node).kind != NodeKind::Extern) {
                continue;
            }
            if (handed_by_value(dag, node) && named.count(ref)) {
                return "'" + f.name + "' hands values to the extern stage '" + r.name +
                       "', which Halide asks for before anything is computed; leave it out, so that it is inlined";
            }
            if (handed_whole(dag, node) && !roots.count(ref)) {
                return "'" + f.name + "' is read by the extern stage '" + r.name + "'; make it the output of a group";
            }
        }
    }
    return "";
}

}  // namespace

std::string check_plan(const Plan &plan, const FunctionDag &dag) {
    return check_groups(plan, dag, 0, plan.groups.size());
}

std::string check_groups(const Plan &plan, const FunctionDag &dag, size_t first, size_t count) {
    std::string error = check_pipeline(plan, dag);
    if (!error.empty()) {
        return error;
    }
    const PlanGraph graph = make_plan_graph(plan, dag);
    if (!graph.error.empty()) {
        return graph.error;
    }
    error = check_references(plan, graph);
    if (error.empty()) {
        error = check_computed(plan, graph, dag);
    }
    for (size_t g = first; g < first + count && error.empty(); g++) {
        error = check_group(plan, graph, dag, plan.groups[g]);
    }
    return error;
}

}  // namespace warptile
