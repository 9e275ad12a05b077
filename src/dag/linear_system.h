// Inequalities between sums of multiples of variables, some of which are only known to hold one or the other.
//
// What a lowered pipeline says of sizes is made of sums, quotients by constants, minima and maxima. Written as such a
// system, what is common to two of them cancels wherever it stands, which interval arithmetic does not see: whether
// (x + 3)/2 - x/2 can be 3 is whether numbers p, q and x exist with 2p <= x + 3, x <= 2q + 1 and p - q >= 3.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace warptile {

// A constant and multiples of variables.
struct LinearForm {
    int64_t constant = 0;
    std::map<int, int64_t> factors;  // by variable; none is 0

    bool operator<(const LinearForm &other) const {
        return constant != other.constant ? constant < other.constant : factors < other.factors;
    }
};

// a + times * b. Throws std::overflow_error.
LinearForm plus(const LinearForm &a, const LinearForm &b, int64_t times = 1);

class LinearSystem {
public:
    // What is at most 0, all of it.
    using Inequalities = std::vector<LinearForm>;

    // A number of any size and sign.
    int add_variable() { return variables++; }

    int count() const { return variables; }

    void require(const LinearForm &at_most_0) { inequalities.push_back(at_most_0); }

    void require_one_of(const Inequalities &a, const Inequalities &b) { choices.push_back({a, b}); }

    // Whether no numbers fulfil all that is required and `at_most_0` besides. Also false where that was not found out:
    // where it would take too long, or fractions would be too large.
    bool excludes(const LinearForm &at_most_0) const;

private:
    struct Choice {
        Inequalities a, b;
    };

    class Refutation;

    int variables = 0;
    Inequalities inequalities;
    std::vector<Choice> choices;
};

}  // namespace warptile
