#include "schedule/tell_unseen_where.h"

#include <set>

#include "dag/halide/user_name.h"

namespace warptile {

namespace {

/// Inputs that are read further where the node is computed further.
void add_raw_inputs(const FunctionDag &dag, const Node &node, std::set<int> &inputs) {
    for (const int p : node.producers) {
        const Node &producer = dag.node(p);
        if (producer.kind == NodeKind::Input) {
            inputs.insert(p);
        } else if (producer.reads_raw_input) {
            add_raw_inputs(dag, producer, inputs);
        }
    }
}

template<typename Nodes>
std::string names(const FunctionDag &dag, const Nodes &nodes) {
    std::string list;
    for (const int n : nodes) {
        list += (list.empty() ? "'" : ", '") + user_name(dag, dag.node(n)) + "'";
    }
    return list;
}

}  // namespace

std::vector<Notice> tell_unseen_where(const FunctionDag &dag) {
    std::vector<Notice> notices;
    for (const Node &node : dag.nodes) {
        if (node.unseen_where.empty()) {
            continue;
        }
        std::set<int> inputs;
        add_raw_inputs(dag, node, inputs);
        notices.push_back(
            {user_name(dag, node),
             "under the `where` of an RDom, " + names(dag, node.unseen_where) +
                 " reads it more than once, so that Halide does not see how far: at small sizes it asks "
                 "for more of " +
                 (inputs.empty() ? "the input" : names(dag, inputs)) +
                 " than without a schedule; clamp the index to what the `where` lets through, as in f(min(r, "
                 "x)) where r <= x"});
    }
    return notices;
}

}  // namespace warptile
