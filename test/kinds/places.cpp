// Updates over an RDom that write each place once, or in an order that leaves most of them apart.
#include "test/kinds/kind.h"

namespace warptile::kinds {
namespace {

/// A window's mean inside, the image at the rim. Its sizes are constants of the RDom.
class Stencil : public Kind<Stencil> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Output<Buffer<float, 2>> f{"f"};

    Stencil() : Kind(1920, 1080) {}

    void generate() {
        const RDom r(1, width - 2, 1, height - 2, "r");
        f(x, y) = a(x, y);
        f(r.x, r.y) = (a(r.x - 1, r.y) + a(r.x + 1, r.y) + a(r.x, r.y - 1) + a(r.x, r.y + 1)) / 4;
        a.set_estimates({{0, width}, {0, height}});
        f.set_estimates({{0, width}, {0, height}});
    }
};

/// The same of an image of any size.
class StencilOfAnySize : public Kind<StencilOfAnySize> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Output<Buffer<float, 2>> f{"f"};

    StencilOfAnySize() : Kind(1920, 1080) {}

    void generate() {
        const RDom r(1, a.width() - 2, 1, a.height() - 2, "r");
        f(x, y) = a(x, y);
        f(r.x, r.y) = (a(r.x - 1, r.y) + a(r.x + 1, r.y) + a(r.x, r.y - 1) + a(r.x, r.y + 1)) / 4;
        a.set_estimates({{0, width}, {0, height}});
        f.set_estimates({{0, width}, {0, height}});
    }
};

class Axpy : public Kind<Axpy> {
public:
    Input<Buffer<float, 1>> a{"a"}, b{"b"};
    Output<Buffer<float, 1>> f{"f"};

    Axpy() : Kind(1 << 22, 1) {}

    void generate() {
        const RDom r(0, a.dim(0).extent(), "r");
        f(x) = Halide::undef<float>();
        f(r) = 2 * a(r) + b(r);
        a.set_estimates({{0, width}});
        b.set_estimates({{0, width}});
        f.set_estimates({{0, width}});
    }
};

/// The bytes of `Axpy` over a pure variable: what that can take at the least.
class Copy : public Kind<Copy> {
public:
    Input<Buffer<float, 1>> a{"a"}, b{"b"};
    Output<Buffer<float, 1>> f{"f"};

    Copy() : Kind(1 << 22, 1) {}

    void generate() {
        f(x) = a(x) + b(x);
        a.set_estimates({{0, width}});
        b.set_estimates({{0, width}});
        f.set_estimates({{0, width}});
    }
};

/// A picture turned by a quarter.
class Turned : public Kind<Turned> {
public:
    Input<Buffer<uint16_t, 2>> a{"a"};
    Output<Buffer<uint16_t, 2>> f{"f"};

    Turned() : Kind(1920, 1080) {}

    void generate() {
        const RDom r = all_of(a);
        f(x, y) = Halide::cast<uint16_t>(0);
        f(a.height() - 1 - r.y, r.x) = a(r.x, r.y);
        a.set_estimates({{0, width}, {0, height}});
        f.set_estimates({{0, height}, {0, width}});
    }
};

/// Two lists interleaved, by an update each.
class Interleaved : public Kind<Interleaved> {
public:
    Input<Buffer<float, 1>> a{"a"}, b{"b"};
    Output<Buffer<float, 1>> f{"f"};

    Interleaved() : Kind(1 << 21, 1) {}

    void generate() {
        const RDom r(0, a.dim(0).extent(), "r");
        f(x) = 0.0f;
        f(2 * r) = a(r);
        f(2 * r + 1) = b(r);
        a.set_estimates({{0, width}});
        b.set_estimates({{0, width}});
        f.set_estimates({{0, 2 * width}});
    }
};

/// A picture of a constant width stored as one row.
class Flattened : public Kind<Flattened> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Output<Buffer<float, 1>> f{"f"};

    Flattened() : Kind(1920, 1080) {}

    void generate() {
        const RDom r(0, width, 0, a.height(), "r");
        f(x) = 0.0f;
        f(r.x + width * r.y) = 3 * a(r.x, r.y);
        a.set_estimates({{0, width}, {0, height}});
        f.set_estimates({{0, Expr(width) * Expr(height)}});
    }
};

/// A scan along rows; the rows are apart.
class ScanOfRows : public Kind<ScanOfRows> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Output<Buffer<float, 2>> f{"f"};

    ScanOfRows() : Kind(512, 8192) {}

    void generate() {
        const RDom r(1, a.width() - 1, 0, a.height(), "r");
        f(x, y) = a(x, y);
        f(r.x, r.y) += f(r.x - 1, r.y);
        a.set_estimates({{0, width}, {0, height}});
        f.set_estimates({{0, width}, {0, height}});
    }
};

/// What is passed on from the last row to the first, and of that from the last column to the first.
class RecursionOnBothAxes : public Kind<RecursionOnBothAxes> {
public:
    Input<Buffer<float, 3>> a{"a"};
    Output<Buffer<float, 3>> f{"f"};

    RecursionOnBothAxes() : Kind(1536, 2560) {}

    void generate() {
        const RDom rows(1, a.dim(1).extent() - 1, "rows"), columns(1, a.dim(0).extent() - 1, "columns");
        const Expr row = a.dim(1).max() - rows, column = a.dim(0).max() - columns;
        Func up("up"), left("left");
        up(x, y, c) = a(x, y, c);
        up(x, row, c) = a(x, row, c) - up(x, row + 1, c);
        left(y, x, c) = up(x, y, c);
        left(y, column, c) = left(y, column, c) - left(y, column + 1, c);
        f(x, y, c) = left(y, x, c);
        for (const int d : {0, 1}) {
            f.dim(d).set_bounds(a.dim(d).min(), a.dim(d).extent());
        }
        a.set_estimates({{0, width}, {0, height}, {0, 3}});
        f.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

private:
    Var c{"c"};
};

/// Several updates of one Func, over reductions and over variables, each of which reads what those before it stored.
class SeveralUpdates : public Kind<SeveralUpdates> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Input<Buffer<float, 1>> b{"b"};
    Output<Buffer<float, 2>> f{"f"};

    SeveralUpdates() : Kind(1920, 1080) {}

    void generate() {
        const RDom r = all_of(a), row(0, a.width(), "row"), column(0, a.height(), "column");
        f(x, y) = b(x);
        f(r.x, r.y) += a(r.x, r.y);
        f(row, y) = f(row, y) * 2 + b(row);
        f(x, 0) = b(x) - f(x, 0);
        f(0, column) += a(0, column);
        a.set_estimates({{0, width}, {0, height}});
        b.set_estimates({{0, width}});
        f.set_estimates({{0, width}, {0, height}});
    }
};

/// Rows that are symmetric, as a spectrum is, made from their first halves read backwards; then the first halves from
/// both. Only the bounds of the loops say that no step reads what another one writes.
class Mirrored : public Kind<Mirrored> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Output<Buffer<float, 2>> f{"f"};

    Mirrored() : Kind(1920, 1080) {}

    void generate() {
        const int last = width, middle = (last + 1) / 2;
        const RDom high(middle, last - middle + 1, 0, a.height(), "high"), low(0, last / 2 + 1, 0, a.height(), "low");
        f(x, y) = a(x, y);
        f(high.x, high.y) = f(last - high.x, high.y) * 2;
        f(low.x, low.y) = f(low.x, low.y) + f(last - low.x, low.y);
        a.set_estimates({{0, width + 1}, {0, height}});
        f.set_estimates({{0, width + 1}, {0, height}});
    }
};

/// A grid in time: each step is made of the one before it, and all of its points are apart.
class HeatInTime : public Kind<HeatInTime> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Output<Buffer<float, 2>> f{"f"};

    HeatInTime() : Kind(512, 512) {}

    void generate() {
        constexpr int steps = 12;
        const RDom r(1, a.width() - 2, 1, a.height() - 2, 1, steps, "r");
        const Var t("t");
        const auto before = [&](int dx, int dy) { return u(r.x + dx, r.y + dy, r.z - 1); };
        u(x, y, t) = a(x, y);
        u(r.x, r.y, r.z) = (before(-1, 0) + before(1, 0) + before(0, -1) + before(0, 1) + 4 * before(0, 0)) / 8;
        f(x, y) = u(x, y, steps);
        a.set_estimates({{0, width}, {0, height}});
        f.set_estimates({{0, width}, {0, height}});
    }

private:
    Func u{"u"};
};

/// Waves, of which the last three times are kept, in a ring.
class WavesInARing : public Kind<WavesInARing> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Output<Buffer<float, 2>> f{"f"};

    WavesInARing() : Kind(512, 512) {}

    void generate() {
        constexpr int steps = 12;
        const RDom r(1, a.width() - 2, 1, a.height() - 2, 2, steps, "r");
        const Var t("t");
        const auto before = [&](int dx, int dy, int dt) { return u(r.x + dx, r.y + dy, (r.z - dt) % 3); };
        u(x, y, t) = a(x, y);
        const Expr around = before(-1, 0, 1) + before(1, 0, 1) + before(0, -1, 1) + before(0, 1, 1);
        u(r.x, r.y, r.z % 3) = 1.5f * before(0, 0, 1) - before(0, 0, 2) + around / 8;
        f(x, y) = u(x, y, (steps + 1) % 3);
        a.set_estimates({{0, width}, {0, height}});
        f.set_estimates({{0, width}, {0, height}});
    }

private:
    Func u{"u"};
};

/// Every second point of a grid, like the squares of a board, is made of its neighbors, and then the others are.
class RedAndBlack : public Kind<RedAndBlack> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Output<Buffer<float, 2>> f{"f"};

    RedAndBlack() : Kind(1024, 1024) {}

    void generate() {
        f(x, y) = a(x, y);
        for (int color = 0; color < 2; color++) {
            const RDom r(0, (a.width() - 2) / 2, 1, a.height() - 2, "r");
            const Expr px = 1 + 2 * r.x + (r.y + color) % 2;
            f(px, r.y) = (f(px - 1, r.y) + f(px + 1, r.y) + f(px, r.y - 1) + f(px, r.y + 1)) / 4;
        }
        a.set_estimates({{0, width}, {0, height}});
        f.set_estimates({{0, width}, {0, height}});
    }
};

/// The cheapest way down a picture, row by row, backwards.
class CheapestPaths : public Kind<CheapestPaths> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Output<Buffer<float, 2>> f{"f"};

    CheapestPaths() : Kind(1920, 400) {}

    void generate() {
        const RDom r(1, a.width() - 2, 1, a.height() - 1, "r");
        const Expr row = a.height() - 1 - r.y;
        f(x, y) = a(x, y);
        f(r.x, row) = f(r.x, row) + min(min(f(r.x - 1, row + 1), f(r.x, row + 1)), f(r.x + 1, row + 1));
        a.set_estimates({{0, width}, {0, height}});
        f.set_estimates({{0, width}, {0, height}});
    }
};

/// Elimination without pivots: that the rows and columns of a step are not among those that it changes, only the RDom's
/// `where` says.
class Elimination : public Kind<Elimination> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Output<Buffer<float, 2>> f{"f"};

    Elimination() : Kind(64, 64) {}

    void generate() {
        RDom r(0, a.width(), 0, a.width(), 0, a.width(), "r");
        r.where(r.x > r.z && r.y > r.z);
        f(x, y) = a(x, y) + Halide::select(x == y, 1000.0f, 0.0f);
        f(r.x, r.y) -= f(r.x, r.z) * f(r.z, r.y) / f(r.z, r.z);
        a.set_estimates({{0, width}, {0, width}});
        f.set_estimates({{0, width}, {0, width}});
    }
};

/// What is below the diagonal from what is above it.
class Symmetric : public Kind<Symmetric> {
public:
    Input<Buffer<float, 2>> a{"a"};
    Output<Buffer<float, 2>> f{"f"};

    Symmetric() : Kind(1024, 1024) {}

    void generate() {
        RDom r(0, a.width(), 0, a.width(), "r");
        r.where(r.x > r.y);
        f(x, y) = a(x, y);
        f(r.x, r.y) = f(r.y, r.x);
        a.set_estimates({{0, width}, {0, width}});
        f.set_estimates({{0, width}, {0, width}});
    }
};

}  // namespace
}  // namespace warptile::kinds

using namespace warptile::kinds;

HALIDE_REGISTER_GENERATOR(Stencil, stencil_over_an_rdom)
HALIDE_REGISTER_GENERATOR(StencilOfAnySize, stencil_of_any_size)
HALIDE_REGISTER_GENERATOR(Axpy, axpy_over_an_rdom)
HALIDE_REGISTER_GENERATOR(Copy, copy)
HALIDE_REGISTER_GENERATOR(Turned, turned_store)
HALIDE_REGISTER_GENERATOR(Interleaved, interleaved_stores)
HALIDE_REGISTER_GENERATOR(Flattened, flattened_store)
HALIDE_REGISTER_GENERATOR(ScanOfRows, scan_of_rows)
HALIDE_REGISTER_GENERATOR(RecursionOnBothAxes, recursion_on_both_axes)
HALIDE_REGISTER_GENERATOR(SeveralUpdates, several_updates)
HALIDE_REGISTER_GENERATOR(Mirrored, mirrored_rows)
HALIDE_REGISTER_GENERATOR(HeatInTime, heat_in_time)
HALIDE_REGISTER_GENERATOR(WavesInARing, waves_in_a_ring)
HALIDE_REGISTER_GENERATOR(RedAndBlack, red_and_black)
HALIDE_REGISTER_GENERATOR(CheapestPaths, cheapest_paths)
HALIDE_REGISTER_GENERATOR(Elimination, elimination)
HALIDE_REGISTER_GENERATOR(Symmetric, symmetric_matrix)
