// Tables of constants: see tables.h. Halide's own simplifier decides, on the expression that inlining would give
// it, so that what is taken for a constant here is one in the code too.

#include "dag/halide/tables.h"

#include <algorithm>
#include <map>

#include "dag/halide/exprs.h"
#include "dag/halide/stages.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/// Larger formulas are not tried: a simplifier walks an expression as a tree.
constexpr size_t kMostNodes = 16000;

size_t nodes_of(const Expr &e) {
    return static_cast<size_t>(std::min(tree_size(substitute_in_all_lets(e)), kMostNodes + 1.0));
}

/// Nodes of the load's largest index.
size_t nodes_of_index(const Call *load) {
    size_t most = 1;
    for (const Expr &arg : load->args) {
        most = std::max(most, nodes_of(arg));
    }
    return most;
}

class Tables {
public:
    explicit Tables(const PipelineOrder &order) : order_(order) {
        for (const Function &f : order.funcs) {  // producers first
            const bool output = std::any_of(order.outputs.begin(), order.outputs.end(),
                                            [&](const Function &o) { return o.same_as(f); });
            const size_t size = output ? 0 : size_inlined(f);
            if (size > 0) {
                sizes_[f.name()] = size;
            }
        }
    }

    std::set<std::string> find() const {
        std::set<std::string> tables, read;  // `read`: of which some value is no constant
        for (auto f = order_.funcs.rbegin(); f != order_.funcs.rend(); ++f) {  // readers first
            if (sizes_.count(f->name()) && !read.count(f->name())) {
                tables.insert(f->name());
            } else {
                add_values_read(*f, read);
            }
        }
        return tables;
    }

private:
    /// No fewer than the nodes of the Func's values with everything they call inlined; 0 where they load from an image,
    /// are too large, or where the Func cannot be inlined.
    size_t size_inlined(const Function &f) const {
        if (f.has_extern_definition() || f.has_update_definition()) {
            return 0;
        }
        ExprTable table;
        for (const Expr &value : f.values()) {
            table.add(value);
        }
        size_t size = 1;
        for (const Expr &value : f.values()) {
            size += nodes_of(value);
        }
        for (const ExprTable::Record &record : table.records()) {
            const Call *load = as_load(record.expr);
            if (load) {
                const Function *called = table_called(f.name(), load);
                if (!called) {
                    return 0;
                }
                size += size_of(load, *called);
            }
            if (size > kMostNodes) {
                return 0;
            }
        }
        return size;
    }

    size_t size_of(const Call *load, const Function &called) const {
        return nodes_of_index(load) * sizes_.at(called.name());
    }

    /// The Func that `load` calls, where its values may be constants.
    const Function *table_called(const std::string &reader, const Call *load) const {
        if (load->call_type != Call::Halide) {
            return nullptr;
        }
        const Function &called = order_.callee(reader, load->name);
        return sizes_.count(called.name()) ? &called : nullptr;
    }

    void add_values_read(const Function &reader, std::set<std::string> &read) const {
        for (const ExternFuncArgument &a : reader.extern_arguments()) {
            if (a.is_func()) {
                read.insert(order_.callee(reader.name(), Function(a.func).name()).name());
            }
        }
        std::vector<Expr> exprs;
        for (const StageSource &stage : stages_of(reader)) {
            const std::vector<Expr> more = stage.expressions();
            exprs.insert(exprs.end(), more.begin(), more.end());
        }
        for (const Expr &load : distinct_loads(exprs)) {
            const Function *called = table_called(reader.name(), as_load(load));
            if (called && (size_of(as_load(load), *called) > kMostNodes ||
                           !is_const(simplify(Inliner(*this, reader.name()).mutate(load))))) {
                read.insert(called->name());
            }
        }
    }

    /// Puts in the place of each call of a possible table what inlining would.
    class Inliner : public IRMutator {
    public:
        Inliner(const Tables &tables, std::string reader) : tables_(tables), reader_(std::move(reader)) {}

    private:
        using IRMutator::visit;

        Expr visit(const Call *call) override {
            const Function *called = tables_.table_called(reader_, call);
            if (!called) {
                return IRMutator::visit(call);
            }
            std::map<std::string, Expr> places;
            for (size_t d = 0; d < call->args.size(); d++) {
                places[called->args()[d]] = simplify(mutate(call->args[d]));
            }
            const Expr value = substitute_in_all_lets(called->values()[static_cast<size_t>(call->value_index)]);
            return Inliner(tables_, called->name()).mutate(substitute(places, value));
        }

        const Tables &tables_;
        const std::string reader_;
    };

    const PipelineOrder &order_;
    std::map<std::string, size_t> sizes_;  // of what may be a table
};

}  // namespace

std::set<std::string> tables_of_constants(const PipelineOrder &order) { return Tables(order).find(); }

}  // namespace warptile
