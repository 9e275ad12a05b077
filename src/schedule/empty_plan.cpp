#include "schedule/empty_plan.h"

#include <algorithm>

namespace warptile {

Plan empty_plan(const FunctionDag &dag) {
    Plan plan;
    plan.fingerprint = dag.fingerprint;
    for (const Node &node : dag.nodes) {
        plan.funcs = std::max(plan.funcs, node.func_index + 1);
    }
    plan.names.resize(static_cast<size_t>(plan.funcs));
    for (const Node &node : dag.nodes) {
        if (node.func_index >= 0) {
            plan.names[static_cast<size_t>(node.func_index)] = node.name;
        }
    }
    return plan;
}

}  // namespace warptile
