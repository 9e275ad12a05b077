#include "dag/halide_copy.h"

#include "dag/halide_exprs.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

bool has_loads(const Expr &e) { return !distinct_loads({e}).empty(); }

bool is_choice(const Expr &condition, const Expr &a, const Expr &b) {
    return !has_loads(condition) && ((is_plain_copy(a) && !has_loads(b)) || (is_plain_copy(b) && !has_loads(a)));
}

}  // namespace

bool is_plain_copy(const Expr &e) {
    if (as_load(e)) {
        return true;
    }
    if (const Cast *cast = e.as<Cast>()) {
        return is_plain_copy(cast->value);
    }
    if (const Select *select = e.as<Select>()) {
        return is_choice(select->condition, select->true_value, select->false_value);
    }
    return Call::as_tag(e) && is_plain_copy(strip_likely(e));
}

}  // namespace warptile
