#include "verify/spread.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

class Spreader {
public:
    Expr spread(const Expr &e) {
        if (const Min *op = e.as<Min>())
            return min(spread(op->a), spread(op->b));
        if (const Max *op = e.as<Max>())
            return max(spread(op->a), spread(op->b));
        if (const Add *op = e.as<Add>())
            return plus(spread(op->a), spread(op->b));
        if (const Sub *op = e.as<Sub>())
            return plus(spread(op->a), times(spread(op->b), -1));
        if (const Mul *op = e.as<Mul>()) {
            if (const auto factor = as_const_int(op->b))
                return times(spread(op->a), *factor);
        }
        if (const Div *op = e.as<Div>()) {
            const auto divisor = as_const_int(op->b);
            if (divisor && *divisor > 0)
                return quotient(spread(op->a), op->b);
        }
        return e;
    }

private:
    // The sum of two, a sum in each leaf.
    Expr plus(const Expr &a, const Expr &b) {
        if (const Min *op = a.as<Min>())
            return min(plus(op->a, b), plus(op->b, b));
        if (const Max *op = a.as<Max>())
            return max(plus(op->a, b), plus(op->b, b));
        if (b.as<Min>() || b.as<Max>())
            return plus(b, a);
        if (--sums_left < 0)
            return a + b;
        return simplify(a + b);
    }

    static Expr times(const Expr &e, int64_t factor) {
        if (const Min *op = e.as<Min>()) {
            const Expr a = times(op->a, factor), b = times(op->b, factor);
            return factor < 0 ? max(a, b) : min(a, b);
        }
        if (const Max *op = e.as<Max>()) {
            const Expr a = times(op->a, factor), b = times(op->b, factor);
            return factor < 0 ? min(a, b) : max(a, b);
        }
        return simplify(e * make_const(e.type(), factor));
    }

    // By a positive number.
    static Expr quotient(const Expr &e, const Expr &divisor) {
        if (const Min *op = e.as<Min>())
            return min(quotient(op->a, divisor), quotient(op->b, divisor));
        if (const Max *op = e.as<Max>())
            return max(quotient(op->a, divisor), quotient(op->b, divisor));
        return simplify(e / divisor);
    }

    int sums_left = 256;  // two sums of n terms make n * n leaves
};

}  // namespace

Expr spread(const Expr &e) { return Spreader().spread(e); }

}  // namespace warptile
