#pragma once

// The source of all chance in the random tests. Small and our own, because the distributions of the standard library
// differ from one library to another, and a seed that failed must fail again everywhere.

#include <cstdint>
#include <vector>

namespace warptile::fuzz {

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): every seed, 0 included, gives a good stream.
class Prng {
public:
    explicit Prng(uint64_t seed) : state_(seed) {}

    uint64_t next() {
        state_ += 0x9e3779b97f4a7c15ull;
        uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }

    /// A number of [0, n); n > 0. The bias of the remainder is below 2^-40 for the small n of these tests.
    int below(int n) { return static_cast<int>(next() % static_cast<uint64_t>(n)); }

    /// A number of [lo, hi], both inclusive.
    int between(int lo, int hi) { return lo + below(hi - lo + 1); }

    bool chance(int percent) { return below(100) < percent; }

    template<typename T>
    const T &pick(const std::vector<T> &from) {
        return from[static_cast<size_t>(below(static_cast<int>(from.size())))];
    }

    template<typename T>
    void shuffle(std::vector<T> &v) {
        for (int i = static_cast<int>(v.size()) - 1; i > 0; i--) {
            std::swap(v[static_cast<size_t>(i)], v[static_cast<size_t>(below(i + 1))]);
        }
    }

private:
    uint64_t state_;
};

}  // namespace warptile::fuzz
