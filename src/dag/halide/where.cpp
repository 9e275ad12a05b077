#include "dag/halide/where.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

class Conjunction {
public:
    explicit Conjunction(AccessReader &reader) : reader_(reader) {}

    std::vector<Inequality> holds;

    void add(const Expr &e) {
        if (const And *both = e.as<And>()) {
            add(both->a);
            add(both->b);
        } else if (const LT *lt = e.as<LT>()) {
            compare(lt->a, lt->b, true);
        } else if (const LE *le = e.as<LE>()) {
            compare(le->a, le->b, false);
        } else if (const GT *gt = e.as<GT>()) {
            compare(gt->b, gt->a, true);
        } else if (const GE *ge = e.as<GE>()) {
            compare(ge->b, ge->a, false);
        } else if (const EQ *eq = e.as<EQ>()) {
            compare(eq->a, eq->b, false);
            compare(eq->b, eq->a, false);
        }
    }

private:
    AccessReader &reader_;

    void compare(const Expr &at_most, const Expr &other, bool less) {
        if (at_most.type() != Int(32)) {
            return;
        }
        // Halide's simplifier joins two comparisons with the same side.
        if (const Min *min = other.as<Min>()) {
            compare(at_most, min->a, less);
            compare(at_most, min->b, less);
            return;
        }
        if (const Max *max = at_most.as<Max>()) {
            compare(max->a, other, less);
            compare(max->b, other, less);
            return;
        }
        // A form that is one of several says nothing of the others.
        const std::vector<Access> forms = reader_.read({at_most, other}, false);
        if (forms.size() == 1) {
            holds.push_back({forms[0].axes[0], forms[0].axes[1], less});
        }
    }
};

}  // namespace

std::vector<Inequality> inequalities(const Expr &where, AccessReader &reader) {
    Conjunction all(reader);
    if (where.defined()) {
        all.add(substitute_in_all_lets(where));
        reader.take_data_dependent();  // of the loads of what is no inequality
    }
    return all.holds;
}

}  // namespace warptile
