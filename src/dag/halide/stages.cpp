// The definitions of a Func: see stages.h.

#include "dag/halide/stages.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

StageSource stage_of(const Definition &definition) {
    StageSource stage;
    stage.args = definition.args();
    stage.values = definition.values();
    stage.rvars = definition.schedule().rvars();
    for (const Dim &dim : definition.schedule().dims()) {
        if (dim.dim_type == DimType::PureRVar) {
            stage.apart.push_back(dim.var);
        }
    }
    if (definition.predicate().defined() && !is_const_one(definition.predicate())) {
        stage.predicate = definition.predicate();
    }
    return stage;
}

}  // namespace

std::vector<Expr> StageSource::expressions() const {
    std::vector<Expr> all = args;
    all.insert(all.end(), values.begin(), values.end());
    if (predicate.defined()) {
        all.push_back(predicate);
    }
    return all;
}

std::vector<StageSource> stages_of(const Function &f) {
    std::vector<StageSource> stages;
    if (!f.has_pure_definition()) {
        return stages;
    }
    stages.push_back(stage_of(f.definition()));
    for (const Definition &update : f.updates()) {
        stages.push_back(stage_of(update));
    }
    return stages;
}

StageSource changed(StageSource stage, const std::function<Expr(const Expr &)> &change) {
    for (std::vector<Expr> *exprs : {&stage.args, &stage.values}) {
        for (Expr &e : *exprs) {
            e = change(e);
        }
    }
    stage.predicate = stage.predicate.defined() ? change(stage.predicate) : Expr();
    return stage;
}

StageSource with_estimates(const StageSource &stage, const Estimates &estimates) {
    StageSource result = changed(stage, [&](const Expr &e) { return estimates.substitute(e); });
    for (ReductionVariable &r : result.rvars) {
        r.min = estimates.substitute(r.min);
        r.extent = estimates.substitute(r.extent);
    }
    return result;
}

}  // namespace warptile
