// Updates at places that data choose among few: histograms of every operator, type and shape.
#include "test/kinds/kind.h"

namespace warptile::kinds {
namespace {

constexpr int kBins = 256;

/// The bins of the values of an image, with a second one for what is added.
template<typename Derived, typename Weight>
class Weighted : public Kind<Derived> {
public:
    using Image = typename Halide::Generator<Derived>::template Input<Halide::Buffer<uint8_t, 2>>;
    using Weights = typename Halide::Generator<Derived>::template Input<Halide::Buffer<Weight, 2>>;
    Image a{"a"};
    Weights b{"b"};

protected:
    Weighted() : Kind<Derived>(1920, 1080) {}

    void set_estimates() {
        a.set_estimates({{0, this->width}, {0, this->height}});
        b.set_estimates({{0, this->width}, {0, this->height}});
    }

    static Expr bin(const Expr &value) { return Halide::cast<int>(value); }
};

template<typename Weight>
class WeightsByBin : public Weighted<WeightsByBin<Weight>, Weight> {
public:
    using Bins = typename Halide::Generator<WeightsByBin>::template Output<Halide::Buffer<Weight, 1>>;
    Bins h{"h"};

    void generate() {
        const RDom r = this->all_of(this->a);
        h(this->x) = Halide::cast<Weight>(0);
        h(this->bin(this->a(r.x, r.y))) += this->b(r.x, r.y);
        this->set_estimates();
        h.set_estimates({{0, kBins}});
    }
};

/// The largest weight of each bin: an operator that no atomic instruction of Halide's has.
template<typename Weight, bool largest>
class ExtremeByBin : public Weighted<ExtremeByBin<Weight, largest>, Weight> {
public:
    using Bins = typename Halide::Generator<ExtremeByBin>::template Output<Halide::Buffer<Weight, 1>>;
    Bins h{"h"};

    void generate() {
        const RDom r = this->all_of(this->a);
        const Expr weight = this->b(r.x, r.y), at = this->bin(this->a(r.x, r.y));
        h(this->x) = largest ? Halide::type_of<Weight>().min() : Halide::type_of<Weight>().max();
        h(at) = largest ? Halide::max(h(at), weight) : Halide::min(h(at), weight);
        this->set_estimates();
        h.set_estimates({{0, kBins}});
    }
};

/// How many values of each bin there are and the sum of their weights: a tuple.
class CountAndSumByBin : public Weighted<CountAndSumByBin, float> {
public:
    Output<Func> h{"h", {Halide::Int(32), Halide::Float(32)}, 1};

    void generate() {
        const RDom r = all_of(a);
        const Expr at = bin(a(r.x, r.y));
        h(x) = Tuple(0, 0.0f);
        h(at) = Tuple(h(at)[0] + 1, h(at)[1] + b(r.x, r.y));
        set_estimates();
        h.set_estimates({{0, kBins}});
    }
};

/// Of what each bin has counted, the total: the place and the value are made of the same data.
class TotalOfEachBin : public Kind<TotalOfEachBin> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Output<Buffer<float, 1>> h{"h"};

    TotalOfEachBin() : Kind(1920, 1080) {}

    void generate() {
        const RDom r = all_of(a);
        h(x) = 0.0f;
        h(Halide::clamp(Halide::cast<int>(a(r.x, r.y) / 4), 0, kBins - 1)) += a(r.x, r.y);
        a.set_estimates({{0, width}, {0, height}});
        h.set_estimates({{0, kBins}});
    }
};

/// How often each pair of digits occurs: both places are made of the same data, each of it twice.
class CountsByDigits : public Kind<CountsByDigits> {
public:
    Input<Buffer<uint16_t, 2>> a{"a"};
    Output<Buffer<int, 2>> h{"h"};

    CountsByDigits() : Kind(1920, 1080) {}

    void generate() {
        const RDom r = all_of(a);
        const Expr value = Halide::cast<int>(a(r.x, r.y)), folded = value * value;
        h(x, y) = 0;
        h(folded % 10, (folded / 10) % 10) += 1;
        a.set_estimates({{0, width}, {0, height}});
        h.set_estimates({{0, 10}, {0, 10}});
    }
};

/// How often two images have two values at one place: bins of two dimensions.
class BinsOfPairs : public Weighted<BinsOfPairs, uint8_t> {
public:
    Output<Buffer<int, 2>> h{"h"};

    void generate() {
        const RDom r = all_of(a);
        h(x, y) = 0;
        h(bin(a(r.x, r.y)), bin(b(r.x, r.y) / 4)) += 1;
        set_estimates();
        h.set_estimates({{0, kBins}, {0, kBins / 4}});
    }
};

template<typename Count>
class Histogram : public Kind<Histogram<Count>> {
public:
    using Image = typename Halide::Generator<Histogram>::template Input<Halide::Buffer<uint8_t, 2>>;
    using Bins = typename Halide::Generator<Histogram>::template Output<Halide::Buffer<Count, 1>>;
    Image a{"a"};
    Bins h{"h"};

    Histogram() : Kind<Histogram>(1920, 1080) {}

    void generate() {
        const RDom r = this->all_of(a);
        h(this->x) = Halide::cast<Count>(0);
        h(Halide::cast<int>(a(r.x, r.y))) += Halide::cast<Count>(1);
        a.set_estimates({{0, this->width}, {0, this->height}});
        h.set_estimates({{0, kBins}});
    }
};

/// The histogram of each row, and then their sum.
class HistogramOfEachRow : public Kind<HistogramOfEachRow> {
public:
    Input<Buffer<uint8_t, 2>> a{"a"};
    Output<Buffer<int, 1>> h{"h"};

    HistogramOfEachRow() : Kind(1536, 2560) {}

    void generate() {
        const RDom rx(0, a.width(), "rx"), ry(0, a.height(), "ry");
        Func rows("rows");
        rows(x, y) = 0;
        rows(Halide::cast<int>(a(rx, y)), y) += 1;
        h(x) = 0;
        h(x) += rows(x, ry);
        a.set_estimates({{0, width}, {0, height}});
        h.set_estimates({{0, kBins}});
    }
};

/// A histogram of which updates make something else: over a variable, over a reduction, and a scan.
class UpdatesAfterAHistogram : public Kind<UpdatesAfterAHistogram> {
public:
    Input<Buffer<uint8_t, 2>> a{"a"};
    Output<Buffer<int, 1>> h{"h"};

    UpdatesAfterAHistogram() : Kind(1920, 1080) {}

    void generate() {
        const RDom r = all_of(a), bins(0, kBins, "bins"), after(1, kBins - 1, "after");
        h(x) = 0;
        h(Halide::cast<int>(a(r.x, r.y))) += 1;
        h(x) = h(x) * 2 + x;
        h(bins) += bins;
        h(after) += h(after - 1);
        a.set_estimates({{0, width}, {0, height}});
        h.set_estimates({{0, kBins}});
    }
};

/// What each cell of 4 x 4 pixels counts in as many bins (`height`) as there are weights, and what its neighbour does.
class BinsOfEachCell : public Kind<BinsOfEachCell> {
public:
    Input<Buffer<uint16_t, 2>> a{"a"};
    Input<Buffer<int, 1>> weights{"weights"};
    Output<Buffer<int, 3>> sums{"sums"};

    BinsOfEachCell() : Kind(2048, 12) {}

    void generate() {
        constexpr int kCells = 64;
        Func counts("counts");
        Var bin("bin");
        const RDom r(0, 4, 0, 4, "r");
        const Expr value = Halide::cast<int>(a(4 * x + r.x, 4 * y + r.y)) / 4;
        counts(x, y, bin) = 0;
        counts(x, y, Halide::clamp(value, 0, weights.dim(0).extent() - 1)) += 1;
        sums(x, y, bin) = counts(x, y, bin) * weights(bin) + counts(x + 1, y, bin);
        weights.dim(0).set_min(0);
        a.set_estimates({{0, 4 * width + 4}, {0, 4 * kCells}});
        weights.set_estimates({{0, height}});
        sums.set_estimates({{0, width}, {0, kCells}, {0, height}});
    }
};

/// Six moments of two values, by the bin of the first, for each strip of 8 pixels: a value that chooses by a channel.
class MomentsOfEachBin : public Kind<MomentsOfEachBin> {
public:
    Input<Buffer<uint8_t, 2>> a{"a"};
    Input<Buffer<uint8_t, 2>> b{"b"};
    Output<Buffer<int, 4>> sums{"sums"};

    MomentsOfEachBin() : Kind(240, 1080) {}

    void generate() {
        constexpr int kMoments = 6, kValues = 16;
        Func moments("moments");
        Var bin("bin"), c("c");
        const RDom r(0, 8, "r");
        const Expr v = Halide::cast<int>(a(8 * x + r, y)), w = Halide::cast<int>(b(8 * x + r, y));
        moments(x, y, bin, c) = 0;
        moments(x, y, v / (256 / kValues), c) += Halide::mux(c, {Expr(1), v, w, v * v, v * w, w * w});
        sums(x, y, bin, c) = moments(x, y, bin, c) + moments(x, y, Halide::max(bin - 1, 0), c);
        a.set_estimates({{0, 8 * width}, {0, height}});
        b.set_estimates({{0, 8 * width}, {0, height}});
        sums.set_estimates({{0, width}, {0, height}, {0, kValues}, {0, kMoments}});
    }
};

using WeightsByBinOfFloats = WeightsByBin<float>;
using WeightsByBinOfDoubles = WeightsByBin<double>;
using LargestByBin = ExtremeByBin<float, true>;
using LeastByBin = ExtremeByBin<uint16_t, false>;
using IntegerHistogram = Histogram<int32_t>;
using HistogramInBytes = Histogram<uint8_t>;

}  // namespace
}  // namespace warptile::kinds

using namespace warptile::kinds;

HALIDE_REGISTER_GENERATOR(WeightsByBinOfFloats, weights_by_bin)
HALIDE_REGISTER_GENERATOR(WeightsByBinOfDoubles, double_weights_by_bin)
HALIDE_REGISTER_GENERATOR(LargestByBin, largest_by_bin)
HALIDE_REGISTER_GENERATOR(LeastByBin, least_by_bin)
HALIDE_REGISTER_GENERATOR(CountAndSumByBin, count_and_sum_by_bin)
HALIDE_REGISTER_GENERATOR(BinsOfPairs, bins_of_pairs)
HALIDE_REGISTER_GENERATOR(TotalOfEachBin, total_of_each_bin)
HALIDE_REGISTER_GENERATOR(CountsByDigits, counts_by_digits)
HALIDE_REGISTER_GENERATOR(IntegerHistogram, integer_histogram)
HALIDE_REGISTER_GENERATOR(HistogramInBytes, histogram_in_bytes)
HALIDE_REGISTER_GENERATOR(HistogramOfEachRow, histogram_of_each_row)
HALIDE_REGISTER_GENERATOR(UpdatesAfterAHistogram, updates_after_a_histogram)
HALIDE_REGISTER_GENERATOR(BinsOfEachCell, bins_of_each_cell)
HALIDE_REGISTER_GENERATOR(MomentsOfEachBin, moments_of_each_bin)
