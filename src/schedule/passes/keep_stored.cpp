#include "schedule/passes/keep_stored.h"

#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace warptile {

namespace {

#include "schedule/passes/keep_stored.inc"  // KeepStored, and its text in a printed schedule

}  // namespace

Halide::Internal::Stmt keep_stored(const Halide::Internal::Stmt &lowered) { return KeepStored().mutate(lowered); }

}  // namespace warptile
