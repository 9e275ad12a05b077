#include "dag/linear_system.h"

#include <numeric>
#include <optional>
#include <stdexcept>

namespace warptile {

namespace {

int64_t checked_product(int64_t a, int64_t b) {
    int64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result))
        throw std::overflow_error("a product is too large");
    return result;
}

int64_t checked_sum(int64_t a, int64_t b) {
    int64_t result = 0;
    if (__builtin_add_overflow(a, b, &result))
        throw std::overflow_error("a sum is too large");
    return result;
}

// An exact fraction in its lowest terms, the lower one positive.
class Fraction {
public:
    Fraction(int64_t whole = 0) : upper(whole) {}

    Fraction operator+(const Fraction &other) const {
        const int64_t common = std::gcd(lower, other.lower);
        return reduced(
            checked_sum(checked_product(upper, other.lower / common), checked_product(other.upper, lower / common)),
            checked_product(lower / common, other.lower));
    }

    Fraction operator-() const { return lowest(checked_product(upper, -1), lower); }

    Fraction operator-(const Fraction &other) const { return *this + -other; }

    Fraction operator*(const Fraction &other) const {
        const Fraction a = reduced(upper, other.lower), b = reduced(other.upper, lower);
        return lowest(checked_product(a.upper, b.upper), checked_product(a.lower, b.lower));
    }

    Fraction inverse() const { return upper < 0 ? lowest(-lower, checked_product(upper, -1)) : lowest(lower, upper); }

    int sign() const { return upper > 0 ? 1 : upper < 0 ? -1 : 0; }

private:
    static Fraction lowest(int64_t upper, int64_t lower) {
        Fraction f(upper);
        f.lower = lower;
        return f;
    }

    static Fraction reduced(int64_t upper, int64_t lower) {
        const int64_t common = std::gcd(upper, lower);
        return common > 1 ? lowest(upper / common, lower / common) : lowest(upper, lower);
    }

    int64_t upper = 0, lower = 1;
};

// The simplex method for inequalities alone, without a goal. Each inequality has a variable for its left side, which
// has a limit; the others have none. Those of the rows are kept as sums of those of the columns, whose values are
// within their limits, and one that is beyond its own changes places with a column until none is.
class Simplex {
public:
    explicit Simplex(int variables) : place(size_t(variables)), value(size_t(variables)), limit(size_t(variables)) {
        for (int v = 0; v < variables; v++) {
            columns.push_back(v);
            place[size_t(v)] = {false, size_t(v)};
        }
    }

    void require(const LinearForm &at_most_0) {
        std::vector<Fraction> row(columns.size());
        for (const auto &[variable, factor] : at_most_0.factors) {
            const Place p = place[size_t(variable)];
            if (!p.is_row) {
                row[p.index] = row[p.index] + factor;
                continue;
            }
            for (size_t c = 0; c < row.size(); c++)
                row[c] = row[c] + sums[p.index][c] * factor;
        }
        place.push_back({true, rows.size()});
        value.push_back(evaluate(at_most_0) - at_most_0.constant);
        limit.emplace_back(-Fraction(at_most_0.constant));
        rows.push_back(int(value.size()) - 1);
        sums.push_back(std::move(row));
    }

    // Whether all can hold at once, and then they do at the present values.
    bool solve() {
        constexpr int most_exchanges = 4000;
        for (int i = 0; i < most_exchanges; i++) {
            const std::optional<size_t> row = first_beyond_its_limit();
            if (!row)
                return true;
            const std::optional<size_t> column = first_that_lowers(*row);
            if (!column)
                return false;
            exchange(*row, *column);
        }
        throw std::overflow_error("too many steps");
    }

    Fraction evaluate(const LinearForm &form) const {
        Fraction sum = form.constant;
        for (const auto &[variable, factor] : form.factors)
            sum = sum + value[size_t(variable)] * factor;
        return sum;
    }

private:
    struct Place {
        bool is_row = false;
        size_t index = 0;
    };

    // The first by its number, here and below, since some order without circles is needed.
    std::optional<size_t> first_beyond_its_limit() const {
        std::optional<size_t> first;
        for (size_t r = 0; r < rows.size(); r++) {
            const auto v = size_t(rows[r]);
            if (limit[v] && (value[v] - *limit[v]).sign() > 0 && (!first || rows[r] < rows[*first]))
                first = r;
        }
        return first;
    }

    std::optional<size_t> first_that_lowers(size_t row) const {
        std::optional<size_t> first;
        for (size_t c = 0; c < columns.size(); c++) {
            const auto v = size_t(columns[c]);
            const int sign = sums[row][c].sign();
            const bool may_rise = !limit[v] || (*limit[v] - value[v]).sign() > 0;
            if ((sign > 0 || (sign < 0 && may_rise)) && (!first || columns[c] < columns[*first]))
                first = c;
        }
        return first;
    }

    // Brings the row's variable to its limit by the column's, and lets them change places.
    void exchange(size_t row, size_t column) {
        const auto leaving = size_t(rows[row]), entering = size_t(columns[column]);
        const Fraction inverse = sums[row][column].inverse();
        const Fraction step = (*limit[leaving] - value[leaving]) * inverse;
        value[leaving] = *limit[leaving];
        value[entering] = value[entering] + step;
        for (size_t r = 0; r < rows.size(); r++) {
            if (r != row)
                value[size_t(rows[r])] = value[size_t(rows[r])] + sums[r][column] * step;
        }
        std::swap(rows[row], columns[column]);
        std::swap(place[leaving], place[entering]);
        std::vector<Fraction> &pivot = sums[row];
        for (size_t c = 0; c < pivot.size(); c++)
            pivot[c] = c == column ? inverse : -(pivot[c] * inverse);
        for (size_t r = 0; r < rows.size(); r++) {
            const Fraction factor = sums[r][column];
            if (r == row || factor.sign() == 0)
                continue;
            sums[r][column] = 0;
            for (size_t c = 0; c < pivot.size(); c++) {
                if (pivot[c].sign() != 0)
                    sums[r][c] = sums[r][c] + factor * pivot[c];
            }
        }
    }

    std::vector<int> rows, columns;           // variables
    std::vector<std::vector<Fraction>> sums;  // [row][column]
    std::vector<Place> place;                 // of each variable
    std::vector<Fraction> value;              // of each variable
    std::vector<std::optional<Fraction>> limit;
};

}  // namespace

LinearForm plus(const LinearForm &a, const LinearForm &b, int64_t times) {
    LinearForm sum = a;
    sum.constant = checked_sum(a.constant, checked_product(b.constant, times));
    for (const auto &[variable, factor] : b.factors) {
        int64_t &of_sum = sum.factors[variable];
        of_sum = checked_sum(of_sum, checked_product(factor, times));
        if (of_sum == 0)
            sum.factors.erase(variable);
    }
    return sum;
}

// Tries the cases of each choice of which none holds where the rest does, until all of them are excluded.
class LinearSystem::Refutation {
public:
    explicit Refutation(const std::vector<Choice> &choices) : choices(choices) {}

    bool succeeds(Simplex simplex) {
        constexpr int most_cases = 400;
        if (++cases > most_cases)
            return false;
        if (!simplex.solve())
            return true;
        const Choice *open = nullptr;
        Fraction most_wrong;
        for (const Choice &c : choices) {
            const Fraction a = excess(simplex, c.a), b = excess(simplex, c.b);
            const Fraction wrong = (a - b).sign() < 0 ? a : b;
            if ((wrong - most_wrong).sign() > 0) {
                open = &c;
                most_wrong = wrong;
            }
        }
        return open && succeeds(with(simplex, open->a)) && succeeds(with(simplex, open->b));
    }

private:
    static Simplex with(Simplex simplex, const Inequalities &more) {
        for (const LinearForm &f : more)
            simplex.require(f);
        return simplex;
    }

    // By how much the worst of them does not hold.
    static Fraction excess(const Simplex &simplex, const Inequalities &inequalities) {
        Fraction most;
        for (const LinearForm &f : inequalities) {
            const Fraction at = simplex.evaluate(f);
            most = (at - most).sign() > 0 ? at : most;
        }
        return most;
    }

    const std::vector<Choice> &choices;
    int cases = 0;
};

bool LinearSystem::excludes(const LinearForm &at_most_0) const {
    try {
        Simplex simplex(variables);
        for (const LinearForm &f : inequalities)
            simplex.require(f);
        simplex.require(at_most_0);
        return Refutation(choices).succeeds(simplex);
    } catch (const std::overflow_error &) {
        return false;
    }
}

}  // namespace warptile
