// The order of a pipeline's Funcs: see order.h.

#include "dag/halide/order.h"

#include <set>

// Halide's installed header leaves this one out; its library exports it, and `Pipeline::get_func` is made of it.
// Calling it once is linear where a `get_func` for every Func is quadratic.
namespace Halide::Internal {
std::vector<std::string> topological_order(const std::vector<Function> &outputs,
                                           const std::map<std::string, Function> &env);
}  // namespace Halide::Internal

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

std::map<std::string, Function> direct_calls(const Function &f) { return find_direct_calls(f); }

// Appends the wrappers of `f`, and theirs, behind it: they call what it calls, or itself.
void append_with_wrappers(const Function &f, int func_index, PipelineOrder &order, std::set<std::string> &seen) {
    if (!seen.insert(f.name()).second) {
        return;
    }
    order.funcs.push_back(f);
    order.func_index.push_back(func_index);
    for (const auto &wrapper : f.schedule().wrappers()) {
        append_with_wrappers(Function(wrapper.second), -1, order, seen);
    }
}

std::vector<Function> functions(const std::vector<Func> &outputs) {
    std::vector<Function> result;
    for (const Func &f : outputs) {
        result.push_back(f.function());
    }
    return result;
}

/// By name, the outputs too.
std::map<std::string, Function> all_called_by(const std::vector<Func> &outputs) {
    std::map<std::string, Function> called;
    for (const Func &f : outputs) {
        const std::map<std::string, Function> more = find_transitive_calls(f.function());
        called.insert(more.begin(), more.end());
    }
    return called;
}

void drop_unreachable(PipelineOrder &order) {
    std::set<std::string> reached;
    for (const Function &f : order.outputs) {
        reached.insert(f.name());
    }
    std::vector<Function> funcs;
    std::vector<int> indices;
    for (size_t i = order.funcs.size(); i-- > 0;) {
        const Function &f = order.funcs[i];
        if (!reached.count(f.name())) {
            continue;
        }
        funcs.insert(funcs.begin(), f);
        indices.insert(indices.begin(), order.func_index[i]);
        for (const std::string &called : called_by(f)) {
            reached.insert(order.callee(f.name(), called).name());
        }
    }
    order.funcs = std::move(funcs);
    order.func_index = std::move(indices);
}

}  // namespace

std::vector<std::string> called_by(const Function &f) {
    std::vector<std::string> names;
    for (const auto &callee : direct_calls(f)) {
        if (callee.first != f.name()) {
            names.push_back(callee.first);
        }
    }
    return names;
}

const Function &PipelineOrder::callee(const std::string &consumer, const std::string &called) const {
    const Function *f = &env.at(called);
    while (true) {
        const auto &wrappers = f->schedule().wrappers();
        // A Func and its wrappers go on calling the Func itself.
        if (consumer == f->name()) {
            return *f;
        }
        auto wrapper = wrappers.find(consumer);
        if (wrapper == wrappers.end()) {
            for (const auto &w : wrappers) {
                if (Function(w.second).name() == consumer) {
                    return *f;
                }
            }
            wrapper = wrappers.find("");
        }
        if (wrapper == wrappers.end()) {
            return *f;
        }
        f = &env.at(Function(wrapper->second).name());
    }
}

std::vector<Func> numbered_funcs(const std::vector<Func> &outputs) {
    const std::map<std::string, Function> called = all_called_by(outputs);
    std::vector<Func> funcs;
    for (const std::string &name : topological_order(functions(outputs), called)) {
        funcs.emplace_back(called.at(name));
    }
    return funcs;
}

PipelineOrder pipeline_order(const std::vector<Func> &outputs) {
    PipelineOrder order;
    order.outputs = functions(outputs);
    const std::map<std::string, Function> called = all_called_by(outputs);
    order.names = topological_order(order.outputs, called);
    order.env = build_environment(order.outputs);
    std::set<std::string> seen;
    for (size_t i = 0; i < order.names.size(); i++) {
        append_with_wrappers(called.at(order.names[i]), static_cast<int>(i), order, seen);
    }
    drop_unreachable(order);
    return order;
}

}  // namespace warptile
