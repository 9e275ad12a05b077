// Dependences of an update's loops: see dependences.h.

#include "dag/dependences.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>

#include "dag/linear_system.h"

namespace warptile {

namespace {

size_t index(int i) { return static_cast<size_t>(i); }

/// An index that is exactly a sum of multiples of loops and one number.
bool is_exact(const AxisAccess &axis) {
    std::set<int> loops;
    for (const Term &t : axis.terms) {
        loops.insert(t.loop);
    }
    return axis.kind == AxisAccess::Kind::Affine && axis.denominator == 1 && axis.lo == axis.hi && !axis.clamped &&
           !axis.estimated && axis.limits == kEverything && loops.size() == axis.terms.size();
}

/// Two steps of an update, of which one access of the first touches a place that one of the second touches, as far as
/// exact indices and the constant bounds of loops say. On the loops `agreed` they agree.
class Meeting {
public:
    Meeting(const Stage &update, const Access &a, const Access &b, const std::vector<Inequality> &where,
            const std::vector<bool> &agreed) {
        for (size_t l = 0; l < agreed.size(); l++) {
            first_.push_back(step_of(update.loops[l]));
            second_.push_back(agreed[l] ? first_[l] : step_of(update.loops[l]));
        }
        std::vector<LinearForm> zero;
        for (size_t d = 0; d < a.axes.size(); d++) {
            if (is_exact(a.axes[d]) && is_exact(b.axes[d]) && a.axes[d].symbol == b.axes[d].symbol) {
                zero.push_back(plus(place(a.axes[d], first_), place(b.axes[d], second_), -1));
            }
        }
        require_zeros(zero);
        for (const Inequality &i : where) {
            if (!is_exact(i.at_most) || !is_exact(i.other)) {
                continue;
            }
            for (const std::vector<LinearForm> *steps : {&first_, &second_}) {
                const LinearForm ahead = plus(place(i.at_most, *steps), place(i.other, *steps), -1);
                system_.require(i.less ? plus(ahead, {1, {}}) : ahead);
            }
        }
    }

    /// Whether both are at the same step of loop `l`, or never meet.
    bool agrees_on(size_t l) const {
        const LinearForm ahead = plus(second_[l], first_[l], -1);
        return system_.excludes(plus(ahead, {1, {}})) && system_.excludes(plus({1, {}}, ahead, -1));
    }

private:
    LinearForm step_of(const Loop &loop) {
        const LinearForm step = {0, {{system_.add_variable(), 1}}};
        if (loop.extent_known) {
            system_.require(plus({loop.estimate.min, {}}, step, -1));
            system_.require(plus(step, {loop.estimate.max, {}}, -1));
        }
        return step;
    }

    static LinearForm sum_of(int64_t offset, const std::vector<Term> &terms, const std::vector<LinearForm> &steps) {
        LinearForm sum = {offset, {}};
        for (const Term &t : terms) {
            sum = plus(sum, steps[index(t.loop)], t.numerator);
        }
        return sum;
    }

    LinearForm place(const AxisAccess &axis, const std::vector<LinearForm> &steps) {
        LinearForm sum = sum_of(axis.lo, axis.terms, steps);
        for (const Remainder &r : axis.remainders) {  // some whole number less
            const LinearForm times = {0, {{system_.add_variable(), 1}}};
            const LinearForm left = plus(sum_of(r.offset, r.terms, steps), times, -r.by);
            system_.require(plus({}, left, -1));
            system_.require(plus(left, {r.by - 1, {}}, -1));
            sum = plus(sum, left, r.times);
        }
        return sum;
    }

    /// Where a form has a variable once, it says what that variable is, and the other forms get that in its place. A
    /// column may be odd only where it is known what its row is: `2 * r + row % 2` against the row above.
    void require_zeros(std::vector<LinearForm> forms) {
        for (size_t i = 0; i < forms.size(); i++) {
            const LinearForm by = forms[i];
            const auto once = std::find_if(by.factors.begin(), by.factors.end(),
                                           [](const auto &f) { return f.second == 1 || f.second == -1; });
            for (size_t j = 0; once != by.factors.end() && j < forms.size(); j++) {
                const auto occurs = forms[j].factors.find(once->first);
                if (j != i && occurs != forms[j].factors.end()) {
                    forms[j] = plus(forms[j], by, -occurs->second * once->second);
                }
            }
        }
        for (const LinearForm &f : forms) {
            require_zero(f);
        }
    }

    /// Whole numbers: even places and odd ones never meet.
    void require_zero(const LinearForm &f) {
        int64_t common = 0;
        for (const auto &[variable, factor] : f.factors) {
            common = std::gcd(common, factor);
        }
        const bool possible = common == 0 ? f.constant == 0 : f.constant % common == 0;
        system_.require(possible ? f : LinearForm{1, {}});
        system_.require(plus({}, f, -1));
    }

    LinearSystem system_;
    std::vector<LinearForm> first_, second_;  ///< by loop: at which step the two are
};

/// The loops (by number) that two accesses agree on wherever they touch the same place: those that are `given`, and
/// what follows. An index that both compute in the same way gives away the loops that it is made of, and of several in
/// one index, as in a picture that is stored as one row, those that step over all that the others reach. So do the
/// bounds of a loop that is read backwards, up to its middle, and the RDom's `where`.
std::vector<bool> loops_agreed_on(const Stage &update, const Access &a, const Access &b,
                                  const std::vector<Inequality> &where, const std::vector<bool> &given) try {
    std::vector<bool> agreed = given;
    for (bool more = true; more;) {  // each round knows of a loop more, or is the last
        more = false;
        const Meeting meeting(update, a, b, where, agreed);
        for (size_t l = 0; l < agreed.size() && !more; l++) {
            more = !agreed[l] && meeting.agrees_on(l);
            agreed[l] = agreed[l] || more;
        }
    }
    return agreed;

} catch (const std::overflow_error &) {  // indices beyond all memory

    return given;
}

/// The loops whose steps are apart where the `turns` outermost reductions are at one step.
std::vector<bool> loops_apart(const OwnAccesses &own, const Stage &update, size_t turns) {
    const size_t loops = update.loops.size();
    std::vector<bool> given(loops, false), apart(loops, true);
    std::fill(given.end() - static_cast<std::ptrdiff_t>(turns), given.end(), true);
    const auto restrict_to = [&](const Access &a, const Access &b) {
        const std::vector<bool> agreed = loops_agreed_on(update, a, b, own.where, given);
        for (size_t l = 0; l < loops; l++) {
            apart[l] = apart[l] && agreed[l];
        }
    };
    for (const Access &write : own.writes) {
        for (const Access &other : own.writes) {
            restrict_to(write, other);
        }
        for (const Access &read : own.reads) {
            restrict_to(write, read);
        }
    }
    return apart;
}

/// Takes as few loops in turn as leave the next one, which is ordered otherwise, apart. Halide lets none of them change
/// places, so that those that are dealt out are side by side.
void find_turns(const OwnAccesses &own, Stage &update) {
    const size_t loops = update.loops.size();
    const auto kept =
        std::count_if(update.loops.begin(), update.loops.end(), [](const Loop &loop) { return !loop.reduction; });
    for (size_t turns = 1; turns + static_cast<size_t>(kept) < loops && update.turns == 0; turns++) {
        const std::vector<bool> apart = loops_apart(own, update, turns);
        for (size_t l = loops - turns; l-- > static_cast<size_t>(kept) && apart[l];) {
            update.loops[l].apart_in_turn = true;
            update.turns = update.loops[l].dependence == Dependence::Apart ? update.turns : static_cast<int>(turns);
        }
        if (update.turns == 0) {
            for (Loop &loop : update.loops) {
                loop.apart_in_turn = false;
            }
        }
    }
}

void keep_order(Stage &stage) {
    stage.associative = stage.commutative = stage.chooses = stage.adds = false;
    for (Loop &loop : stage.loops) {
        loop.dependence = loop.dependence == Dependence::Apart ? Dependence::Apart : Dependence::Ordered;
    }
}

}  // namespace

void set_dependences(const OwnAccesses &own, Stage &update) {
    const std::vector<bool> apart = loops_apart(own, update, 0);
    for (size_t l = 0; l < update.loops.size(); l++) {
        Loop &loop = update.loops[l];
        const auto &by_name = own.apart_by_name;
        const bool known = !loop.reduction || std::find(by_name.begin(), by_name.end(), loop.name) != by_name.end();
        loop.promised = !known && apart[l];
        loop.dependence = known || apart[l]                             ? Dependence::Apart
                          : !(update.associative && update.commutative) ? Dependence::Ordered
                          : own.placed[l]                               ? Dependence::Scatter
                                                                        : Dependence::Sum;
    }
    if (any_loop(update, Dependence::Ordered)) {
        find_turns(own, update);
    }
}

void keep_given_order(FunctionDag &dag) {
    for (Node &node : dag.nodes) {
        for (Stage &stage : node.stages) {
            if (stage.rounds) {
                keep_order(stage);
            }
        }
    }
}

void keep_order_of_choices(FunctionDag &dag) {
    for (const Edge &edge : dag.edges) {
        const Node &producer = dag.node(edge.producer);
        Node &consumer = dag.nodes[index(edge.consumer)];
        if (producer.kind != NodeKind::Func || producer.wraps_input || !producer.reads_raw_input ||
            index(edge.stage) >= consumer.stages.size() || !consumer.stages[index(edge.stage)].chooses) {
            continue;
        }
        keep_order(consumer.stages[index(edge.stage)]);
    }
}

bool any_loop(const Stage &update, Dependence dependence) {
    return std::any_of(update.loops.begin(), update.loops.end(),
                       [&](const Loop &loop) { return loop.dependence == dependence; });
}

}  // namespace warptile
