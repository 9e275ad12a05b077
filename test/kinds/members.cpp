// Updates that belong into the kernel of what reads them: small solvers, sorted windows and sums along channels, made
// for each pixel of its own few values, and sums of which another sum reads one a step.
#include <cstdint>
#include <limits>

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

/// Where in a window of the next image a patch of this one is found: a sum of differences for each place of the window,
/// and the first place of the least.
class BlockMatching : public Kind<BlockMatching> {
public:
    Input<Buffer<uint8_t, 2>> a{"a"};
    Input<Buffer<uint8_t, 2>> b{"b"};
    Output<Buffer<int32_t, 2>> f{"f"};

    BlockMatching() : Kind(640, 480) {}

    void generate() {
        const int patch = 5, window = 7;
        const Var dx("dx"), dy("dy");
        const RDom p(0, patch, 0, patch, "p"), w(0, window, 0, window, "w");
        Func differences("differences"), best("best");
        differences(x, y, dx, dy) += abs(Halide::cast<int32_t>(a(x + p.x, y + p.y)) - b(x + p.x + dx, y + p.y + dy));
        best(x, y) = Tuple(std::numeric_limits<int32_t>::max(), -1);
        const Expr found = differences(x, y, w.x, w.y);
        best(x, y) =
            Tuple(min(best(x, y)[0], found), Halide::select(found < best(x, y)[0], w.y * window + w.x, best(x, y)[1]));
        f(x, y) = best(x, y)[1];
        a.set_estimates({{0, width + patch - 1}, {0, height + patch - 1}});
        b.set_estimates({{0, width + patch + window - 2}, {0, height + patch + window - 2}});
        f.set_estimates({{0, width}, {0, height}});
    }
};

/// The nearest of many centres, by the squares of distances in a space of a dozen dimensions.
class NearestCentre : public Kind<NearestCentre> {
public:
    Input<Buffer<int32_t, 2>> points{"points"};
    Input<Buffer<int32_t, 2>> centres{"centres"};
    Output<Buffer<int32_t, 1>> f{"f"};

    NearestCentre() : Kind(200000, 1) {}

    void generate() {
        const int dimensions = 12, many = 64;
        const Var centre("centre");
        const RDom d(0, dimensions, "d"), c(0, many, "c");
        Func distance("distance");
        const Expr apart = points(x, d) - centres(centre, d);
        distance(x, centre) += apart * apart;
        f(x) = argmin(c, distance(x, c), "nearest")[0];
        points.set_estimates({{0, width}, {0, dimensions}});
        centres.set_estimates({{0, many}, {0, dimensions}});
        f.set_estimates({{0, width}});
    }
};

/// Which of several Gaussians is likeliest for a pixel of six channels, by (v - m)' P (v - m): a row of the product at
/// each step of the sum that reads it, and that sum at each Gaussian.
class LikeliestGaussian : public Kind<LikeliestGaussian> {
public:
    Input<Buffer<int32_t, 3>> v{"v"};
    Input<Buffer<int32_t, 2>> mean{"mean"};
    Input<Buffer<int32_t, 3>> precision{"precision"};
    Output<Buffer<int32_t, 2>> f{"f"};

    LikeliestGaussian() : Kind(640, 480) {}

    void generate() {
        const int channels = 6, gaussians = 40;
        const Var i("i"), n("n");
        const RDom row(0, channels, "row"), column(0, channels, "column"), k(0, gaussians, "k");
        Func product("product"), square("square"), least("least");
        product(x, y, n, i) += precision(column, i, n) * (v(x, y, column) - mean(column, n));
        square(x, y, n) += product(x, y, n, row) * (v(x, y, row) - mean(row, n));
        least(x, y) = std::numeric_limits<int32_t>::max();
        least(x, y) = min(least(x, y), square(x, y, k) * 64 + k);
        f(x, y) = least(x, y) & 63;
        v.set_estimates({{0, width}, {0, height}, {0, channels}});
        mean.set_estimates({{0, channels}, {0, gaussians}});
        precision.set_estimates({{0, channels}, {0, channels}, {0, gaussians}});
        f.set_estimates({{0, width}, {0, height}});
    }
};

/// A layer whose channels are planes, as PyTorch has them: each of its sums goes over a window of all channels, and
/// neighbours' windows overlap.
class LayerOfPlanes : public Kind<LayerOfPlanes> {
public:
    Input<Buffer<float, 3>> in{"in"};            // two pixels wider and higher than the output
    Input<Buffer<float, 4>> weights{"weights"};  // column, row, input channel, output channel
    Output<Buffer<float, 3>> f{"f"};

    LayerOfPlanes() : Kind(128, 128) {}

    void generate() {
        const int inputs = 32, outputs = 32;
        const Var c("c");
        const RDom r(0, 3, 0, 3, 0, inputs, "r");
        Func sum("sum");
        sum(x, y, c) += weights(r.x, r.y, r.z, c) * in(x + r.x, y + r.y, r.z);
        f(x, y, c) = max(sum(x, y, c), 0.0f);
        in.set_estimates({{0, width + 2}, {0, height + 2}, {0, inputs}});
        weights.set_estimates({{0, 3}, {0, 3}, {0, inputs}, {0, outputs}});
        f.set_estimates({{0, width}, {0, height}, {0, outputs}});
    }
};

/// An image made smaller by a factor that is no whole number: each pixel is a weighted mean of rows, then of columns,
/// from a place that floats are rounded to. Halide's `sum` makes Funcs of the dimensions in the order in which they
/// occur, so that the sums over rows have the row first.
class ShrunkByAnyFactor : public Kind<ShrunkByAnyFactor> {
public:
    Input<Buffer<float, 2>> in{"in"};
    Input<float> factor{"factor"};
    Output<Buffer<float, 2>> f{"f"};

    ShrunkByAnyFactor() : Kind(1024, 1024) {}

    void generate() {
        const int largest = 8;  // the factor is at most half of it
        const Var k("k");
        const RDom r(0, min(Halide::cast<int>(ceil(2.0f * factor)), largest), "r");
        const auto first = [&](const Var &v, int dim) {
            const Expr place = Halide::cast<int>(floor((v + 0.5f) * factor - factor));
            return clamp(place, 0, in.dim(dim).extent() - largest);
        };
        const auto weight = [&](const Var &v, int dim) {
            return max(1.0f - abs((v + 0.5f) * factor - (first(v, dim) + k + 0.5f)) / factor, 0.0f) / factor;
        };
        Func of_row("of_row"), of_column("of_column"), rows("rows");
        of_row(y, k) = weight(y, 1);
        of_column(x, k) = weight(x, 0);
        rows(x, y) = Halide::sum(of_row(y, r) * in(x, first(y, 1) + r), "sum_of_rows");
        f(x, y) = Halide::sum(of_column(x, r) * rows(first(x, 0) + r, y), "sum_of_columns");
        in.set_estimates({{0, width * 5 / 2 + largest}, {0, height * 5 / 2 + largest}});
        factor.set_estimate(2.5f);
        f.set_estimates({{0, width}, {0, height}});
    }
};

}  // namespace
}  // namespace warptile::kinds

using namespace warptile::kinds;

HALIDE_REGISTER_GENERATOR(SystemAPixel, system_a_pixel)
HALIDE_REGISTER_GENERATOR(MedianByExchanges, median_by_exchanges)
HALIDE_REGISTER_GENERATOR(SumsUpToEachChannel, sums_up_to_each_channel)
HALIDE_REGISTER_GENERATOR(BlockMatching, block_matching)
HALIDE_REGISTER_GENERATOR(NearestCentre, nearest_centre)
HALIDE_REGISTER_GENERATOR(LikeliestGaussian, likeliest_gaussian)
HALIDE_REGISTER_GENERATOR(LayerOfPlanes, layer_of_planes)
HALIDE_REGISTER_GENERATOR(ShrunkByAnyFactor, shrunk_by_any_factor)
