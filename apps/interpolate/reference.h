// The multiscale interpolation of interpolate_generator.cpp in plain C++, at its default of ten levels.
// Every level is computed over as much as the finer one asks of it, which reaches beyond the image.
#pragma once

#include "../support/reference.h"

namespace warptile::apps::interpolate {

constexpr double relative_tolerance = 1e-5;
constexpr double integer_step = 0;
constexpr int levels = 10;

/// A range of coordinates, both ends in it.
struct Range {
    int begin, end;
};

inline Range united(Range a, Range b) { return {std::min(a.begin, b.begin), std::max(a.end, b.end)}; }

/// What of a level is needed, by the finer level's filling and by the coarser level's filtering, for one axis.
struct Needs {
    Range filled[levels], down[levels];
};

/// `edge` is the last coordinate that level 4 reads of level 3, whose first is 0.
inline Needs needs_of(Range output, int edge) {
    Needs needs;
    needs.filled[0] = needs.down[0] = output;
    for (int level = 1; level < levels; level++) {
        const Range finer = needs.filled[level - 1];
        needs.filled[level] = {floor_div(finer.begin, 2), floor_div(finer.end + 1, 2)};
        needs.down[level] = needs.filled[level];
    }
    for (int level = levels - 1; level > 0; level--) {
        const Range half = needs.down[level];
        const Range read = level == 4 ? Range{0, edge} : Range{2 * half.begin - 1, 2 * half.end + 1};
        needs.down[level - 1] = united(needs.down[level - 1], read);
    }
    return needs;
}

inline Plane plane_over(Range x, Range y) { return {x.begin, y.begin, x.end - x.begin + 1, y.end - y.begin + 1}; }

/// The whole of the pyramid for one channel, down and up: the filled image at level 0.
class Pyramid {
public:
    /// `base(x, y)` is the premultiplied channel anywhere.
    template<typename Base>
    Pyramid(const Base &base, const Needs &x, const Needs &y, int edge_x, int edge_y) {
        for (int level = 0; level < levels; level++) {
            down_.push_back(plane_over(x.down[level], y.down[level]));
            const int limit_x = level == 4 ? edge_x : 1 << 30, limit_y = level == 4 ? edge_y : 1 << 30;
            const int least = level == 4 ? 0 : -(1 << 30);
            const auto finer = [&](int i, int j) {
                return down_[level - 1](std::clamp(i, least, limit_x), std::clamp(j, least, limit_y));
            };
            const auto along_x = [&](int i, int j) {
                return (finer(2 * i - 1, j) + 2 * finer(2 * i, j) + finer(2 * i + 1, j)) / 4;
            };
            down_[level].fill([&](int i, int j) {
                return level == 0 ? base(i, j)
                                  : (along_x(i, 2 * j - 1) + 2 * along_x(i, 2 * j) + along_x(i, 2 * j + 1)) / 4;
            });
        }
    }

    /// The image filled from all levels, given the alpha channel's own pyramid.
    Plane filled(const Pyramid &alpha, const Needs &x, const Needs &y) const {
        Plane coarse = plane_over(x.filled[levels - 1], y.filled[levels - 1]);
        coarse.fill([&](int i, int j) { return down_[levels - 1](i, j); });
        for (int level = levels - 2; level >= 0; level--) {
            Plane fine = plane_over(x.filled[level], y.filled[level]);
            fine.fill([&](int i, int j) {
                const int left = floor_div(i, 2), right = floor_div(i + 1, 2);
                const int above = floor_div(j, 2), below = floor_div(j + 1, 2);
                const double up =
                    (coarse(left, above) + coarse(right, above) + coarse(left, below) + coarse(right, below)) / 4;
                return down_[level](i, j) + (1 - alpha.down_[level](i, j)) * up;
            });
            coarse = std::move(fine);
        }
        return coarse;
    }

private:
    std::vector<Plane> down_;
};

inline void reference(const Image<float> &input, Image<float> output) {
    const int edge_x = input.width() / 8, edge_y = input.height() / 8;
    const Needs x = needs_of({output.dim(0).min(), output.dim(0).max()}, edge_x);
    const Needs y = needs_of({output.dim(1).min(), output.dim(1).max()}, edge_y);
    const auto alpha_at = [&](int i, int j) { return double(clamped(input, i, j, 3)); };
    const Pyramid alpha(alpha_at, x, y, edge_x, edge_y);
    const Plane weight = alpha.filled(alpha, x, y);
    for (int c = output.dim(2).min(); c <= output.dim(2).max(); c++) {
        const auto premultiplied = [&](int i, int j) { return clamped(input, i, j, c) * alpha_at(i, j); };
        const Plane colour = Pyramid(premultiplied, x, y, edge_x, edge_y).filled(alpha, x, y);
        for (int j = output.dim(1).min(); j <= output.dim(1).max(); j++) {
            for (int i = output.dim(0).min(); i <= output.dim(0).max(); i++) {
                output(i, j, c) = float(colour(i, j) / weight(i, j));
            }
        }
    }
}

}  // namespace warptile::apps::interpolate
