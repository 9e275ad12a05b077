// The lens blur of lens_blur_generator.cpp in plain C++, one displacement after the other. Planes hold integers, which
// a double does exactly.
#pragma once

#include "../support/reference.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace warptile::apps::lens_blur {

constexpr double relative_tolerance = 1e-5;
constexpr double integer_step = 0;
constexpr int levels = 8;

/// How little the left image's pixel matches the right one's `z` displacements on.
inline double cost(const Image<uint8_t> &left, const Image<uint8_t> &right, int x, int y, int z) {
    int squares = 0;
    for (int c = 0; c < 3; c++) {
        const auto distance = [&](int to) { return std::abs(clamped(left, x, y, c) - clamped(right, to, y, c)); };
        const int d = std::min(distance(x + 2 * z), distance(x + 2 * z + 1));
        squares += d * d;
    }
    return squares / 4;
}

/// The levels' parts of the plane with two pixels more around each, outermost first the image's own.
class Pyramid {
public:
    Pyramid(const Image<uint8_t> &image, const Plane &finest)
        : x0_(image.dim(0).min()), y0_(image.dim(1).min()), x1_(image.dim(0).max()), y1_(image.dim(1).max()) {
        planes_.push_back(finest);
        for (int j = 1; j < levels; j++) {
            planes_.push_back(halved(j));
        }
        for (int j = levels - 1; j >= 0; j--) {
            spread(j);
        }
    }

    /// The finest level, spread.
    const Plane &result() const { return planes_[0]; }

    static Plane plane(int x0, int y0, int x1, int y1, int j) {
        const int left = (x0 >> j) - 2, top = (y0 >> j) - 2;
        return {left, top, (x1 >> j) + 3 - left, (y1 >> j) + 3 - top};
    }

private:
    int x0_, y0_, x1_, y1_;
    std::vector<Plane> planes_;

    double within(int j, int x, int y) const {
        return j == 0 ? planes_[0](x, y)
                      : planes_[j](std::clamp(x, x0_ >> j, x1_ >> j), std::clamp(y, y0_ >> j, y1_ >> j));
    }

    Plane halved(int j) const {
        const auto filter = [](double a, double b, double c, double d) {
            return std::floor((a + 3 * (b + c) + d + 4) / 8);
        };
        Plane result = plane(x0_, y0_, x1_, y1_, j);
        for (int y = y0_ >> j; y <= y1_ >> j; y++) {
            for (int x = x0_ >> j; x <= x1_ >> j; x++) {
                const auto column = [&](int at) {
                    const auto tap = [&](int d) { return within(j - 1, at, 2 * y + d); };
                    return filter(tap(-1), tap(0), tap(1), tap(2));
                };
                result(x, y) = filter(column(2 * x - 1), column(2 * x), column(2 * x + 1), column(2 * x + 2));
            }
        }
        return result;
    }

    /// Level `j` becomes the mean of itself and of the coarser level.
    void spread(int j) {
        const auto blend = [](double near, double far) { return std::floor((3 * near + far + 2) / 4); };
        const auto next = [](int at) { return floor_div(at, 2) + (floor_mod(at, 2) ? 1 : -1); };
        Plane result = plane(x0_, y0_, x1_, y1_, j);
        result.fill([&](int x, int y) {
            if (j == levels - 1) {
                return within(j, x, y);
            }
            const auto row = [&](int at) {
                return blend(planes_[j + 1](floor_div(x, 2), at), planes_[j + 1](next(x), at));
            };
            return std::floor((blend(row(floor_div(y, 2)), row(next(y))) + within(j, x, y) + 1) / 2);
        });
        planes_[j] = result;
    }
};

inline Plane certainty(const Image<uint8_t> &left, const Image<uint8_t> &right, int slices, Plane result) {
    result.fill([&](int x, int y) {
        uint64_t sum = 0, squares = 0;
        for (int z = 0; z < slices; z++) {
            const uint64_t value = uint64_t(cost(left, right, x, y, z));
            sum += value;
            squares += value * value;
        }
        const uint64_t variance = (slices * squares - sum * sum) / (uint64_t(slices) * slices);
        return 1 + double(std::min<uint64_t>(variance >> 17, 4095));
    });
    return result;
}

inline Plane depths(const Image<uint8_t> &left, const Image<uint8_t> &right, int slices) {
    const Plane empty = Pyramid::plane(left.dim(0).min(), left.dim(1).min(), left.dim(0).max(), left.dim(1).max(), 0);
    const Plane sure = certainty(left, right, slices, empty);
    const Pyramid weight(left, sure);
    Plane depth = empty, least = empty;
    for (int z = 0; z < slices; z++) {
        Plane costs = empty;
        costs.fill([&](int x, int y) { return cost(left, right, x, y, z) * sure(x, y); });
        const Pyramid weighted(left, costs);
        // All depths share one certainty, so that the least weighted cost is the least cost.
        depth.fill([&](int x, int y) { return z == 0 || weighted.result()(x, y) < least(x, y) ? z : depth(x, y); });
        least.fill([&](int x, int y) {
            return z == 0 ? weighted.result()(x, y) : std::min(least(x, y), weighted.result()(x, y));
        });
    }
    return depth;
}

inline uint32_t noise(int x, int y, int index) {
    const uint32_t a = uint32_t(x) * 0x9e3779b1u ^ uint32_t(y) * 0x85ebca77u ^ uint32_t(index) * 0xc2b2ae3du;
    const uint32_t b = (a ^ (a >> 15)) * 0x2c1b3c6du;
    const uint32_t d = (b ^ (b >> 12)) * 0x297a2d39u;
    return d ^ (d >> 15);
}

inline void reference(const Image<uint8_t> &left, const Image<uint8_t> &right, int slices, int focus_depth,
                      float blur_radius_scale, int aperture_samples, Image<float> output) {
    const Plane depth = depths(left, right, slices);
    const auto depth_at = [&](int x, int y) {
        return int(depth(std::clamp(x, left.dim(0).min(), left.dim(0).max()),
                         std::clamp(y, left.dim(1).min(), left.dim(1).max())));
    };
    const auto radius = [&](int at_depth) { return float(std::abs(at_depth - focus_depth)) * blur_radius_scale; };
    const int limit = int(float(std::max(slices - focus_depth, focus_depth)) * blur_radius_scale);
    for (int y = output.dim(1).min(); y <= output.dim(1).max(); y++) {
        for (int x = output.dim(0).min(); x <= output.dim(0).max(); x++) {
            float largest = 0;
            for (int dy = -limit; dy <= limit; dy++) {
                for (int dx = -limit; dx <= limit; dx++) {
                    largest = std::max(largest, radius(depth_at(x + dx, y + dy)));
                }
            }
            const int reach = std::min(int(largest), limit), here = depth_at(x, y);
            int sums[4] = {clamped(left, x, y, 0), clamped(left, x, y, 1), clamped(left, x, y, 2), 1};
            for (int i = 0; i < aperture_samples; i++) {
                const uint32_t bits = noise(x, y, i);
                const int dx = int((bits & 0xffff) * uint32_t(2 * reach + 1) >> 16) - reach;
                const int dy = int((bits >> 16) * uint32_t(2 * reach + 1) >> 16) - reach;
                const int there = depth_at(x + dx, y + dy), squared = dx * dx + dy * dy;
                const auto covers = [&](int at) { return float(squared) < radius(at) * radius(at); };
                if ((covers(here) || there < here) && covers(there)) {
                    for (int c = 0; c < 4; c++) {
                        sums[c] += c < 3 ? clamped(left, x + dx, y + dy, c) : 1;
                    }
                }
            }
            for (int c = 0; c < 3; c++) {
                output(x, y, c) = float(double(sums[c]) / sums[3]);
            }
        }
    }
}

}  // namespace warptile::apps::lens_blur
