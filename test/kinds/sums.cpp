// Updates that join many values at one place: products of matrices, sums with and without a condition, means, maxima.
#include "test/kinds/kind.h"

#include <limits>

namespace warptile::kinds {
namespace {

/// The product of a matrix with itself. Two of its reductions are places, the third is the sum.
class GramOverRVars : public Kind<GramOverRVars> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Output<Buffer<float, 2>> f{"f"};

    GramOverRVars() : Kind(128, 4096) {}

    void generate() {
        const RDom r(0, a.width(), 0, a.width(), 0, a.height(), "r");
        f(x, y) = 0.0f;
        f(r.x, r.y) += a(r.x, r.z) * a(r.y, r.z);
        a.set_estimates({{0, width}, {0, height}});
        f.set_estimates({{0, width}, {0, width}});
    }
};

/// The same product over pure variables.
class GramOverVars : public Kind<GramOverVars> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Output<Buffer<float, 2>> f{"f"};

    GramOverVars() : Kind(128, 4096) {}

    void generate() {
        const RDom k(0, a.height(), "k");
        f(x, y) = 0.0f;
        f(x, y) += a(x, k) * a(y, k);
        a.set_estimates({{0, width}, {0, height}});
        f.set_estimates({{0, width}, {0, width}});
    }
};

/// Few sums of many values, each an output's point: down the columns of a matrix, whose rows neighboring threads have.
class MatrixTimesVector : public Kind<MatrixTimesVector> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Input<Buffer<float, 1>> b{"b"};
    Output<Buffer<float, 1>> f{"f"};

    MatrixTimesVector() : Kind(1024, 4096) {}

    void generate() {
        const RDom r(0, a.height(), "r");
        f(x) = 0.0f;
        f(x) += a(x, r) * b(r);
        a.set_estimates({{0, width}, {0, height}});
        b.set_estimates({{0, height}});
        f.set_estimates({{0, width}});
    }
};

/// Two such sums in one Func, as in the cell of a recurrent network.
class TwoMatricesTimesVectors : public Kind<TwoMatricesTimesVectors> {
public:
    Input<Buffer<float, 2>> a{"a"}, b{"b"};
    Input<Buffer<float, 1>> u{"u"}, v{"v"};
    Output<Buffer<float, 1>> f{"f"};

    TwoMatricesTimesVectors() : Kind(512, 2048) {}

    void generate() {
        const RDom r(0, a.height(), "r"), s(0, b.height(), "s");
        Func sums("sums");
        sums(x) = 1.0f;
        sums(x) += a(x, r) * u(r);
        sums(x) += b(x, s) * v(s);
        f(x) = sums(x) / 2;
        for (auto *matrix : {&a, &b}) {
            matrix->set_estimates({{0, width}, {0, height}});
        }
        for (auto *vector : {&u, &v}) {
            vector->set_estimates({{0, height}});
        }
        f.set_estimates({{0, width}});
    }
};

/// Along the rows of one list, shifted against itself.
class Autocorrelation : public Kind<Autocorrelation> {
public:
    Input<Buffer<float, 1>> a{"a"};
    Output<Buffer<float, 1>> f{"f"};

    Autocorrelation() : Kind(256, 16384) {}

    void generate() {
        const RDom r(0, a.dim(0).extent() - f.dim(0).extent(), "r");
        f(x) = 0.0f;
        f(x) += a(r) * a(r + x);
        a.set_estimates({{0, Expr(width) + Expr(height)}});
        f.set_estimates({{0, width}});
    }
};

class SumOfThePositive : public Kind<SumOfThePositive> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Output<Buffer<float, 0>> f{"f"};

    SumOfThePositive() : Kind(1920, 1080) {}

    void generate() {
        RDom r = all_of(a);
        r.where(a(r.x, r.y) > 0.0f);
        f() = 0.0f;
        f() += a(r.x, r.y);
        a.set_estimates({{0, width}, {0, height}});
    }
};

/// The same without the condition.
class PlainSum : public Kind<PlainSum> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Output<Buffer<float, 0>> f{"f"};

    PlainSum() : Kind(1920, 1080) {}

    void generate() {
        const RDom r = all_of(a);
        f() = 0.0f;
        f() += a(r.x, r.y);
        a.set_estimates({{0, width}, {0, height}});
    }
};

/// A sum of a list of bytes, of those alone that are large at an even place.
class SumOfLargeBytes : public Kind<SumOfLargeBytes> {
public:
    Input<Buffer<uint8_t, 1>> a{"a"};
    Output<Buffer<uint32_t, 0>> f{"f"};

    SumOfLargeBytes() : Kind(1 << 23, 1) {}

    void generate() {
        RDom r(0, a.dim(0).extent(), "r");
        r.where(r % 2 == 0 && a(r) >= 100);
        f() = Halide::cast<uint32_t>(0);
        f() += Halide::cast<uint32_t>(a(r));
        a.set_estimates({{0, width}});
    }
};

/// Sums of a square over two of four dimensions, the square as large as two parameters say.
class MeanOverTwoOfFour : public Kind<MeanOverTwoOfFour> {
public:
    Input<Buffer<uint8_t, 4>> a{"a"};
    Input<int> w{"w"}, h{"h"};
    Output<Buffer<uint8_t, 4>> f{"f"};

    MeanOverTwoOfFour() : Kind(112, 112) {}

    void generate() {
        const RDom r(0, w, 0, h, "r");
        Func s("s");
        s(c, x, y, b) = Halide::cast<uint32_t>(0);
        s(c, x, y, b) += Halide::cast<uint32_t>(a(c, x + r.x, y + r.y, b));
        f(c, x, y, b) = Halide::cast<uint8_t>(s(c, x, y, b) / Halide::cast<uint32_t>(w * h));
        w.set_estimate(width);
        h.set_estimate(height);
        a.set_estimates({{0, channels}, {0, width}, {0, height}, {0, 1}});
        f.set_estimates({{0, channels}, {0, 1}, {0, 1}, {0, 1}});
    }

private:
    static constexpr int channels = 64;
    Var c{"c"}, b{"b"};
};

/// An image over its total, a Func of no dimensions.
class ImageOverItsTotal : public Kind<ImageOverItsTotal> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Output<Buffer<float, 2>> f{"f"};

    ImageOverItsTotal() : Kind(1920, 1080) {}

    void generate() {
        const RDom r = all_of(a);
        Func s("s");
        s() = 0.0f;
        s() += a(r.x, r.y);
        f(x, y) = a(x, y) / (1 + Halide::abs(s()));
        a.set_estimates({{0, width}, {0, height}});
        f.set_estimates({{0, width}, {0, height}});
    }
};

/// Where an image is largest, the first such place: a tuple.
class ArgmaxOfAnImage : public Kind<ArgmaxOfAnImage> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Output<Buffer<float, 0>> largest{"largest"};
    Output<Buffer<int, 0>> column{"column"}, row{"row"};

    ArgmaxOfAnImage() : Kind(1920, 1080) {}

    void generate() {
        const RDom r = all_of(a);
        Func best("best");
        best() = Tuple(0, 0, std::numeric_limits<float>::lowest());
        const Expr larger = a(r.x, r.y) > best()[2];
        best() = Tuple(Halide::select(larger, r.x, best()[0]), Halide::select(larger, r.y, best()[1]),
                       Halide::select(larger, a(r.x, r.y), best()[2]));
        column() = best()[0];
        row() = best()[1];
        largest() = best()[2];
        a.set_estimates({{0, width}, {0, height}});
    }
};

/// Where each row is largest.
class ArgmaxOfRows : public Kind<ArgmaxOfRows> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Output<Func> f{"f", {Halide::Int(32), Halide::Float(32)}, 1};

    ArgmaxOfRows() : Kind(2048, 1024) {}

    void generate() {
        const RDom r(0, a.width(), "r");
        f(y) = Tuple(0, std::numeric_limits<float>::lowest());
        const Expr larger = a(r, y) > f(y)[1];
        f(y) = Tuple(Halide::select(larger, r, f(y)[0]), Halide::select(larger, a(r, y), f(y)[1]));
        a.set_estimates({{0, width}, {0, height}});
        f.set_estimates({{0, height}});
    }
};

/// Where a list is smallest, as Halide's own inline form writes it, and how small.
class ArgminOfAList : public Kind<ArgminOfAList> {
public:
    Input<Buffer<float, 1>> a{"a"};
    Output<Buffer<float, 0>> least{"least"};
    Output<Buffer<int, 0>> place{"place"};

    ArgminOfAList() : Kind(1 << 21, 1) {}

    void generate() {
        const RDom r(0, a.dim(0).extent(), "r");
        const Tuple best = Halide::argmin(r, a(r));
        place() = best[0];
        least() = best[1];
        a.set_estimates({{0, width}});
    }
};

/// The last place at which an image is largest, with the value of a second image there; and a maximum that minds NaN of
/// a whole image, written so that a later one stays.
class LastOfTheLargest : public Kind<LastOfTheLargest> {
public:
    Input<Buffer<float, 2>> a{"a"}, b{"b"};
    Output<Buffer<float, 0>> other{"other"}, most{"most"};
    Output<Buffer<int, 0>> column{"column"}, row{"row"};

    LastOfTheLargest() : Kind(1920, 1080) {}

    void generate() {
        const RDom r = all_of(a);
        Func best("best"), largest("largest");
        best() = Tuple(std::numeric_limits<float>::lowest(), -1, -1, 0.0f);
        const Expr smaller = a(r.x, r.y) < best()[0];
        best() = Tuple(Halide::select(smaller, best()[0], a(r.x, r.y)), Halide::select(smaller, best()[1], r.x),
                       Halide::select(smaller, best()[2], r.y), Halide::select(smaller, best()[3], b(r.x, r.y)));
        largest() = Halide::Float(32).min();
        largest() = Halide::select(Halide::is_nan(b(r.x, r.y)) || b(r.x, r.y) >= largest(), b(r.x, r.y), largest());
        column() = best()[1];
        row() = best()[2];
        other() = best()[3];
        most() = largest();
        a.set_estimates({{0, width}, {0, height}});
        b.set_estimates({{0, width}, {0, height}});
    }
};

/// The largest of each row, where one that is no number stays.
class MaximumThatMindsNaN : public Kind<MaximumThatMindsNaN> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Output<Buffer<float, 1>> f{"f"};

    MaximumThatMindsNaN() : Kind(1024, 4096) {}

    void generate() {
        const RDom r(0, a.width(), "r");
        f(y) = Halide::Float(32).min();
        f(y) = Halide::select(f(y) > a(r, y) || Halide::is_nan(f(y)), f(y), a(r, y));
        a.set_estimates({{0, width}, {0, height}});
        f.set_estimates({{0, height}});
    }
};

}  // namespace
}  // namespace warptile::kinds

using namespace warptile::kinds;

HALIDE_REGISTER_GENERATOR(GramOverRVars, gram_over_rvars)
HALIDE_REGISTER_GENERATOR(GramOverVars, gram_over_vars)
HALIDE_REGISTER_GENERATOR(MatrixTimesVector, matrix_times_vector)
HALIDE_REGISTER_GENERATOR(TwoMatricesTimesVectors, two_matrices_times_vectors)
HALIDE_REGISTER_GENERATOR(Autocorrelation, autocorrelation)
HALIDE_REGISTER_GENERATOR(SumOfThePositive, sum_of_the_positive)
HALIDE_REGISTER_GENERATOR(PlainSum, plain_sum)
HALIDE_REGISTER_GENERATOR(SumOfLargeBytes, sum_of_large_bytes)
HALIDE_REGISTER_GENERATOR(MeanOverTwoOfFour, mean_over_two_of_four)
HALIDE_REGISTER_GENERATOR(ImageOverItsTotal, image_over_its_total)
HALIDE_REGISTER_GENERATOR(ArgmaxOfAnImage, argmax_of_an_image)
HALIDE_REGISTER_GENERATOR(ArgmaxOfRows, argmax_of_rows)
HALIDE_REGISTER_GENERATOR(ArgminOfAList, argmin_of_a_list)
HALIDE_REGISTER_GENERATOR(LastOfTheLargest, last_of_the_largest)
HALIDE_REGISTER_GENERATOR(MaximumThatMindsNaN, maximum_that_minds_nan)
