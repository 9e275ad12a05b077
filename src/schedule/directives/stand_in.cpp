#include "schedule/directives/stand_in.h"

namespace warptile {

namespace {

#include "dag/halide/choice.inc"
#include "schedule/directives/stand_in.inc"  // StandIn, and its text in a printed schedule

}  // namespace

struct UpdateStandIn::Impl {
    StandIn stand_in;
};

UpdateStandIn::UpdateStandIn(const Halide::Func &f, int update)
    : impl_(std::make_shared<const Impl>(Impl{StandIn(f, update)})) {}

void UpdateStandIn::put_back(const Halide::Func &f, int update) const { impl_->stand_in.put_back(f, update); }

}  // namespace warptile
