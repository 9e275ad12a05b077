// A Plan as JSON: what `plan_out=` writes and `plan_in=` reads. Funcs stand by number, with their names in `funcs` for
// the reader; a file made for another pipeline is refused by its fingerprint (`plugin/`).
#pragma once

#include <string>

#include "schedule/plan.h"

namespace warptile {

/// Two-space indented; the same plan gives the same bytes.
std::string to_json(const Plan &plan);

/// Throws `Error` that names `source` (the file), the place in it and the mend: text that is no JSON, a key that is
/// missing, unknown or of the wrong type.
Plan plan_from_json(const std::string &text, const std::string &source = "plan");

}  // namespace warptile
