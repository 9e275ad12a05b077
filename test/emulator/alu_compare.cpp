// Comparisons, what is chosen by them, and predicates, which are 0 or 1 in their slots.
#include "alu.h"
#include "values.h"

namespace warptile::emulator {

namespace {

/// What a comparison does with numbers, and its answer where one of them is not a number.
template<class F, bool unordered>
struct Comparison {
    template<class T>
    static bool of(T a, T b) {
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isnan(a) || std::isnan(b)) {
                return unordered;
            }
        }
        return F::of(a, b);
    }
};

struct Equal {
    template<class T>
    static bool of(T a, T b) {
        return a == b;
    }
};

struct NotEqual {
    template<class T>
    static bool of(T a, T b) {
        return a != b;
    }
};

struct Less {
    template<class T>
    static bool of(T a, T b) {
        return a < b;
    }
};

struct LessEqual {
    template<class T>
    static bool of(T a, T b) {
        return a <= b;
    }
};

struct Greater {
    template<class T>
    static bool of(T a, T b) {
        return a > b;
    }
};

struct GreaterEqual {
    template<class T>
    static bool of(T a, T b) {
        return a >= b;
    }
};

struct Always {
    template<class T>
    static bool of(T, T) {
        return true;
    }
};

struct Never {
    template<class T>
    static bool of(T, T) {
        return false;
    }
};

template<class T>
auto comparable(uint64_t slot, const Instruction &i) {
    if constexpr (std::is_same_v<T, Half>) {
        return static_cast<float>(value_of<Half>(slot));
    } else if constexpr (std::is_same_v<T, float>) {
        return flushed(value_of<T>(slot), i.flush);
    } else {
        return value_of<T>(slot);
    }
}

enum class Join { None, And, Or, Xor };

template<Join join>
bool joined(bool compared, bool with) {
    return join == Join::And   ? compared && with
           : join == Join::Or  ? compared || with
           : join == Join::Xor ? compared != with
                               : compared;
}

/// setp: `d[0]` is the comparison, `d[1]` its opposite, each joined with the predicate c.
template<class C, Join join>
struct SetPredicate {
    template<class T>
    static void run(uint64_t *r, const Instruction &i) {
        const bool compared = C::of(comparable<T>(r[i.a], i), comparable<T>(r[i.b], i));
        const bool with = r[i.c] & 1;
        r[i.d[0]] = joined<join>(compared, with);
        r[i.d[1]] = joined<join>(!compared, with);
    }
};

/// set: all bits, or 1.0 for a result of f32 (then `to_integer` is false).
template<class C>
struct SetValue {
    template<class T>
    static void run(uint64_t *r, const Instruction &i) {
        const bool compared = C::of(comparable<T>(r[i.a], i), comparable<T>(r[i.b], i));
        r[i.d[0]] = !compared ? 0 : i.to_integer ? 0xffffffffu : slot_of(1.0f);
    }
};

template<class F>
Compute pick_compared(const std::string &type) {
    return pick<F, uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t, Half, float, double>(type);
}

template<class C>
Compute find_of(const OpcodeParts &p) {
    const std::string &type = p.back();
    if (p[0] == "set") {
        return pick_compared<SetValue<C>>(type);
    }
    return has(p, "and")   ? pick_compared<SetPredicate<C, Join::And>>(type)
           : has(p, "or")  ? pick_compared<SetPredicate<C, Join::Or>>(type)
           : has(p, "xor") ? pick_compared<SetPredicate<C, Join::Xor>>(type)
                           : pick_compared<SetPredicate<C, Join::None>>(type);
}

Compute find_comparison(const OpcodeParts &p) {
    const std::string &how = p.size() > 2 ? p[1] : "";
    return how == "eq"                  ? find_of<Comparison<Equal, false>>(p)
           : how == "ne"                ? find_of<Comparison<NotEqual, false>>(p)
           : how == "lt" || how == "lo" ? find_of<Comparison<Less, false>>(p)
           : how == "le" || how == "ls" ? find_of<Comparison<LessEqual, false>>(p)
           : how == "gt" || how == "hi" ? find_of<Comparison<Greater, false>>(p)
           : how == "ge" || how == "hs" ? find_of<Comparison<GreaterEqual, false>>(p)
           : how == "equ"               ? find_of<Comparison<Equal, true>>(p)
           : how == "neu"               ? find_of<Comparison<NotEqual, true>>(p)
           : how == "ltu"               ? find_of<Comparison<Less, true>>(p)
           : how == "leu"               ? find_of<Comparison<LessEqual, true>>(p)
           : how == "gtu"               ? find_of<Comparison<Greater, true>>(p)
           : how == "geu"               ? find_of<Comparison<GreaterEqual, true>>(p)
           : how == "num"               ? find_of<Comparison<Always, false>>(p)
           : how == "nan"               ? find_of<Comparison<Never, true>>(p)
                                        : nullptr;
}

/// selp: a where the predicate c holds.
void select(uint64_t *r, const Instruction &i) { r[i.d[0]] = r[i.c] & 1 ? r[i.a] : r[i.b]; }

/// slct: a where c is not negative.
template<class T>
void select_by_sign(uint64_t *r, const Instruction &i) {
    r[i.d[0]] = value_of<T>(r[i.c]) >= T(0) ? r[i.a] : r[i.b];
}

void and_predicates(uint64_t *r, const Instruction &i) { r[i.d[0]] = r[i.a] & r[i.b] & 1; }

void or_predicates(uint64_t *r, const Instruction &i) { r[i.d[0]] = (r[i.a] | r[i.b]) & 1; }

void xor_predicates(uint64_t *r, const Instruction &i) { r[i.d[0]] = (r[i.a] ^ r[i.b]) & 1; }

void not_predicate(uint64_t *r, const Instruction &i) { r[i.d[0]] = ~r[i.a] & 1; }

void move_predicate(uint64_t *r, const Instruction &i) { r[i.d[0]] = r[i.a] & 1; }

}  // namespace

Compute find_compare(const OpcodeParts &p) {
    const std::string &root = p[0];
    if (p.back() == "pred") {
        return root == "and"   ? &and_predicates
               : root == "or"  ? &or_predicates
               : root == "xor" ? &xor_predicates
               : root == "not" ? &not_predicate
               : root == "mov" ? &move_predicate
                               : nullptr;
    }
    return root == "setp" || root == "set" ? find_comparison(p)
           : root == "selp"                ? &select
           : root == "slct"                ? (p.back() == "f32" ? &select_by_sign<float> : &select_by_sign<int32_t>)
                                           : nullptr;
}

}  // namespace warptile::emulator
