#include "schedule/plan_graph.h"

#include "dag/halide/user_name.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace warptile {

namespace {

PlanStage read_stage(const Stage &stage, const Node &node) {
    const int dims = node.dims();
    PlanStage result;
    for (int d = 0; d < dims; d++) {
        const size_t dim = static_cast<size_t>(d);
        result.keeps.push_back(dim < stage.pure_of_dim.size() && stage.pure_of_dim[dim] >= 0);
    }
    for (const Loop &loop : stage.loops) {
        if (loop.reduction) {
            result.reductions.push_back(loop.extent_known ? loop.estimate.extent() : 0);
            result.apart.push_back(loop.dependence == Dependence::Apart);
            result.promised.push_back(loop.promised);
            result.apart_in_turn.push_back(loop.apart_in_turn);
        }
    }
    result.turns = stage.turns;
    result.associative = stage.associative;
    result.commutative = stage.commutative;
    result.chooses = stage.chooses;
    result.adds = stage.adds;
    result.scatters = stage.scatters;
    result.has_where = stage.has_predicate;
    result.where_bounds = stage.where_bounds;
    return result;
}

PlanStage pure_stage(std::vector<FuncRef> reads, int dims) {
    PlanStage result;
    result.reads = std::move(reads);
    result.keeps.assign(static_cast<size_t>(dims), true);
    return result;
}

class Maker {
public:
    Maker(const Plan &plan, const FunctionDag &dag) : plan_(plan), dag_(dag) {}

    PlanGraph make() {
        read_funcs();
        for (size_t k = 0; k < plan_.derived.size() && graph_.error.empty(); k++) {
            const Derived &d = plan_.derived[k];
            const std::string which = "derived Func " + std::to_string(k) + ": ";
            const std::string error = d.kind == Derived::Kind::Staged ? add_copy(d) : add_partial(d);
            graph_.error = error.empty() ? "" : which + error;
        }
        for (FuncRef ref = 0; graph_.error.empty() && ref < count(); ref++) {
            find_readers(ref);
        }
        return graph_;
    }

private:
    const Plan &plan_;
    const FunctionDag &dag_;
    PlanGraph graph_;
    std::vector<FuncRef> has_named_copies_;  // Funcs that a copy names as consumers

    FuncRef count() const { return static_cast<FuncRef>(graph_.funcs.size()); }

    PlanFunc &func(FuncRef ref) { return graph_.funcs[static_cast<size_t>(ref)]; }

    void read_funcs() {
        for (const Node &node : dag_.nodes) {
            if (node.func_index >= count()) {
                graph_.funcs.resize(static_cast<size_t>(node.func_index) + 1);
            }
        }
        for (const Node &node : dag_.nodes) {
            if (node.func_index < 0) {
                continue;
            }
            PlanFunc &f = func(node.func_index);
            f.name = user_name(dag_, node);
            f.node = node.id;
            f.dims = node.dims();
            for (const Stage &stage : node.stages) {
                f.stages.push_back(read_stage(stage, node));
            }
            if (f.stages.empty()) {  // an extern stage
                f.stages.push_back(pure_stage({}, f.dims));
            }
        }
        for (const Edge &edge : dag_.edges) {
            const int producer = dag_.node(edge.producer).func_index, consumer = dag_.node(edge.consumer).func_index;
            if (producer < 0 || consumer < 0) {
                continue;
            }
            PlanFunc &f = func(consumer);
            const size_t stage = std::min(static_cast<size_t>(edge.stage), f.stages.size() - 1);
            add(f.stages[stage].reads, producer);
        }
    }

    static void add(std::vector<FuncRef> &set, FuncRef ref) {
        const auto at = std::lower_bound(set.begin(), set.end(), ref);
        if (at == set.end() || *at != ref) {
            set.insert(at, ref);
        }
    }

    static bool reads(const PlanFunc &f, FuncRef producer) {
        return std::any_of(f.stages.begin(), f.stages.end(), [&](const PlanStage &s) {
            return std::binary_search(s.reads.begin(), s.reads.end(), producer);
        });
    }

    void redirect(FuncRef consumer, FuncRef from, FuncRef to) {
        for (PlanStage &s : func(consumer).stages) {
            const auto at = std::lower_bound(s.reads.begin(), s.reads.end(), from);
            if (at != s.reads.end() && *at == from) {
                s.reads.erase(at);
                add(s.reads, to);
            }
        }
    }

    std::string add_copy(const Derived &d) {
        if (d.source < 0 || d.source >= count()) {
            return "its source is Func " + std::to_string(d.source) + ", of which there are " +
                   std::to_string(count()) + " before it; name an earlier one";
        }
        const std::string name = func(d.source).name;
        std::vector<FuncRef> consumers = d.consumers;
        for (FuncRef c = 0; d.consumers.empty() && c < count(); c++) {
            const bool other_copy = func(c).kind == PlanFunc::Kind::Copy && func(c).node == func(d.source).node;
            if (reads(func(c), d.source) && !other_copy) {
                consumers.push_back(c);
            }
        }
        if (consumers.empty()) {
            return "nothing reads '" + name + "' that could read the copy; leave the copy out";
        }
        for (const FuncRef c : consumers) {
            if (c < 0 || c >= count()) {
                return "its consumer " + std::to_string(c) + " does not exist before it; name an earlier Func";
            }
            if (!reads(func(c), d.source)) {
                return "'" + func(c).name + "' does not read '" + name +
                       "' (or reads another copy of it by now); take it " + "off the consumers";
            }
        }
        PlanFunc copy;
        copy.kind = PlanFunc::Kind::Copy;
        copy.name = "the copy of " + name;
        copy.node = func(d.source).node;
        copy.dims = func(d.source).dims;
        copy.partial_factors = func(d.source).partial_factors;
        copy.stages.push_back(pure_stage({d.source}, copy.dims));
        for (const FuncRef c : consumers) {
            redirect(c, d.source, count());
            if (!d.consumers.empty()) {
                has_named_copies_.push_back(c);
            }
        }
        graph_.funcs.push_back(copy);
        return "";
    }

    std::string add_partial(const Derived &d) {
        if (d.source < 0 || d.source >= count()) {
            return "its source is Func " + std::to_string(d.source) + ", of which there are " +
                   std::to_string(count()) + " before it; name an earlier one";
        }
        PlanFunc &source = func(d.source);
        const int updates = static_cast<int>(source.stages.size()) - 1;
        if (d.update < 0 || d.update >= updates) {
            return "'" + source.name + "' has " + std::to_string(updates) + " updates and no update " +
                   std::to_string(d.update) + "; name one of them";
        }
        PlanStage &update = source.stages[static_cast<size_t>(d.update) + 1];
        if (d.rvar < 0 || d.rvar >= static_cast<int>(update.reductions.size())) {
            return "the update of '" + source.name + "' has " + std::to_string(update.reductions.size()) +
                   " reduction variables and no number " + std::to_string(d.rvar) + "; name one of them";
        }
        if (!update.associative || !update.commutative) {
            return "the update of '" + source.name +
                   "' is not known to be associative and commutative, so that it cannot be split into partial results";
        }
        if (update.where_bounds) {
            return "the update of '" + source.name +
                   "' has a `where` that keeps it from reading beyond an input's end, which Halide no longer sees "
                   "once " +
                   "it is split into partial results";
        }
        if (update.apart[static_cast<size_t>(d.rvar)]) {
            return "reduction variable " + std::to_string(d.rvar) + " of the update of '" + source.name +
                   "' leads from place to place, at each of which there is one value; split another";
        }
        if (d.factor < 2 || d.factor > 1024) {
            return "'" + source.name + "' cannot be split by " + std::to_string(d.factor) + "; take 2 to 1024";
        }
        if (d.usual_extent != 0 && (source.kind != PlanFunc::Kind::Itself || d.usual_extent < 0 ||
                                    d.usual_extent > std::numeric_limits<int32_t>::max())) {
            return "'" + source.name + "' cannot be split for the usual extent " + std::to_string(d.usual_extent) +
                   "; take one from 1 on, of a Func of the pipeline itself, or 0 for none";
        }
        if (std::count(has_named_copies_.begin(), has_named_copies_.end(), d.source) > 0) {
            return "a copy names '" + source.name + "' as a consumer before it is split; put the copy after it";
        }
        PlanFunc partial;
        partial.kind = PlanFunc::Kind::Partial;
        partial.name = "the partial result of " + source.name;
        partial.node = source.node;
        partial.dims = source.dims + 1;
        partial.partial_factors = source.partial_factors;
        partial.partial_factors.push_back(d.factor);
        // The partial results have the update as it is, and each of them a place for all that it may write; the
        // source's own has become a sum of them at every point.
        partial.stages.push_back(pure_stage({}, partial.dims));
        partial.stages.push_back(update);
        PlanStage &own = partial.stages[1];
        own.chooses = false;
        int64_t &split = own.reductions[static_cast<size_t>(d.rvar)];
        split = split > 0 ? (split + d.factor - 1) / d.factor : 0;
        own.keeps.push_back(true);
        PlanStage total = pure_stage({count()}, source.dims);
        total.associative = total.commutative = true;
        total.reductions = {d.factor};
        total.apart = total.promised = total.apart_in_turn = {false};
        update = total;
        graph_.funcs.push_back(partial);
        return "";
    }

    void find_readers(FuncRef ref) {
        for (FuncRef c = 0; c < count(); c++) {
            for (size_t s = 0; s < func(c).stages.size(); s++) {
                const std::vector<FuncRef> &reads = func(c).stages[s].reads;
                if (std::binary_search(reads.begin(), reads.end(), ref)) {
                    func(ref).readers.emplace_back(c, static_cast<int>(s));
                }
            }
        }
    }
};

}  // namespace

PlanGraph make_plan_graph(const Plan &plan, const FunctionDag &dag) { return Maker(plan, dag).make(); }

}  // namespace warptile
