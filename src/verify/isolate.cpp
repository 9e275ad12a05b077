#include "verify/isolate.h"

#include "schedule/directives/apply.h"
#include "schedule/directives/directives.h"

#include <map>
#include <set>

namespace warptile {

namespace {

using Halide::Internal::Function;

std::map<std::string, Function> environment_of(const std::vector<Halide::Func> &outputs) {
    std::map<std::string, Function> env;
    for (const Halide::Func &f : outputs) {
        const auto more = Halide::Internal::find_transitive_calls(f.function());
        env.insert(more.begin(), more.end());
    }
    return env;
}

/// Makes `f` hand on an input image: its definition changes in place, so that everything that reads it, wrappers that
/// stage it included, stays as it is. Its updates go, for what they call is not to be a part of the pipeline; Halide
/// has no call for that. The image is called and not the Func that an ImageParam makes of itself, which would be one
/// more.
void read_from_an_image(Function f) {
    const_cast<std::vector<Halide::Internal::Definition> &>(f.updates()).clear();
    std::vector<Halide::Expr> args(f.args().size());
    for (size_t i = 0; i < args.size(); i++) {
        args[i] = Halide::Var(f.args()[i]);
    }
    for (Halide::Expr &value : f.definition().values()) {
        const Halide::ImageParam image(value.type(), static_cast<int>(args.size()));
        value = Halide::Internal::Call::make(image.parameter(), args);
    }
}

}  // namespace

std::optional<Isolated> isolate(const Plan &plan, size_t group, const std::vector<Halide::Func> &outputs) {
    Isolated result;
    result.plan = plan;
    result.plan.groups = {plan.groups[group]};
    std::map<std::string, Function> env = environment_of(outputs);

    const std::vector<std::string> derived = apply_directives(make_directives(result.plan, outputs), outputs);
    result.names = plan.names;
    result.names.insert(result.names.end(), derived.begin(), derived.end());
    const auto function = [&](FuncRef ref) -> std::optional<Function> {
        const std::string &name = result.names[static_cast<size_t>(ref)];
        if (const auto it = env.find(name); it != env.end()) {
            return it->second;
        }
        // A derived Func is known to what it was derived from.
        const Derived &d = plan.derived[static_cast<size_t>(ref - plan.funcs)];
        const auto source = env.find(result.names[static_cast<size_t>(d.source)]);
        if (source == env.end()) {
            return std::nullopt;
        }
        for (const auto &[consumer, wrapper] : source->second.wrappers()) {
            if (Function f(wrapper); f.name() == name) {
                return f;
            }
        }
        return std::nullopt;
    };

    const std::optional<Function> output = function(plan.groups[group].output);
    if (!output) {
        return std::nullopt;
    }
    const std::map<std::string, Function> needed = Halide::Internal::find_transitive_calls(*output);
    for (size_t g = 0; g < plan.groups.size(); g++) {
        // Of a copy (`f.in()`), what is copied: Halide does not take a wrapper that reads something else.
        FuncRef ref = plan.groups[g].output;
        if (ref >= plan.funcs && plan.derived[static_cast<size_t>(ref - plan.funcs)].kind == Derived::Kind::Staged) {
            ref = plan.derived[static_cast<size_t>(ref - plan.funcs)].source;
        }
        const std::string &read_as = result.names[static_cast<size_t>(
            ref < plan.funcs ? ref : plan.derived[static_cast<size_t>(ref - plan.funcs)].source)];
        if (g == group || !needed.count(read_as)) {
            continue;
        }
        const std::optional<Function> other = function(ref);
        if (!other || other->has_extern_definition()) {
            return std::nullopt;
        }
        read_from_an_image(*other);
    }
    result.pipeline = Halide::Pipeline(Halide::Func(*output));
    return result;
}

}  // namespace warptile
