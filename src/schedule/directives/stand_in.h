// How an update that chooses (dag/halide/choice.h) gets partial results: Halide's `rfactor` and `reorder` take only
// what they can prove, so that while it is scheduled a sum stands in for it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "Halide.h"

namespace warptile {

class UpdateStandIn {
public:
    /// A sum stands in for update `update` of `f` from now on.
    UpdateStandIn(const Halide::Func &f, int update);

    /// `f` is that Func, or made by `rfactor` of that update or of what it became; its update chooses again.
    void put_back(const Halide::Func &f, int update) const;

private:
    struct Impl;
    std::shared_ptr<const Impl> impl_;
};

extern const char *const kStandIn;  ///< stand_in.inc, for a printed schedule

}  // namespace warptile
