// What Halide says of a plan, in the words of who wrote the pipeline: they know neither the Funcs that the plan makes
// ("sum_intm", "in_in_out") nor the suffixes by which Halide tells names apart.
#pragma once

#include "schedule/plan.h"

#include <string>

namespace warptile {

/// `text` with each name of a Func of the plan, or of one that it makes, as the user's name of the Func that it stands
/// for.
std::string in_users_words(const std::string &text, const Plan &plan);

/// The user's name of the Func that `ref` is, or is made from.
std::string user_name_of(const Plan &plan, FuncRef ref);

}  // namespace warptile
