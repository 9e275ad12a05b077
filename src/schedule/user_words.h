// What Halide says of a plan, in the words of who wrote the pipeline: they know neither the Funcs that the plan makes
// ("sum_intm", "in_in_out") nor the suffixes by which Halide tells names apart.
#pragma once

#include "schedule/plan.h"

#include <map>
#include <string>
#include <vector>

namespace warptile {

/// The words of one plan. `users` are the users' names of its Funcs (`user_names`); none: the plan's without suffixes.
class UserWords {
public:
    UserWords(const Plan &plan, std::vector<std::string> users);

    /// The user's name of the Func that `ref` is, or is made from.
    const std::string &name(FuncRef ref) const { return names_[static_cast<size_t>(ref)]; }

    /// `text` with each name of a Func of the plan, or of one that it makes, as the user's name of the Func that it
    /// stands for.
    std::string in(const std::string &text) const;

private:
    std::vector<std::string> names_;           ///< by FuncRef
    std::map<std::string, std::string> said_;  ///< what to say for the names that Halide has, without suffixes
};

}  // namespace warptile
