#include "dag/halide/copy.h"

#include "dag/halide/exprs.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

bool has_loads(const Expr &e) { return !distinct_loads({e}).empty(); }

bool copies(const Expr &e);

bool is_choice(const Expr &condition, const Expr &a, const Expr &b) {
    return !has_loads(condition) && ((copies(a) && !has_loads(b)) || (copies(b) && !has_loads(a)));
}

bool copies(const Expr &e) {
    if (as_load(e)) {
        return true;
    }
    if (const Cast *cast = e.as<Cast>()) {
        return copies(cast->value);
    }
    if (const Select *select = e.as<Select>()) {
        return is_choice(select->condition, select->true_value, select->false_value);
    }
    return Call::as_tag(e) && copies(strip_likely(e));
}

}  // namespace

bool is_plain_copy(const Expr &e) {
    constexpr double kMostNodes = 1000;  // a boundary condition has a few dozen
    return tree_size(e) <= kMostNodes && copies(e);
}

}  // namespace warptile
