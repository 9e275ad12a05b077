#pragma once

// Members moved one by one. A form puts all members of a kernel by one rule; from where it has put them each is tried
// at every other place, and each staged input read where it lies, as long as that makes the kernel cheaper. So a member
// nests in a thread, a tile becomes a hybrid of lane registers and shared memory, or one input of several is staged,
// wherever the model finds it worth it.

#include <functional>
#include <optional>

#include "model/cost_model.h"
#include "search/placing/placement.h"

namespace warptile {

/// A kernel and its price. Infinite where it is none.
struct Tried {
    Kernel kernel;
    double cost = 0;
};

/// The kernel of one form and tile under wishes; nothing where that form has no such kernel.
using Arrange = std::function<std::optional<Tried>(const Wishes &)>;

struct Moved {
    Tried kernel;
    Wishes wishes;  ///< what was moved
};

/// The cheapest that single moves lead to from the kernel without wishes; nothing where none is cheaper. Tries at most
/// `most_tries` kernels.
std::optional<Moved> move_members(const Arrange &arrange, int most_tries);

}  // namespace warptile
