// The multiresolution blend of pyramid_blend_generator.cpp in plain C++, at its default of four levels. Every level is
// computed over as much as the finer one asks of it, which reaches beyond the image.
#pragma once

#include "../support/reference.h"

#include <vector>

namespace warptile::apps::pyramid_blend {

constexpr double relative_tolerance = 1e-5;
constexpr double integer_step = 0;
constexpr int levels = 4;

/// A range of coordinates, both ends in it.
struct Range {
    int begin, end;
};

/// What is needed of each level, for one axis: by the level below it that is doubled from it, and by the level above
/// that is halved from it.
struct Needs {
    Range doubled[levels], halved[levels];

    explicit Needs(Range output) {
        doubled[0] = output;
        for (int level = 1; level < levels; level++) {
            doubled[level] = {floor_div(doubled[level - 1].begin, 2) - 1, floor_div(doubled[level - 1].end, 2) + 1};
        }
        halved[levels - 1] = doubled[levels - 1];
        for (int level = levels - 2; level >= 0; level--) {
            const Range coarser = halved[level + 1];
            halved[level] = {std::min(doubled[level].begin, 2 * coarser.begin - 1),
                             std::max(doubled[level].end, 2 * coarser.end + 2)};
        }
    }
};

inline Plane plane_over(Range x, Range y) { return {x.begin, y.begin, x.end - x.begin + 1, y.end - y.begin + 1}; }

/// The pyramid over an image's values, `base(x, y)` anywhere.
template<typename Base>
std::vector<Plane> pyramid(const Base &base, const Needs &x, const Needs &y) {
    std::vector<Plane> down;
    for (int level = 0; level < levels; level++) {
        down.push_back(plane_over(x.halved[level], y.halved[level]));
        down[level].fill([&](int i, int j) {
            if (level == 0) {
                return double(base(i, j));
            }
            double sum = 0;
            for (int dj = 0; dj < 4; dj++) {
                for (int di = 0; di < 4; di++) {
                    const double weight = (di % 3 ? 3 : 1) * (dj % 3 ? 3 : 1) / 64.0;
                    sum += weight * down[level - 1](2 * i - 1 + di, 2 * j - 1 + dj);
                }
            }
            return sum;
        });
    }
    return down;
}

/// The value of the finer level's pixel that `coarse` gives: three parts of the nearest pixel to one of the next.
inline double doubled(const Plane &coarse, int x, int y) {
    const int near_x = floor_div(x, 2), near_y = floor_div(y, 2);
    const int next_x = near_x + (floor_mod(x, 2) ? 1 : -1), next_y = near_y + (floor_mod(y, 2) ? 1 : -1);
    return (9 * coarse(near_x, near_y) + 3 * coarse(next_x, near_y) + 3 * coarse(near_x, next_y) +
            coarse(next_x, next_y)) /
           16;
}

inline void reference(const Image<float> &left, const Image<float> &right, const Image<float> &mask,
                      Image<float> output) {
    const Needs x({output.dim(0).min(), output.dim(0).max()}), y({output.dim(1).min(), output.dim(1).max()});
    const std::vector<Plane> wanted = pyramid([&](int i, int j) { return clamped(mask, i, j); }, x, y);
    for (int c = output.dim(2).min(); c <= output.dim(2).max(); c++) {
        const std::vector<Plane> a = pyramid([&](int i, int j) { return clamped(left, i, j, c); }, x, y);
        const std::vector<Plane> b = pyramid([&](int i, int j) { return clamped(right, i, j, c); }, x, y);
        Plane result(0, 0, 0, 0);
        for (int level = levels - 1; level >= 0; level--) {
            Plane finer = plane_over(x.doubled[level], y.doubled[level]);
            finer.fill([&](int i, int j) {
                const double w = wanted[level](i, j);
                double of_a = a[level](i, j), of_b = b[level](i, j), coarse = 0;
                if (level + 1 < levels) {
                    of_a -= doubled(a[level + 1], i, j);
                    of_b -= doubled(b[level + 1], i, j);
                    coarse = doubled(result, i, j);
                }
                return w * of_a + (1 - w) * of_b + coarse;
            });
            result = std::move(finer);
        }
        for (int j = output.dim(1).min(); j <= output.dim(1).max(); j++) {
            for (int i = output.dim(0).min(); i <= output.dim(0).max(); i++) {
                output(i, j, c) = float(result(i, j));
            }
        }
    }
}

}  // namespace warptile::apps::pyramid_blend
