// The example pipelines: see dag_examples.h. Outputs of two dimensions are 60 x 30, so that tiles of 5 x 3 fill them.

#include "dag_examples.h"

namespace warptile::test {

using namespace Halide;

namespace {

const Var x("x"), y("y"), c("c");

ImageParam image(const char *name, Type type = UInt(8), int dims = 2) {
    ImageParam in(type, dims, name);
    const int sizes[] = {60, 30, 3};
    for (int d = 0; d < dims; d++) {
        in.dim(d).set_estimate(0, sizes[d]);
    }
    return in;
}

Func sized(Func f) { return f.set_estimates({{0, 60}, {0, 30}}); }

Example stencils() {
    ImageParam in(UInt(16), 2, "in");
    Func a("a"), b("b"), out("out");
    a(x, y) = in(x - 1, y) + in(x + 2, y);
    b(x, y) = a(x, y - 1) + a(x, y + 3) + a(x + 1, y);
    out(x, y) = b(x - 4, y) + b(x, y + 1);
    return {{sized(out)}, {in}};
}

Example blur() {
    ImageParam in = image("in", Float(32));
    Func edge = BoundaryConditions::repeat_edge(in), bx("bx"), out("out");
    bx(x, y) = edge(x - 1, y) + edge(x, y) + edge(x + 1, y);
    out(x, y) = bx(x, y - 1) + bx(x, y) + bx(x, y + 1);
    return {{sized(out)}, {in}, true};
}

Example diamond() {
    ImageParam in = image("in", Float(32));
    Func edge = BoundaryConditions::constant_exterior(in, 0.0f), ix("ix"), iy("iy"), ixy("ixy"), out("out");
    ix(x, y) = edge(x + 1, y) - edge(x - 1, y);
    iy(x, y) = edge(x, y + 1) - edge(x, y - 1);
    ixy(x, y) = ix(x, y) * iy(x, y);
    out(x, y) = ixy(x - 1, y - 1) + ixy(x + 1, y + 1) + ix(x + 3, y);
    return {{sized(out)}, {in}, true};
}

Example resample() {
    ImageParam in(UInt(8), 2, "in");
    Func base("base"), half("half"), quarter("quarter"), up("up"), out("out");
    base(x, y) = in(x, y) + cast<uint8_t>(1);
    half(x, y) = base(2 * x, 2 * y) + base(2 * x + 1, 2 * y + 1);
    quarter(x, y) = half(2 * x - 1, 2 * y) + half(2 * x + 2, 2 * y + 1);
    up(x, y) = quarter(x / 2, y / 2) + quarter((x + 1) / 2, (y + 1) / 2);
    out(x, y) = up(x / 2, (y - 1) / 2) + half(x / 2, y / 2);
    return {{sized(out)}, {in}};
}

Example alternating_upsample() {
    ImageParam in(Float(32), 2, "in");
    Func coarse("coarse"), wide("wide"), out("out");
    coarse(x, y) = in(x, y) * 2.0f;
    wide(x, y) = 0.25f * coarse(x / 2 - 1 + 2 * (x % 2), y) + 0.75f * coarse(x / 2, y);
    out(x, y) = 0.25f * wide(x, y / 2 - 1 + 2 * (y % 2)) + 0.75f * wide(x, y / 2);
    return {{sized(out)}, {in}};
}

Example thirds() {
    ImageParam in(UInt(8), 2, "in");
    Func a("a"), b("b"), out("out");
    a(x, y) = in(3 * x + 1, y - 2);
    b(x, y) = a(x / 3, y) + a((x + 2) / 3, y);
    out(x, y) = b((2 * x + 1) / 3, y / 5) + b((2 * x) / 3, (y + 4) / 5);
    return {{sized(out)}, {in}};
}

Example skewed() {
    ImageParam in(UInt(8), 2, "in");
    Func a("a"), b("b"), out("out");
    a(x, y) = in(x, y) + cast<uint8_t>(3);
    b(x, y) = a(y, x) + a(y + 1, x - 1);
    out(x, y) = b(x + y, x - y) + b(x + y + 1, 2 - y + x);
    return {{sized(out)}, {in}};
}

Example mirrored() {
    ImageParam in(UInt(8), 2, "in");
    Func a("a"), edge, out("out");
    a(x, y) = in(x, y) + cast<uint8_t>(3);
    edge = BoundaryConditions::mirror_interior(a, {{0, 60}, {0, 30}});
    out(x, y) = edge(x - 2, y) + edge(x + 2, y + 1);
    Example e{{sized(out)}, {in}};
    e.exact_in_tiles = false;
    return e;
}

Example repeated() {
    ImageParam in = image("in");
    Func edge = BoundaryConditions::repeat_image(in), mirror, out("out");
    mirror = BoundaryConditions::mirror_image(edge, {{0, 60}, {0, 30}});
    out(x, y) = edge(x - 2, y) + edge(x + 2, y + 1) + mirror(x + 1, y);
    Example e{{sized(out)}, {in}, true};
    e.exact_at_root = e.exact_in_tiles = false;
    e.tiled = false;
    return e;
}

Example histogram() {
    ImageParam in = image("in");
    Func hist("hist"), sum("sum"), out("out");
    RDom r(0, 60, 0, 30), s(0, 256);
    hist(x) = 0;
    hist(in(r.x, r.y)) += 1;
    sum(x) = 0;
    sum(s) = sum(max(s - 1, 0)) + hist(s);
    out(x, y) = sum(clamp(cast<int>(in(x, y)) + x % 3, 0, 255)) + sum(in(x, y));
    return {{sized(out)}, {in}};
}

Example convolution() {
    ImageParam in(Float(32), 2, "in");
    Func a("a"), conv("conv"), out("out");
    RDom r(-2, 5, 0, 3), disk(-1, 3, -1, 3);
    disk.where(disk.x * disk.x + disk.y * disk.y <= 1);
    a(x, y) = in(x, y) * 0.5f;
    conv(x, y) = 0.0f;
    conv(x, y) += a(x + r.x, y - r.y);
    Func around("around");
    around(x, y) = conv(x, y);
    around(x, y) = max(around(x, y), conv(x + disk.x, y + disk.y));
    out(x, y) = conv(x + 1, y) + around(x, y);
    Example e{{sized(out)}, {in}};
    e.exact_at_root = e.exact_in_tiles = false;  // Halide may make use of the predicate
    return e;
}

Example scan() {
    ImageParam in(Int(32), 2, "in");
    Func rows("rows"), out("out");
    RDom r(1, 29), first(0, 60);
    rows(x, y) = in(x, y);
    rows(x, r) += rows(x, r - 1);
    rows(first, 2) += rows(first, 0);
    out(x, y) = rows(x, y) + rows(x + 1, y);
    return {{sized(out)}, {in}};
}

Example tuples() {
    ImageParam in(Int(16), 2, "in");
    Func pair("pair"), out("out");
    pair(x, y) = Tuple(in(x, y), cast<float>(in(x + 1, y)));
    out(x, y) = pair(x, y)[0] + cast<int>(pair(x - 1, y)[1]) + cast<int>(pair(x, y)[1]);
    return {{sized(out)}, {in}};
}

Example several_outputs() {
    ImageParam in(Int(16), 2, "in");
    Func a("a"), b("b"), one("one"), two("two");
    a(x, y) = in(x, y);
    b(x, y) = a(x - 1, y);
    one(x, y) = b(x, y) + a(x, y + 7);
    two(x) = one(x + 2, 3) + b(x + 40, 2);
    two.set_estimates({{-2, 20}});
    Example e{{two, sized(one)}, {in}};
    e.tiled = false;
    return e;
}

Example odd_indices() {
    ImageParam in(UInt(8), 2, "in");
    Func a("a"), out("out");
    a(x, y) = in(x, y) + cast<uint8_t>(2);
    const Expr even = (x / 2) * 2, rest = x - x / 2;
    out(x, y) = a(even, y) + a(rest, min(y, 20)) + a(select(y > 3, x, 59 - x), max(y, 2)) + a(min(x, y), y / -2) +
                a(x << 1, y >> 1) + a(cast<int>(cast<uint8_t>(x)), y);
    Example e{{sized(out)}, {in}};
    e.exact_in_tiles = false;
    return e;
}

Example gather() {
    ImageParam in = image("in"), where = image("where", Int(16));
    Func a("a"), out("out");
    a(x, y) = in(x, y);
    out(x, y) = a(clamp(x + where(x, y), 0, 59), y) + a(clamp(cast<int>(x * 0.5f), 0, 59), y / 2) +
                a(x + clamp(where(x, y), -2, 2), y);
    Example e{{sized(out)}, {in, where}};
    e.exact_in_tiles = false;
    return e;
}

Example channels() {
    ImageParam in = image("in", UInt(8), 3);
    Func a("a"), grey("grey"), out("out");
    Buffer<float> weights(3, "weights");
    weights.fill(0.5f);
    a(x, y, c) = in(x, y, c) * weights(c);
    a.bound(c, 0, 3);
    grey(x, y) = a(x, y, 0) + a(x, y, 2);
    out(x, y) = grey(x, y + 1) + grey(x, y);
    return {{sized(out)}, {in}};
}

Example scalars() {
    ImageParam in(Float(32), 1, "in");
    Func total("total"), scale("scale"), out("out");
    RDom r(0, 100);
    total() = 0.0f;
    total() += in(r);
    scale() = total() / 100.0f;
    out(x, y) = scale() * x + y;
    return {{sized(out)}, {in}};
}

Example parameters() {
    ImageParam in(Float(32), 2, "in");
    Param<int> shift("shift"), radius("radius");
    shift.set(3);
    radius.set(2);
    shift.set_estimate(3);
    radius.set_estimate(2);
    Func a("a"), sum("sum"), out("out");
    RDom r(-radius, 2 * radius + 1);
    a(x, y) = in(x, y) + 1.0f;
    sum(x, y) = 0.0f;
    sum(x, y) += a(x + r, y);
    out(x, y) = sum(x + shift, y) + a(x - 2 * shift, y);
    return {{sized(out)}, {in}};
}

Example wrapped() {
    ImageParam in(UInt(8), 2, "in");
    Func a("a"), b("b"), out("out");
    a(x, y) = in(x, y) + cast<uint8_t>(1);
    b(x, y) = a(x, y) + a(x + 1, y);
    out(x, y) = b(x, y) + b(x, y + 1) + a(x - 1, y);
    a.in(b);
    b.clone_in(out);
    return {{sized(out)}, {in}};
}

Example aligned() {
    ImageParam in(UInt(8), 2, "in");
    Func a("a"), b("b"), out("out");
    a(x, y) = in(x, y) + cast<uint8_t>(1);
    b(x, y) = a(x, y) + a(x + 1, y);
    out(x, y) = b(x - 1, y) + b(x, y + 1);
    a.align_bounds(x, 8, 3);
    b.align_bounds(y, 4);
    return {{sized(out)}, {in}};
}

}  // namespace

const std::vector<NamedExample> &examples() {
    static const std::vector<NamedExample> all = {
        {"stencils", stencils},
        {"blur", blur},
        {"diamond", diamond},
        {"resample", resample},
        {"alternating_upsample", alternating_upsample},
        {"thirds", thirds},
        {"skewed", skewed},
        {"mirrored", mirrored},
        {"repeated", repeated},
        {"histogram", histogram},
        {"convolution", convolution},
        {"scan", scan},
        {"tuples", tuples},
        {"several_outputs", several_outputs},
        {"odd_indices", odd_indices},
        {"gather", gather},
        {"channels", channels},
        {"scalars", scalars},
        {"parameters", parameters},
        {"wrapped", wrapped},
        {"aligned", aligned},
    };
    return all;
}

}  // namespace warptile::test
