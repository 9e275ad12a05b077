// The Funcs of a pipeline in the order in which `Pipeline::get_func(i)` numbers them, producers first, and with the
// wrappers that the user has made with `in()` or `clone_in()`. Halide puts wrappers in place only when it lowers; until
// then the consumer's definition still names the Func itself, and `callee` says what it will call.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "Halide.h"

namespace warptile {

struct PipelineOrder {
    std::vector<Halide::Internal::Function> outputs;
    std::vector<Halide::Internal::Function>
        funcs;                       ///< producers first; without those that wrappers have replaced altogether
    std::vector<int> func_index;     ///< i of `get_func(i)`; -1 for a wrapper
    std::vector<std::string> names;  ///< Halide's own order, without wrappers
    std::map<std::string, Halide::Internal::Function> env;  ///< by name, wrappers included

    /// What the consumer will call where its definition calls `called`.
    const Halide::Internal::Function &callee(const std::string &consumer, const std::string &called) const;
};

PipelineOrder pipeline_order(const std::vector<Halide::Func> &outputs);

/// `Pipeline::get_func(i)` for every i: each call of that would put all Funcs into order again.
std::vector<Halide::Func> numbered_funcs(const std::vector<Halide::Func> &outputs);

/// The Funcs that the definitions of `f` call, itself excluded, by name (wrappers not yet in place).
std::vector<std::string> called_by(const Halide::Internal::Function &f);

}  // namespace warptile
