#include "dag/halide/user_name.h"

#include "dag/function_dag.h"

#include <algorithm>
#include <cctype>

namespace warptile {

std::string user_name(const std::string &name) { return name.substr(0, name.find('$')); }

std::string user_rvar(const std::string &name) {
    for (size_t at = name.find('$'); at != std::string::npos; at = name.find('$', at + 1)) {
        if (at + 1 < name.size() && std::isalpha(static_cast<unsigned char>(name[at + 1]))) {
            return user_name(name) + "." + user_name(name.substr(at + 1));
        }
    }
    return user_name(name);
}

std::string user_name(const FunctionDag &dag, const Node &node) {
    for (const int p : node.producers) {
        const Node &input = dag.node(p);
        if (input.kind == NodeKind::Input && user_name(node.name) == user_name(input.name) + "_im") {
            return user_name(input.name);
        }
    }
    return user_name(node.name);
}

std::vector<std::string> user_names(const FunctionDag &dag) {
    std::vector<std::string> names;
    for (const Node &node : dag.nodes) {
        if (node.func_index >= 0) {
            const size_t place = static_cast<size_t>(node.func_index);
            names.resize(std::max(names.size(), place + 1));
            names[place] = user_name(dag, node);
        }
    }
    return names;
}

}  // namespace warptile
