// Updates that belong into the kernel of what reads them: small solvers, sorted windows and sums along channels, made
// for each pixel of its own few values, and sums of which another sum reads one a step.
#include "test/kinds/kind.h"

namespace warptile::kinds {
namespace {

/// Gauss's elimination on three unknowns for each pixel, a chain of updates at constant places. The diagonal is made
/// larger than the rest of its row, so that nothing is divided by what rounding has left of zero.
class SystemAPixel : public Kind<SystemAPixel> {
public:
    Input<Buffer<float, 3>> a{"a"};  // nine coefficients
    Input<Buffer<float, 3>> b{"b"};  // the right side
    Output<Buffer<float, 2>> f{"f"};

    SystemAPixel() : Kind(640, 480) {}

    void generate() {
        const Var row("row"), column("column");
        const int unknowns = 3;
        const auto coefficient = [&](const Expr &c) { return a(x, y, clamp(unknowns * row + c, 0, 8)); };
        const Expr diagonal = 1 + abs(coefficient(0)) + abs(coefficient(1)) + abs(coefficient(2));
        Func m("m");
        m(x, y, column, row) =
            Halide::select(column == row, diagonal, column < unknowns, coefficient(column), b(x, y, clamp(row, 0, 2)));
        for (int k = 0; k < unknowns; k++) {
            for (int below = k + 1; below < unknowns; below++) {
                for (int c = unknowns; c >= k; c--) {
                    m(x, y, c, below) -= m(x, y, k, below) / m(x, y, k, k) * m(x, y, c, k);
                }
            }
        }
        for (int k = unknowns - 1; k >= 0; k--) {
            for (int known = k + 1; known < unknowns; known++) {
                m(x, y, 3, k) -= m(x, y, known, k) * m(x, y, 3, known);
            }
            m(x, y, 3, k) /= m(x, y, k, k);
        }
        f(x, y) = m(x, y, 3, 0) - m(x, y, 3, 1) + 2 * m(x, y, 3, 2);
        a.set_estimates({{0, width}, {0, height}, {0, 9}});
        b.set_estimates({{0, width}, {0, height}, {0, 3}});
        f.set_estimates({{0, width}, {0, height}});
    }
};

/// The middle of five neighbors, by exchanging those that are not in order: each exchange is three updates, of which
/// the first keeps the lesser one in a place of its own.
class MedianByExchanges : public Kind<MedianByExchanges> {
public:
    Input<Buffer<uint8_t, 2>> a{"a"};
    Output<Buffer<uint8_t, 2>> f{"f"};

    MedianByExchanges() : Kind(1920, 1080) {}

    void generate() {
        const Var i("i");
        const int values = 5;
        Func v("v");
        v(x, y, i) = a(x + clamp(i, 0, 4), y);
        for (int end = values - 1; end >= values / 2; end--) {
            for (int at = 0; at < end; at++) {
                v(x, y, values) = min(v(x, y, at), v(x, y, at + 1));
                v(x, y, at + 1) = max(v(x, y, at), v(x, y, at + 1));
                v(x, y, at) = v(x, y, values);
            }
        }
        f(x, y) = v(x, y, values / 2);
        a.set_estimates({{0, width + 4}, {0, height}});
        f.set_estimates({{0, width}, {0, height}});
    }
};

/// Sums of the channels up to each, over reduction variables that are places, and how far they are from even.
class SumsUpToEachChannel : public Kind<SumsUpToEachChannel> {
public:
    Input<Buffer<int32_t, 3>> a{"a"};  // eight channels
    Output<Buffer<int32_t, 2>> f{"f"};

    SumsUpToEachChannel() : Kind(640, 480) {}

    void generate() {
        const Var c("c");
        const int channels = 8;
        const RDom r(1, channels - 1, "r");
        Func sums("sums");
        sums(x, y, c) = a(x, y, c);
        sums(x, y, r) += sums(x, y, r - 1);
        Expr uneven = 0;
        for (int n = 0; n < channels; n++) {
            uneven += abs(channels * sums(x, y, n) - (n + 1) * sums(x, y, channels - 1));
        }
        f(x, y) = uneven;
        a.set_estimates({{0, width}, {0, height}, {0, channels}});
        f.set_estimates({{0, width}, {0, height}});
    }
};

}  // namespace
}  // namespace warptile::kinds

using namespace warptile::kinds;

HALIDE_REGISTER_GENERATOR(SystemAPixel, system_a_pixel)
HALIDE_REGISTER_GENERATOR(MedianByExchanges, median_by_exchanges)
HALIDE_REGISTER_GENERATOR(SumsUpToEachChannel, sums_up_to_each_channel)
