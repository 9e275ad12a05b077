// Updates at places that data choose among many: scatters, and what the derivative of a gather is.
#include "test/kinds/kind.h"

namespace warptile::kinds {
namespace {

/// Values added where two images of coordinates say.
class ScatterOfFloats : public Kind<ScatterOfFloats> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Input<Buffer<int32_t, 2>> u{"u"}, v{"v"};
    Output<Buffer<float, 2>> f{"f"};

    ScatterOfFloats() : Kind(1920, 1080) {}

    void generate() {
        const RDom r = all_of(a);
        f(x, y) = 0.0f;
        f(Halide::clamp(u(r.x, r.y), 0, a.width() - 1), Halide::clamp(v(r.x, r.y), 0, a.height() - 1)) += a(r.x, r.y);
        for (auto *image : {&u, &v}) {
            image->set_estimates({{0, width}, {0, height}});
        }
        a.set_estimates({{0, width}, {0, height}});
        f.set_estimates({{0, width}, {0, height}});
    }
};

/// The nearest of the points that fall on each pixel: no such operator is atomic.
class NearestAtPlaces : public Kind<NearestAtPlaces> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Input<Buffer<int32_t, 2>> u{"u"}, v{"v"};
    Output<Buffer<float, 2>> f{"f"};

    NearestAtPlaces() : Kind(640, 480) {}

    void generate() {
        const RDom r = all_of(a);
        const Expr px = Halide::clamp(u(r.x, r.y), 0, a.width() - 1),
                   py = Halide::clamp(v(r.x, r.y), 0, a.height() - 1);
        f(x, y) = Halide::Float(32).max();
        f(px, py) = Halide::min(f(px, py), a(r.x, r.y));
        for (auto *image : {&u, &v}) {
            image->set_estimates({{0, width}, {0, height}});
        }
        a.set_estimates({{0, width}, {0, height}});
        f.set_estimates({{0, width}, {0, height}});
    }
};

/// Bytes added up where a list of points falls on an image: each as often as it is hit.
class HitsInBytes : public Kind<HitsInBytes> {
public:
    Input<Buffer<uint8_t, 2>> a{"a"};
    Input<Buffer<int32_t, 1>> points{"points"};
    Output<Buffer<uint8_t, 2>> f{"f"};

    HitsInBytes() : Kind(640, 480) {}

    void generate() {
        const RDom r(0, points.dim(0).extent(), "r");
        const Expr place = Halide::clamp(points(r), 0, a.width() * a.height() - 1);
        const Expr px = place % a.width(), py = place / a.width();
        f(x, y) = Halide::cast<uint8_t>(0);
        f(px, py) += a(px, py);
        points.set_estimates({{0, Expr(width) * Expr(height)}});
        a.set_estimates({{0, width}, {0, height}});
        f.set_estimates({{0, width}, {0, height}});
    }
};

/// What a bilinear resampling passes back: each pixel adds to the four places that it was made of, each by its weight.
/// Coordinates are in quarters of a pixel.
template<typename Derived>
class Adjoint : public Kind<Derived> {
public:
    using Image = typename Halide::Generator<Derived>::template Input<Halide::Buffer<float, 2>>;
    using Result = typename Halide::Generator<Derived>::template Output<Halide::Buffer<float, 2>>;
    Image a{"a"}, u{"u"}, v{"v"};
    Result f{"f"};

protected:
    Adjoint() : Kind<Derived>(1024, 1024) {}

    /// Where pixel (px, py) lies along one dimension, of which it takes `step` and the next.
    static Expr place(const Image &image, const Expr &px, const Expr &py, const Expr &step, const Expr &extent) {
        return Halide::clamp(Halide::cast<int>(Halide::floor(image(px, py) / 4)) + step, 0, extent - 1);
    }

    static Expr weight(const Image &image, const Expr &px, const Expr &py, const Expr &step) {
        const Expr quarters = image(px, py) / 4, share = quarters - Halide::floor(quarters);
        return Halide::select(step == 0, 1 - share, share);
    }

    /// Adds to one of the four places of each pixel.
    void add(const Expr &px, const Expr &py, const Expr &sx, const Expr &sy) {
        f(place(u, px, py, sx, a.width()), place(v, px, py, sy, a.height())) +=
            weight(u, px, py, sx) * weight(v, px, py, sy) * a(px, py);
    }

    void set_estimates() {
        for (Image *image : {&a, &u, &v}) {
            image->set_estimates({{0, this->width}, {0, this->height}});
        }
        f.set_estimates({{0, this->width}, {0, this->height}});
    }
};

/// In one update over the four places.
class AdjointOfABilinearGather : public Adjoint<AdjointOfABilinearGather> {
public:
    void generate() {
        const RDom r(0, 2, 0, 2, 0, a.width(), 0, a.height(), "r");
        f(x, y) = 0.0f;
        add(r.z, r.w, r.x, r.y);
        set_estimates();
    }
};

/// In an update for each place.
class AdjointInFourUpdates : public Adjoint<AdjointInFourUpdates> {
public:
    void generate() {
        const RDom r = all_of(a);
        f(x, y) = 0.0f;
        for (int corner = 0; corner < 4; corner++) {
            add(r.x, r.y, corner % 2, corner / 2);
        }
        set_estimates();
    }
};

/// The squares of each cell of an image, added up by the values around them: place and value read the image through the
/// same boundary condition, and share what its edges are made of.
class SquaresOfEachCell : public Kind<SquaresOfEachCell> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Output<Buffer<float, 3>> f{"f"};

    SquaresOfEachCell() : Kind(1920, 1080) {}

    void generate() {
        constexpr int cell = 8, levels = 16;
        const Func edged = Halide::BoundaryConditions::repeat_edge(a);
        const RDom r(0, cell, 0, cell, "r");
        const Expr px = x * cell + r.x, py = y * cell + r.y;
        const Expr around = (edged(px - 1, py) + 2 * edged(px, py) + edged(px + 1, py)) / 4;
        f(x, y, z) = 0.0f;
        f(x, y, Halide::clamp(Halide::cast<int>(around), 0, levels - 1)) += edged(px, py) * edged(px, py + 1);
        a.set_estimates({{0, width}, {0, height}});
        f.set_estimates({{0, (width + cell - 1) / cell}, {0, (height + cell - 1) / cell}, {0, levels}});
    }

private:
    Var z{"z"};
};

}  // namespace
}  // namespace warptile::kinds

using namespace warptile::kinds;

HALIDE_REGISTER_GENERATOR(ScatterOfFloats, scatter_of_floats)
HALIDE_REGISTER_GENERATOR(NearestAtPlaces, nearest_at_places)
HALIDE_REGISTER_GENERATOR(HitsInBytes, hits_in_bytes)
HALIDE_REGISTER_GENERATOR(AdjointOfABilinearGather, adjoint_of_a_bilinear_gather)
HALIDE_REGISTER_GENERATOR(AdjointInFourUpdates, adjoint_in_four_updates)
HALIDE_REGISTER_GENERATOR(SquaresOfEachCell, squares_of_each_cell)
