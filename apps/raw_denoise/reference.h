// The raw denoising of raw_denoise_generator.cpp in plain C++. Where a mean lies in the middle of two integers, its
// rounding decides, hence a step of one.
#pragma once

#include "../support/reference.h"

#include <array>
#include <cstdint>

namespace warptile::apps::raw_denoise {

constexpr double relative_tolerance = 0;
constexpr double integer_step = 1;

/// `at`, or what is nearest to it among the places from `first` to `last` at an even distance.
inline int of_same_color(int at, int first, int last) {
    while (at < first && at + 2 <= last) {
        at += 2;
    }
    while (at > last && at - 2 >= first) {
        at -= 2;
    }
    return std::clamp(at, first, last);
}

inline void reference(const Image<uint16_t> &input, int black_level, float read_noise, float gain, float strength,
                      Image<uint16_t> output) {
    const auto around = [&](int more) {
        return Plane(output.dim(0).min() - more, output.dim(1).min() - more, output.width() + 2 * more,
                     output.height() + 2 * more);
    };
    Plane raw = around(8), steady = around(6), guide = around(4);
    raw.fill([&](int x, int y) {
        return input(of_same_color(x, input.dim(0).min(), input.dim(0).max()),
                     of_same_color(y, input.dim(1).min(), input.dim(1).max()));
    });
    steady.fill([&](int x, int y) {
        double least = 65535, largest = 0;
        for (int i = 0; i < 9; i++) {
            if (i != 4) {
                const double neighbor = raw(x + 2 * (i % 3 - 1), y + 2 * (i / 3 - 1));
                least = std::min(least, neighbor);
                largest = std::max(largest, neighbor);
            }
        }
        return std::clamp(raw(x, y), least, largest);
    });
    guide.fill([&](int x, int y) {
        std::array<double, 5> five = {steady(x, y), steady(x - 2, y), steady(x + 2, y), steady(x, y - 2),
                                      steady(x, y + 2)};
        std::sort(five.begin(), five.end());
        return five[2];
    });
    output.for_each_element([&](int x, int y) {
        const double binomial[] = {1, 4, 6, 4, 1}, signal = std::max(guide(x, y) - black_level, 0.0);
        const double variance = double(read_noise) * read_noise + gain * signal;
        double sum = 0, weights = 0;
        for (int j = -2; j <= 2; j++) {
            for (int i = -2; i <= 2; i++) {
                const double difference = guide(x + 2 * i, y + 2 * j) - guide(x, y);
                const double likeness =
                    std::max(1 - difference * difference / (double(strength) * strength * variance), 0.0);
                const double weight = binomial[i + 2] * binomial[j + 2] * likeness * likeness;
                sum += weight * steady(x + 2 * i, y + 2 * j);
                weights += weight;
            }
        }
        output(x, y) = uint16_t(sum / weights + 0.5);
    });
}

}  // namespace warptile::apps::raw_denoise
