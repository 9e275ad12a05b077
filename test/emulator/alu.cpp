#include "alu.h"

#include <algorithm>

#include "values.h"

namespace warptile::emulator {

bool has(const OpcodeParts &parts, const std::string &part) {
    return std::find(parts.begin() + 1, parts.end(), part) != parts.end();
}

Compute find_compute(const OpcodeParts &parts) {
    for (Compute (*const find)(const OpcodeParts &) :
         {find_compare, find_float, find_integer, find_bits, find_convert, find_move}) {
        if (const Compute found = find(parts)) {
            return found;
        }
    }
    return nullptr;
}

namespace {

template<class T>
struct Combines {
    static uint64_t add(uint64_t old, uint64_t a, uint64_t) {
        if constexpr (std::is_same_v<T, Half>) {
            return slot_of(Half(static_cast<float>(value_of<Half>(old)) + static_cast<float>(value_of<Half>(a))));
        } else if constexpr (std::is_floating_point_v<T>) {
            return slot_of(value_of<T>(old) + value_of<T>(a));
        } else {
            return old + a;
        }
    }

    static uint64_t min(uint64_t old, uint64_t a, uint64_t) { return value_of<T>(a) < value_of<T>(old) ? a : old; }

    static uint64_t max(uint64_t old, uint64_t a, uint64_t) { return value_of<T>(a) > value_of<T>(old) ? a : old; }

    static uint64_t increment(uint64_t old, uint64_t a, uint64_t) {
        return value_of<T>(old) >= value_of<T>(a) ? 0 : old + 1;
    }

    static uint64_t decrement(uint64_t old, uint64_t a, uint64_t) {
        return value_of<T>(old) == 0 || value_of<T>(old) > value_of<T>(a) ? a : old - 1;
    }

    static uint64_t swap_if(uint64_t old, uint64_t a, uint64_t b) {
        return value_of<T>(old) == value_of<T>(a) ? b : old;
    }
};

uint64_t and_bits(uint64_t old, uint64_t a, uint64_t) { return old & a; }

uint64_t or_bits(uint64_t old, uint64_t a, uint64_t) { return old | a; }

uint64_t xor_bits(uint64_t old, uint64_t a, uint64_t) { return old ^ a; }

uint64_t exchange(uint64_t, uint64_t a, uint64_t) { return a; }

template<class T>
Combine integer_combine(const OpcodeParts &p) {
    return has(p, "add")   ? &Combines<T>::add
           : has(p, "min") ? &Combines<T>::min
           : has(p, "max") ? &Combines<T>::max
           : has(p, "inc") ? &Combines<T>::increment
           : has(p, "dec") ? &Combines<T>::decrement
           : has(p, "cas") ? &Combines<T>::swap_if
                           : nullptr;
}

}  // namespace

Combine find_combine(const OpcodeParts &p) {
    const std::string &type = p.back();
    if (has(p, "and") || has(p, "or") || has(p, "xor") || has(p, "exch")) {
        return has(p, "and") ? &and_bits : has(p, "or") ? &or_bits : has(p, "xor") ? &xor_bits : &exchange;
    }
    if (type == "f16" || type == "f32" || type == "f64") {
        return !has(p, "add")  ? nullptr
               : type == "f16" ? &Combines<Half>::add
               : type == "f32" ? &Combines<float>::add
                               : &Combines<double>::add;
    }
    return is_type<uint32_t>(type)   ? integer_combine<uint32_t>(p)
           : is_type<int32_t>(type)  ? integer_combine<int32_t>(p)
           : is_type<uint64_t>(type) ? integer_combine<uint64_t>(p)
           : is_type<int64_t>(type)  ? integer_combine<int64_t>(p)
           : is_type<uint16_t>(type) ? integer_combine<uint16_t>(p)
                                     : nullptr;
}

}  // namespace warptile::emulator
