// Definitions with everything inlined that may be, as the unscheduled pipeline has them. Only there does Halide see of
// some values that they are constants, and of an input that it is not read: a Func between hides it, whether stored or
// looked at alone. Expressions multiply as they are put into each other; what becomes large is left out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dag/function_dag.h"
#include "dag/halide/stages.h"

namespace warptile {

/// By node and stage.
using Stages = std::vector<std::vector<StageSource>>;

/// Whether the unscheduled pipeline inlines the node, and a schedule may too. Flags and edges of the nodes are known.
bool may_be_inlined(const FunctionDag &dag, const Node &node);

/// With the values of a Func of one stage, which are `definition`'s, in the place of its calls.
StageSource with_inlined(const StageSource &source, const Node &node, const StageSource &definition);

class InlinedStages {
public:
    /// All of them must outlive it. `ids` are the nodes' by name.
    InlinedStages(const FunctionDag &dag, const Stages &stages, const std::map<std::string, int> &ids);

    /// Nothing where it is large.
    const std::optional<StageSource> &stage(int node, size_t s) const;

    struct Reader {
        int node;
        size_t stage;
        StageSource source;
    };

    /// The stages of nodes that may not be inlined which read `kept`, with everything inlined but `kept`; nothing where
    /// one of them is large.
    std::optional<std::vector<Reader>> readers_of(const Node &kept) const;

private:
    using Table = std::vector<std::vector<std::optional<StageSource>>>;

    const FunctionDag &dag_;
    const Stages &stages_;
    std::vector<bool> inlined_;                         // by node
    std::vector<std::vector<std::vector<int>>> reads_;  // by node and stage: nodes
    Table all_;

    std::optional<StageSource> inlined(const Table &others, int node, size_t s, int kept) const;
};

}  // namespace warptile
