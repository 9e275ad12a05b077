#include "dag/halide/choice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

#include "dag/halide/choice.inc"  // Choice, and its text in a printed schedule

constexpr size_t kMostKeys = 2;  ///< elements that are compared

/// Which operand an element comes from, and what it is compared by.
struct Item {
    int from = 0;
    double value = 0;
};

using Operand = std::vector<Item>;  // by element

/// The element that a variable stands for, and whether it is what is there.
struct Name {
    size_t element = 0;
    bool there = false;
};

std::optional<Name> name_of(const Expr &e) {
    const Variable *v = e.as<Variable>();
    if (!v || (v->name.rfind("there.", 0) != 0 && v->name.rfind("taken.", 0) != 0)) {
        return std::nullopt;
    }
    return Name{std::stoul(v->name.substr(v->name.find('.') + 1)), v->name[1] == 'h'};
}

bool is_nan_call(const Call *call) { return call && call->name.rfind("is_nan_", 0) == 0 && call->args.size() == 1; }

/// Whether a stored value is made of choices and comparisons of the same element alone, and of which elements.
class Form {
public:
    std::set<size_t> compared;
    bool extrema = false;    ///< minima or maxima, of which nobody knows what they make of NaN
    bool minds_nan = false;  ///< it asks what is a number

    bool is_value(const Expr &e) {
        if (const Select *s = e.as<Select>()) {
            return is_test(s->condition) && is_value(s->true_value) && is_value(s->false_value);
        }
        if (const Min *m = e.as<Min>()) {
            return extremum(m->a, m->b);
        }
        if (const Max *m = e.as<Max>()) {
            return extremum(m->a, m->b);
        }
        return name_of(e).has_value();
    }

private:
    bool extremum(const Expr &a, const Expr &b) {
        extrema = true;
        return compare(a, b);
    }

    bool compare(const Expr &a, const Expr &b) {
        const std::optional<Name> x = name_of(a), y = name_of(b);
        if (x && y && x->element == y->element) {
            compared.insert(x->element);
            return true;
        }
        return false;
    }

    template<typename Op>
    bool compares(const Expr &e, bool &result) {
        const Op *op = e.as<Op>();
        result = op && compare(op->a, op->b);
        return op != nullptr;
    }

    bool is_test(const Expr &e) {
        bool result = false;
        if (compares<LT>(e, result) || compares<LE>(e, result) || compares<GT>(e, result) || compares<GE>(e, result) ||
            compares<EQ>(e, result) || compares<NE>(e, result)) {
            return result;
        }
        if (const And *op = e.as<And>()) {
            return is_test(op->a) && is_test(op->b);
        }
        if (const Or *op = e.as<Or>()) {
            return is_test(op->a) && is_test(op->b);
        }
        if (const Not *op = e.as<Not>()) {
            return is_test(op->a);
        }
        const Call *call = e.as<Call>();
        const std::optional<Name> minded = is_nan_call(call) ? name_of(call->args[0]) : std::nullopt;
        if (minded) {
            compared.insert(minded->element);
            minds_nan = true;
        }
        return minded.has_value();
    }
};

/// What is stored of two operands.
class Join {
public:
    Join(const std::vector<Expr> &stored, const Operand &there, const Operand &taken) : there_(there), taken_(taken) {
        for (const Expr &e : stored) {
            result.push_back(value(e));
        }
    }

    Operand result;

private:
    const Operand &there_, &taken_;

    Item value(const Expr &e) const {
        if (const Select *s = e.as<Select>()) {
            return value(holds(s->condition) ? s->true_value : s->false_value);
        }
        if (const Min *m = e.as<Min>()) {
            return value(m->a).value <= value(m->b).value ? value(m->a) : value(m->b);
        }
        if (const Max *m = e.as<Max>()) {
            return value(m->a).value >= value(m->b).value ? value(m->a) : value(m->b);
        }
        const Name name = *name_of(e);
        return (name.there ? there_ : taken_)[name.element];
    }

    bool holds(const Expr &e) const {
        if (const And *op = e.as<And>()) {
            return holds(op->a) && holds(op->b);
        }
        if (const Or *op = e.as<Or>()) {
            return holds(op->a) || holds(op->b);
        }
        if (const Not *op = e.as<Not>()) {
            return !holds(op->a);
        }
        if (const Call *call = e.as<Call>()) {
            return std::isnan(value(call->args[0]).value);
        }
        if (const LT *op = e.as<LT>()) {
            return value(op->a).value < value(op->b).value;
        }
        if (const LE *op = e.as<LE>()) {
            return value(op->a).value <= value(op->b).value;
        }
        if (const GT *op = e.as<GT>()) {
            return value(op->a).value > value(op->b).value;
        }
        if (const GE *op = e.as<GE>()) {
            return value(op->a).value >= value(op->b).value;
        }
        if (const EQ *op = e.as<EQ>()) {
            return value(op->a).value == value(op->b).value;
        }
        const NE *op = e.as<NE>();
        return value(op->a).value != value(op->b).value;
    }
};

/// Where what a Func begins with is in the order of steps.
enum class Beginning { Unknown, AtTheFirstStep, BeforeAll };

/// Unknown also where it reads something, or is not surely a number where it is compared.
Beginning beginning_of(const Function &f, const Choice &choice, int update) {
    class Reads : public IRVisitor {
    public:
        bool found = false;

    private:
        using IRVisitor::visit;

        void visit(const Call *op) override {
            found |= op->call_type == Call::Halide || op->call_type == Call::Image;
            IRVisitor::visit(op);
        }
    };

    Reads reads;
    for (const Expr &e : f.values()) {
        e.accept(&reads);
        const std::optional<double> number = as_const_float(simplify(e));
        if (reads.found || (e.type().is_float() && (!number || std::isnan(*number)))) {
            return Beginning::Unknown;
        }
    }
    Beginning result = Beginning::AtTheFirstStep;
    const std::vector<ReductionVariable> &rvars = f.update(update).schedule().rvars();
    for (size_t r = 0; r < choice.before.size() && choice.in_order; r++) {
        const std::optional<int64_t> first = as_const_int(simplify(rvars[r].min)),
                                     begin = as_const_int(simplify(f.values()[name_of(choice.before[r])->element]));
        if (!first || !begin || *begin > *first) {
            return Beginning::Unknown;
        }
        result = *begin < *first ? Beginning::BeforeAll : result;
    }
    return result;
}

/// What a Func begins with, and three steps; and the results of one step each, each joined with the beginning.
class Cases {
public:
    Cases(const Choice &choice, Beginning beginning) : choice_(choice) {
        places_of_beginning_ = beginning == Beginning::BeforeAll ? std::vector<int>{0} : std::vector<int>{0, 1};
        for (const Expr &e : choice.before) {
            places_.insert(name_of(e)->element);
        }
    }

    /// Whether in all cases results may change places and be joined in groups, and a step does the same to a result as
    /// its own result does.
    bool hold() {
        Form form;
        for (const Expr &e : choice_.joined) {
            if (!form.is_value(e)) {
                return false;
            }
        }
        for (const size_t element : form.compared) {
            if (!places_.count(element)) {
                keys_.push_back(element);
            }
        }
        if (keys_.size() > kMostKeys) {
            return false;
        }
        for (size_t o = 0; o < kOperands; o++) {
            operands_[o].assign(choice_.stored.size(), Item{static_cast<int>(o), 0});
        }
        // What comparisons make of NaN is Halide's secret too, unless a pipeline asks for it.
        for (const bool with_nan : {true, false}) {
            with_nan_ = with_nan;
            if ((with_nan ? !form.extrema : !form.minds_nan) && in_all_orders(0)) {
                return true;
            }
        }
        return false;
    }

private:
    static constexpr size_t kOperands = 4;  // the first is the beginning, which is a number

    const Choice &choice_;
    std::set<size_t> places_;
    std::vector<int> places_of_beginning_;  ///< before the first step, which is at 1, or there
    std::vector<size_t> keys_;
    bool with_nan_ = false;
    std::array<Operand, kOperands> operands_;

    /// Of four numbers, all orders are among 0 to 3. Keys and operands are chosen one by one.
    bool in_all_orders(size_t next) {
        if (next == keys_.size() * kOperands) {
            return in_all_places();
        }
        const size_t key = keys_[next / kOperands], operand = next % kOperands;
        std::vector<double> values = {0, 1, 2, 3};
        if (with_nan_ && operand > 0 && choice_.taken[key].type().is_float()) {
            values.push_back(NAN);
        }
        return std::all_of(values.begin(), values.end(), [&](double v) {
            operands_[operand][key].value = v;
            return in_all_orders(next + 1);
        });
    }

    bool in_all_places() {
        std::array<int, kOperands> order = {0, 1, 2, 3};
        do {
            for (const int begin : places_of_beginning_) {
                for (size_t o = 0; o < kOperands; o++) {
                    for (const size_t place : places_) {
                        operands_[o][place].value = o == 0 ? begin : order[o];
                    }
                }
                if (!holds()) {
                    return false;
                }
            }
        } while (!places_.empty() && std::next_permutation(order.begin() + 1, order.end()));
        return true;
    }

    Operand join(const Operand &a, const Operand &b) const { return Join(choice_.joined, a, b).result; }

    /// What a step makes of a result.
    Operand step(const Operand &result, const Operand &taken) const {
        return Join(choice_.stored, result, taken).result;
    }

    bool comes_before(const Operand &a, const Operand &b) const {
        return places_.empty() || a[*places_.begin()].value <= b[*places_.begin()].value;
    }

    /// Since the join of two results is one of them, what holds of three holds of any number.
    bool holds() const {
        const auto &[begin, first, second, third] = operands_;
        const Operand a = step(begin, first), b = step(begin, second), c = step(begin, third), ab = join(a, b);
        return (same(ab, a) || same(ab, b)) && same(join(a, a), a) && same(join(begin, a), a) && same(ab, join(b, a)) &&
               same(join(ab, c), join(a, join(b, c))) && (!comes_before(a, second) || same(step(a, second), ab));
    }

    /// What is compared is the same where it is equal; of what is not, where it comes from counts.
    bool same(const Operand &a, const Operand &b) const {
        for (size_t i = 0; i < a.size(); i++) {
            const bool valued = places_.count(i) || std::count(keys_.begin(), keys_.end(), i) > 0;
            const bool equal = a[i].value == b[i].value || (std::isnan(a[i].value) && std::isnan(b[i].value));
            if (valued ? !equal : a[i].from != b[i].from) {
                return false;
            }
        }
        return true;
    }
};

}  // namespace

bool chooses_in_any_order(const Function &f, int update) {
    const Choice choice(f, update);
    if (!choice.found) {
        return false;
    }
    const Beginning beginning = beginning_of(f, choice, update);
    return beginning != Beginning::Unknown && Cases(choice, beginning).hold();
}

bool is_choice(const Function &f, int update) {
    const Choice choice(f, update);
    const auto of_another = [&](size_t i) {
        for (size_t other = 0; other < choice.stored.size(); other++) {
            const std::string element = std::to_string(other);
            if (other != i && (expr_uses_var(choice.stored[i], "there." + element) ||
                               expr_uses_var(choice.stored[i], "taken." + element))) {
                return true;
            }
        }
        return false;
    };
    for (size_t i = 0; i < choice.stored.size(); i++) {
        if (choice.stored[i].as<Select>() || of_another(i)) {
            return true;
        }
    }
    return false;
}

}  // namespace warptile
