// Which input pixels an output pixel of a resized line is made of, and with which weights: a kernel laid over the input
// around where the output pixel falls, stretched where the line shrinks so that nothing aliases.
//
// Places are whole numbers, in parts of an input pixel: as floats they would differ in the last place from one schedule
// to the next, and a box would have other taps.
#pragma once

#include "Halide.h"

#include <algorithm>

namespace warptile::apps {

enum class Kernel { box, linear, cubic, lanczos };

/// A line at `numerator / denominator` times its length.
struct Sampling {
    Kernel kernel;
    int numerator, denominator;

    using Expr = Halide::Expr;

    bool shrinks() const { return numerator < denominator; }

    int scaled(int length) const { return std::max(length * numerator / denominator, 1); }

    int taps() const { return (plain_taps() * stretch() + numerator - 1) / numerator; }

    /// The first input pixel that the kernel reaches from output pixel `at`.
    Expr first_tap(const Expr &at) const {
        const int reach = plain_taps() * stretch();
        return (place(at) - reach + step() - 1) / step();
    }

    /// The weight of tap `k` of output pixel `at`; those of a pixel do not yet sum to one.
    Expr weight(const Expr &at, const Expr &k) const { return kernel_at((first_tap(at) + k) * step() - place(at)); }

private:
    /// How many parts an input pixel has.
    int step() const { return 2 * numerator; }

    /// Where the centre of output pixel `at` falls in the input, whose pixel i has its centre at i.
    Expr place(const Expr &at) const { return (2 * at + 1) * denominator - numerator; }

    /// The kernel's unit in input pixels, times `numerator`.
    int stretch() const { return std::max(numerator, denominator); }

    /// The kernel's taps where the line keeps its length.
    int plain_taps() const {
        switch (kernel) {
        case Kernel::box:
            return 1;
        case Kernel::linear:
            return 2;
        case Kernel::cubic:
            return 4;
        default:
            return 6;
        }
    }

    Expr kernel_at(const Expr &distance) const {
        const int unit = 2 * stretch();
        const Expr t = abs(Halide::cast<float>(distance) / float(unit));
        switch (kernel) {
        case Kernel::box:
            return select(abs(distance) * 2 <= unit, 1.0f, 0.0f);
        case Kernel::linear:
            return max(1.0f - t, 0.0f);
        case Kernel::cubic:
            return select(t < 1.0f, (1.5f * t - 2.5f) * t * t + 1.0f,
                          select(t < 2.0f, ((2.5f - 0.5f * t) * t - 4.0f) * t + 2.0f, 0.0f));
        default:
            return select(distance == 0, 1.0f, select(t < 3.0f, sinc(t) * sinc(t / 3.0f), 0.0f));
        }
    }

    static Expr sinc(const Expr &t) { return sin(3.14159265f * t) / (3.14159265f * t); }
};

}  // namespace warptile::apps
