#include "dag/bounds/inlined_stages.h"

#include <algorithm>
#include <set>

#include "dag/halide/exprs.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

constexpr double kLargestInlined = 2000;

size_t index(int i) { return static_cast<size_t>(i); }

/// Puts a pure Func's values in the place of its calls.
class Inliner : public IRGraphMutator {
public:
    Inliner(const std::string &name, const std::vector<std::string> &args, const std::vector<Expr> &values)
        : name_(name), args_(args), values_(values) {}

private:
    using IRGraphMutator::visit;

    Expr visit(const Call *op) override {
        const Expr e = IRGraphMutator::visit(op);
        const Call *call = e.as<Call>();
        if (!call || call->call_type != Call::Halide || call->name != name_) {
            return e;
        }
        std::map<std::string, Expr> at;
        for (size_t d = 0; d < args_.size(); d++) {
            at[args_[d]] = call->args[d];
        }
        return substitute(at, values_[static_cast<size_t>(call->value_index)]);
    }

    const std::string &name_;
    const std::vector<std::string> &args_;
    const std::vector<Expr> &values_;
};

bool is_large(const StageSource &source) {
    const std::vector<Expr> all = source.expressions();
    return std::any_of(all.begin(), all.end(), [](const Expr &e) { return tree_size(e) > kLargestInlined; });
}

std::vector<int> read_by(const StageSource &source, const std::map<std::string, int> &ids) {
    std::set<int> nodes;
    for (const Expr &load : distinct_loads(source.expressions())) {
        if (const auto id = ids.find(as_load(load)->name); id != ids.end()) {
            nodes.insert(id->second);
        }
    }
    return {nodes.begin(), nodes.end()};
}

}  // namespace

bool may_be_inlined(const FunctionDag &dag, const Node &node) {
    // What only the host can compute has no place in a kernel.
    const auto reads_it_whole = [&](int c) {
        return dag.node(c).kind == NodeKind::Extern || (node.on_host() && !dag.node(c).on_host());
    };
    return node.kind == NodeKind::Func && node.stages.size() == 1 && !node.is_output && node.scheduled_by.empty() &&
           !node.loses_cast && !node.consumers.empty() &&
           std::none_of(node.consumers.begin(), node.consumers.end(), reads_it_whole);
}

StageSource with_inlined(const StageSource &source, const Node &node, const StageSource &definition) {
    Inliner inliner(node.name, node.args, definition.values);
    return changed(source, [&](const Expr &e) { return inliner.mutate(e); });
}

InlinedStages::InlinedStages(const FunctionDag &dag, const Stages &stages, const std::map<std::string, int> &ids)
    : dag_(dag), stages_(stages), reads_(dag.nodes.size()), all_(dag.nodes.size()) {
    for (const Node &node : dag.nodes) {
        inlined_.push_back(may_be_inlined(dag, node));
        for (size_t s = 0; s < stages[index(node.id)].size(); s++) {
            reads_[index(node.id)].push_back(read_by(stages[index(node.id)][s], ids));
            all_[index(node.id)].push_back(inlined(all_, node.id, s, -1));
        }
    }
}

const std::optional<StageSource> &InlinedStages::stage(int node, size_t s) const { return all_[index(node)][s]; }

std::optional<std::vector<InlinedStages::Reader>> InlinedStages::readers_of(const Node &kept) const {
    std::vector<Reader> readers;
    Table but_kept = all_;
    std::vector<bool> reads_kept(dag_.nodes.size());  // once inlined
    reads_kept[index(kept.id)] = true;
    for (size_t c = index(kept.id) + 1; c < stages_.size(); c++) {
        for (size_t s = 0; s < stages_[c].size(); s++) {
            const std::vector<int> &reads = reads_[c][s];
            if (std::none_of(reads.begin(), reads.end(), [&](int p) { return reads_kept[index(p)]; })) {
                continue;
            }
            std::optional<StageSource> &source = but_kept[c][s];
            source = source ? inlined(but_kept, static_cast<int>(c), s, kept.id) : std::nullopt;
            if (!source) {
                return {};
            }
            if (inlined_[c]) {
                reads_kept[c] = true;
            } else {
                readers.push_back({static_cast<int>(c), s, *source});
            }
        }
    }
    return readers;
}

/// `others` has what is inlined into it.
std::optional<StageSource> InlinedStages::inlined(const Table &others, int node, size_t s, int kept) const {
    StageSource source = stages_[index(node)][s];
    for (const int p : reads_[index(node)][s]) {
        if (!inlined_[index(p)] || p == kept) {
            continue;
        }
        const std::optional<StageSource> &definition = others[index(p)][0];
        if (!definition || is_large(source)) {
            return {};
        }
        source = with_inlined(source, dag_.node(p), *definition);
    }
    return is_large(source) ? std::nullopt : std::optional<StageSource>(source);
}

}  // namespace warptile
