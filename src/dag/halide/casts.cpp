// Casts that inlining loses: see casts.h.

#include "dag/halide/casts.h"

#include <algorithm>

#include "dag/halide/exprs.h"
#include "dag/halide/stages.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

bool is_integer(const Type &type) { return type.is_int_or_uint() && !type.is_bool(); }

/// Without what changes nothing: tags, and limits that are those of the type.
Expr peeled(const Expr &e) {
    if (Call::as_tag(e)) {
        return peeled(strip_likely(e));
    }
    const Min *least = e.as<Min>();
    const Max *most = e.as<Max>();
    if (least && equal(least->b, e.type().max())) {
        return peeled(least->a);
    }
    return most && equal(most->b, e.type().min()) ? peeled(most->a) : e;
}

class Casts {
public:
    explicit Casts(const PipelineOrder &order) : order_(order) {
        for (const Function &f : order.funcs) {  // producers first
            if (f.has_extern_definition() || f.has_update_definition()) {
                continue;
            }
            const std::vector<Expr> &values = f.values();
            if (std::any_of(values.begin(), values.end(), [&](const Expr &v) { return made_of_float(f, v); })) {
                made_of_floats_.insert(f.name());
            }
        }
    }

    std::set<std::string> lost() const {
        std::set<std::string> names;
        for (const Function &reader : order_.funcs) {
            ExprTable table;
            for (const StageSource &stage : stages_of(reader)) {
                for (const Expr &e : stage.expressions()) {
                    table.add(e);
                }
            }
            for (const ExprTable::Record &record : table.records()) {
                const Cast *cast = record.expr.as<Cast>();
                const Call *load = cast ? as_load(peeled(cast->value)) : nullptr;
                const Function *called = load ? called_by(reader, load) : nullptr;
                if (called && made_of_floats_.count(called->name()) && is_integer(cast->type) &&
                    cast->type != load->type && cast->type.bits() <= load->type.bits()) {
                    names.insert(called->name());
                }
            }
        }
        return names;
    }

private:
    const PipelineOrder &order_;
    std::set<std::string> made_of_floats_;

    const Function *called_by(const Function &reader, const Call *load) const {
        return load->call_type == Call::Halide ? &order_.callee(reader.name(), load->name) : nullptr;
    }

    bool made_of_float(const Function &f, const Expr &value) const {
        const Expr e = peeled(value);
        if (const Cast *cast = e.as<Cast>()) {
            return is_integer(cast->type) && (cast->value.type().is_float() || made_of_float(f, cast->value));
        }
        const Call *load = as_load(e);
        const Function *called = load ? called_by(f, load) : nullptr;
        return called && made_of_floats_.count(called->name());
    }
};

}  // namespace

std::set<std::string> casts_lost_inlined(const PipelineOrder &order) { return Casts(order).lost(); }

}  // namespace warptile
