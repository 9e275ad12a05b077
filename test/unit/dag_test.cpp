// What the dag says of a pipeline: order, stages, accesses, flags, counts, errors and the fingerprint.

#include <gtest/gtest.h>

#include "dag/read.h"
#include "machine/error.h"
#include "test/support/words.h"

namespace warptile {
namespace {

using namespace Halide;

const Var x("x"), y("y"), c("c");

FunctionDag read(const std::vector<Func> &outputs) { return read_function_dag(outputs, get_host_target()); }

const Node &node(const FunctionDag &dag, const Func &f) {
    for (const Node &n : dag.nodes) {
        if (n.name == f.name()) {
            return n;
        }
    }
    throw Error("no node " + f.name());
}

const Edge &edge(const FunctionDag &dag, const Func &consumer, const Func &producer) {
    for (const Edge &e : dag.edges) {
        if (e.consumer == node(dag, consumer).id && e.producer == node(dag, producer).id) {
            return e;
        }
    }
    throw Error("no edge from " + producer.name() + " to " + consumer.name());
}

std::string error_of(const std::vector<Func> &outputs) {
    return warptile::error_of([&] { read(outputs); });
}

ImageParam sized_image(const std::string &name, Type type = UInt(8)) {
    ImageParam in(type, 2, name);
    in.set_estimates({{0, 64}, {0, 48}});
    return in;
}

Func sized(Func f) { return f.set_estimates({{0, 64}, {0, 48}}); }

TEST(FunctionDag, NodesAreInTheOrderOfGetFunc) {
    ImageParam in = sized_image("in");
    Func a("a"), b("b"), d("d"), out("out"), other("other");
    a(x, y) = in(x, y);
    b(x, y) = a(x, y) + a(x + 1, y);
    d(x, y) = a(x, y) * 2;
    out(x, y) = b(x, y) + d(x, y);
    other(x, y) = d(x, y) - 1;
    const FunctionDag dag = read({sized(out), sized(other)});
    Pipeline pipeline({out, other});
    for (const Node &n : dag.nodes) {
        if (n.kind == NodeKind::Func) {
            EXPECT_EQ(pipeline.get_func(static_cast<size_t>(n.func_index)).name(), n.name);
        }
        for (const int p : n.producers) {
            EXPECT_LT(p, n.id);
        }
    }
    EXPECT_EQ(dag.nodes[0].kind, NodeKind::Input);
    EXPECT_EQ(dag.nodes[0].name, "in");
    EXPECT_EQ(dag.outputs, (std::vector<int>{node(dag, out).id, node(dag, other).id}));
    EXPECT_EQ(node(dag, other).output_index, 1);
    EXPECT_EQ(node(dag, d).consumers, dag.outputs);
    EXPECT_EQ(edge(dag, b, a).loads, 2);
    ASSERT_EQ(edge(dag, b, a).accesses.size(), 1u);
    EXPECT_EQ(to_string(edge(dag, b, a).accesses[0].axes[0]), "i0 + [0..1]");
    EXPECT_NE(to_string(dag).find("reads " + a.name() + " (2): (i0 + [0..1], i1)"), std::string::npos)
        << to_string(dag);
}

TEST(FunctionDag, TypesAndTuples) {
    Func pair("pair"), out("out"), none("none");
    none() = cast<bool>(true);
    pair(x, y) = Tuple(cast<uint16_t>(x), cast<double>(y), none());
    out(x, y) = cast<float>(pair(x, y)[0]) + cast<float>(pair(x, y)[1]) + cast<float>(pair(x, y)[0]);
    const FunctionDag dag = read({sized(out)});
    EXPECT_EQ(node(dag, pair).type_bytes, (std::vector<int>{2, 8, 1}));
    EXPECT_EQ(node(dag, pair).type_bits, (std::vector<int>{16, 64, 1}));
    EXPECT_EQ(node(dag, pair).bytes(), 11);
    EXPECT_EQ(node(dag, none).dims(), 0);
    ASSERT_EQ(edge(dag, out, pair).accesses.size(), 1u);
    EXPECT_EQ(edge(dag, out, pair).accesses[0].loads, 2);  // the same point, two elements
    EXPECT_EQ(node(dag, out).stages[0].ops.loads, 2);
}

TEST(FunctionDag, StagesOfUpdates) {
    ImageParam in = sized_image("in");
    Func hist("hist"), sum("sum"), out("out");
    RDom r(0, 64, 0, 48), s(1, 255);
    hist(x) = 0;
    hist(in(r.x, r.y)) += 1;
    sum(x, y) = hist(x);
    sum(s, y) = sum(s - 1, y) * 2 + sum(s, y);
    sum(x, 0) = min(sum(x, 0), 7);
    out(x, y) = sum(in(x, y), y);
    const FunctionDag dag = read({sized(out)});

    const Stage &scatter = node(dag, hist).stages[1];
    EXPECT_TRUE(scatter.scatters);
    EXPECT_TRUE(scatter.associative);
    EXPECT_TRUE(scatter.commutative);
    EXPECT_TRUE(scatter.adds);
    EXPECT_EQ(scatter.pure_of_dim, std::vector<int>{-1});
    ASSERT_EQ(scatter.loops.size(), 2u);
    EXPECT_TRUE(scatter.loops[0].reduction);
    EXPECT_TRUE(scatter.loops[0].extent_known);
    EXPECT_EQ(scatter.loops[1].estimate, (Interval{0, 47}));
    EXPECT_EQ(scatter.ops.loads, 2);

    const Node &scan = node(dag, sum);
    ASSERT_EQ(scan.stages.size(), 3u);
    EXPECT_EQ(scan.stages[1].pure_of_dim, (std::vector<int>{-1, 0}));
    EXPECT_EQ(scan.stages[1].loops[0].name, "y");
    EXPECT_FALSE(scan.stages[1].associative);
    EXPECT_TRUE(scan.stages[1].scatters);
    EXPECT_EQ(scan.stages[2].pure_of_dim, (std::vector<int>{0, -1}));
    EXPECT_FALSE(scan.stages[2].scatters);  // a constant place
    EXPECT_EQ(scan.estimate, (Region{{0, 255}, {0, 47}}));
    for (const Edge &e : dag.edges) {
        EXPECT_NE(e.consumer, e.producer);
    }
    EXPECT_TRUE(edge(dag, out, sum).data_dependent);
    EXPECT_EQ(to_string(edge(dag, out, sum).accesses[0].axes[0]), "[0..255]");
}

TEST(FunctionDag, AnOutputIsRawToItsReaders) {
    ImageParam in(UInt(8), 2, "in");
    in.set_estimates({{0, 64}, {0, 48}});
    Func bounded = BoundaryConditions::repeat_edge(in), first("first"), reader("reader"), second("second");
    first(x, y) = bounded(x, y);
    reader(x, y) = first(x, 0);
    second(x, y) = reader(x, y);
    const FunctionDag dag = read({sized(first), sized(second)});
    EXPECT_FALSE(node(dag, first).reads_raw_input);
    EXPECT_EQ(node(dag, reader).raw_dims, (std::vector<bool>{true, false}));
    EXPECT_TRUE(node(dag, second).reads_raw_input);
}

// A resampling's taps and first tap, of which `strict_float` keeps Halide's simplifier from making numbers.
TEST(FunctionDag, StrictFloatsAreNumbersAtTheEstimates) {
    Param<float> scale("scale");
    scale.set_estimate(0.5f);
    ImageParam in = sized_image("in", Float(32));
    const Expr inverse = strict_float(1.0f / scale);
    const Expr taps = cast<int>(ceil(4 * inverse));
    const Expr first = cast<int>(strict_float(ceil((x + 0.5f) * inverse - 0.5f - 2 * inverse)));
    Func f("f"), wide("wide"), out("out");
    RDom r(0, taps);
    f(x, y) = in(x, y) * 2;
    wide(x, y) = 0.0f;
    wide(x, y) += f(clamp(first, in.dim(0).min(), in.dim(0).max() + 1 - taps) + r, y);
    out(x, y) = wide(x, y);
    out.set_estimates({{0, 32}, {0, 48}});
    const FunctionDag dag = read({out});
    EXPECT_EQ(node(dag, wide).stages[1].loops.back().estimate, (Interval{0, 7}));
    EXPECT_EQ(node(dag, f).estimate, (Region{{0, 63}, {0, 47}}));

    // In the other operations that can be strict.
    Func chosen("chosen");
    RDom s(0, cast<int>(strict_float(select(scale < 1.0f, max(scale * 3, 2.5f) - 0.5f, min(scale, 1.0f) / 3))));
    chosen(x, y) = 0.0f;
    chosen(x, y) += in(clamp(x + s, 0, 63), y);
    EXPECT_EQ(node(read({sized(chosen)}), chosen).stages[1].loops.back().estimate, (Interval{0, 1}));
}

TEST(FunctionDag, APromisedSizeHoldsWhateverIsEstimated) {
    ImageParam in = sized_image("in");
    Func out("out");
    out(x, y) = in(x, y);
    sized(out);
    out.output_buffer().dim(0).set_extent(4);
    out.output_buffer().dim(1).set_min(2);
    EXPECT_EQ(node(read({out}), out).estimate, (Region{{0, 3}, {2, 49}}));
}

TEST(FunctionDag, ReductionsWithPredicatesAndParameters) {
    Param<int> radius("radius");
    radius.set_estimate(4);
    Func f("f"), out("out");
    RDom r(-radius, 2 * radius + 1);
    r.where(r % 2 == 0);
    f(x, y) = x + y;
    out(x, y) = 0;
    out(x, y) = max(out(x, y), f(x + r, y));
    const FunctionDag dag = read({sized(out)});
    const Stage &stage = node(dag, out).stages[1];
    EXPECT_TRUE(stage.has_predicate);
    EXPECT_TRUE(stage.associative);
    EXPECT_FALSE(stage.loops[2].extent_known);
    EXPECT_EQ(stage.loops[2].estimate, (Interval{-4, 4}));
    EXPECT_EQ(node(dag, f).estimate[0], (Interval{-4, 67}));
}

TEST(FunctionDag, BoundaryConditionsWrapTheirInput) {
    for (int kind = 0; kind < 5; kind++) {
        ImageParam in = sized_image("in");
        const Func edges[] = {BoundaryConditions::repeat_edge(in), BoundaryConditions::constant_exterior(in, 3),
                              BoundaryConditions::repeat_image(in), BoundaryConditions::mirror_image(in),
                              BoundaryConditions::mirror_interior(in)};
        const Func &bounded = edges[kind];
        Func out("out");
        out(x, y) = bounded(x - 1, y) + bounded(x + 1, y);
        const FunctionDag dag = read({sized(out)});
        EXPECT_TRUE(node(dag, bounded).wraps_input) << bounded.name() << "\n" << to_string(dag);
        EXPECT_FALSE(node(dag, out).wraps_input);
        EXPECT_FALSE(node(dag, out).reads_raw_input) << bounded.name() << "\n" << to_string(dag);
        EXPECT_EQ(dag.nodes[0].estimate, (Region{{0, 63}, {0, 47}}));
        EXPECT_FALSE(node(dag, out).pointwise);
    }
    ImageParam in = sized_image("in");
    Func as_float("as_float"), scaled("scaled"), out("out");
    as_float(x, y) = cast<float>(in(x, y));
    scaled(x, y) = as_float(x, y) / 255.0f;
    out(x, y) = scaled(x, y);
    const FunctionDag dag = read({sized(out)});
    EXPECT_TRUE(node(dag, as_float).wraps_input);
    EXPECT_FALSE(node(dag, scaled).wraps_input);
    EXPECT_TRUE(node(dag, scaled).pointwise);
}

TEST(FunctionDag, WhatLosesItsCastOnceInlinedIsStored) {
    // A float as a byte, and that as a signed byte, directly and through a copy of it: beyond 127 it wraps.
    ImageParam in = sized_image("in", Float(32));
    Func byte("byte"), copy("copy"), wide("wide"), out("out");
    byte(x, y) = clamp(cast<uint8_t>(clamp(in(x, y), 0.0f, 255.0f)), cast<uint8_t>(0), cast<uint8_t>(255));
    copy(x, y) = byte(x, y);
    wide(x, y) = cast<int16_t>(byte(x, y));
    out(x, y) = cast<int8_t>(copy(x, y)) + cast<int8_t>(2 * wide(x, y));
    const FunctionDag dag = read({sized(out)});
    EXPECT_TRUE(node(dag, copy).loses_cast) << to_string(dag);
    EXPECT_FALSE(node(dag, byte).loses_cast) << "its readers keep all of its bits";
    EXPECT_FALSE(node(dag, wide).loses_cast) << "something is done to it before";

    // Of integers, and to as many bits of a larger type, nothing is lost.
    ImageParam whole = sized_image("whole", Int(32));
    Func low("low"), same("same");
    low(x, y) = cast<uint16_t>(whole(x, y));
    same(x, y) = cast<int8_t>(low(x, y)) + cast<int8_t>(cast<float>(low(x, y)));
    const FunctionDag integers = read({sized(same)});
    EXPECT_FALSE(node(integers, low).loses_cast) << to_string(integers);
}

/// A filter whose weights are a formula of the tap's number, normalised by another Func; `out` reads two.
struct Weighted {
    ImageParam in = sized_image("in");
    Func raw{"raw"}, weights{"weights"}, out{"out"};

    explicit Weighted(const Expr &formula) {
        raw(x, c) = formula;
        weights(x, c) = raw(x, c) / (raw(x, 0) + raw(x, 1));
    }

    FunctionDag read_with(const Expr &tap) {
        out(x, y) = weights(x, 0) * in(x, y) + weights(x, tap) * in(x + 1, y);
        return read({sized(out)});
    }
};

TEST(FunctionDag, WeightsThatFoldAreTables) {
    const Expr bell = exp(-cast<float>(c * c));
    // Where a pixel falls between those of an image twice as large: the same for all, which takes some algebra to see.
    const Expr place = cast<float>(2 * ((4 * x + 3) / 2 + c) - (4 * x + 2));
    for (const Expr &formula : {bell, place}) {
        Weighted w(formula);
        const FunctionDag dag = w.read_with(1);
        for (const Func &table : {w.raw, w.weights}) {
            EXPECT_TRUE(node(dag, table).table) << table.name() << "\n" << to_string(dag);
            EXPECT_EQ(node(dag, table).stages[0].ops.total(), 0);
        }
        EXPECT_FALSE(node(dag, w.out).table);
    }
}

TEST(FunctionDag, WhatIsReadAtPlacesOfTheLoopsIsNoTable) {
    Weighted by_pixel(exp(-cast<float>(c * c))), by_data(exp(-cast<float>(c * c)));
    const FunctionDag one = by_pixel.read_with(x % 2);
    EXPECT_FALSE(node(one, by_pixel.weights).table);
    EXPECT_FALSE(node(one, by_pixel.raw).table) << "its value goes into one that is no constant";
    EXPECT_GT(node(one, by_pixel.raw).stages[0].ops.total(), 0);
    EXPECT_FALSE(node(by_data.read_with(cast<int>(by_data.in(x, y))), by_data.weights).table);
}

TEST(FunctionDag, WhatDependsOnAParameterOrAnImageIsNoTable) {
    Param<float> sigma("sigma");
    sigma.set_estimate(2.0f);
    Weighted by_parameter(exp(-cast<float>(c) / sigma));
    EXPECT_FALSE(node(by_parameter.read_with(1), by_parameter.weights).table);
    ImageParam other = sized_image("other");
    Weighted by_image(cast<float>(other(0, c)));
    EXPECT_FALSE(node(by_image.read_with(1), by_image.raw).table);
}

TEST(FunctionDag, AnOutputAndASumOfManyTermsAreNoTables) {
    Func table("table"), out("out");
    table(x, y) = cast<float>(7);
    out(x, y) = table(x, y) * 2;
    const FunctionDag dag = read({sized(table), sized(out)});
    EXPECT_FALSE(node(dag, table).table);

    // Each level calls the one before twice: as a tree the last has 2^20 calls.
    std::vector<Func> levels(1, Func("level"));
    levels[0](x) = cast<float>(x);
    for (int i = 1; i <= 20; i++) {
        Func next("level_" + std::to_string(i));
        next(x) = levels.back()(x + 1) * levels.back()(2 * x);
        levels.push_back(next);
    }
    Func sum("sum");
    sum(x, y) = levels[20](3) + x;
    const FunctionDag deep = read({sized(sum)});
    EXPECT_TRUE(node(deep, levels[0]).kind == NodeKind::Func);
    EXPECT_FALSE(node(deep, levels[20]).table);
}

TEST(FunctionDag, AClampToConstantsIsNoBoundaryCondition) {
    ImageParam in = sized_image("in");
    Func constant("constant"), doubled("doubled"), out("out");
    constant(x, y) = in(clamp(x, 0, 9), 0);
    doubled(x, y) = in(x, y) * cast<uint8_t>(2);
    const Func edge = BoundaryConditions::repeat_edge(doubled, {{0, 64}, {0, 48}});
    out(x, y) = constant(x, y) + edge(x, y - 1);
    const FunctionDag dag = read({sized(out)});
    EXPECT_EQ(node(dag, constant).raw_dims, (std::vector<bool>{true, false}));
    // More of the edge's Func means more of `doubled`, up to its 64 columns, and so of an input that may be smaller.
    EXPECT_EQ(node(dag, edge).raw_dims, (std::vector<bool>{true, true}));
}

TEST(FunctionDag, RawInputsByDimension) {
    ImageParam in = sized_image("in");
    Func raw("raw"), half_clamped("half_clamped"), through("through"), sums("sums"), out("out");
    RDom r(0, 64);
    raw(x, y) = in(x, y);
    half_clamped(x, y) = in(clamp(x, 0, in.width() - 1), y / 2);
    through(x, y) = half_clamped(x, 3) + half_clamped(y, x % 2);
    sums(x) = 0;
    sums(x) += cast<int>(in(r, x));
    out(x, y) = raw(clamp(x, 0, in.width() - 1), clamp(y, 0, in.height() - 1)) + through(x, y) + cast<uint8_t>(sums(y));
    const FunctionDag dag = read({sized(out)});
    EXPECT_EQ(node(dag, raw).raw_dims, (std::vector<bool>{true, true}));
    EXPECT_EQ(node(dag, half_clamped).raw_dims, (std::vector<bool>{false, true}));
    EXPECT_EQ(node(dag, through).raw_dims, (std::vector<bool>{false, false}));
    EXPECT_FALSE(node(dag, through).reads_raw_input);
    EXPECT_EQ(node(dag, sums).raw_dims, std::vector<bool>{true});  // the reduction's length does not grow
    EXPECT_EQ(node(dag, out).raw_dims, (std::vector<bool>{false, true}));
}

TEST(FunctionDag, CountsDistinctOperationsOnce) {
    ImageParam in = sized_image("in", Float(32));
    Func out("out");
    const Expr a = in(x, y) * 2.0f;
    Expr twice = a;
    for (int i = 0; i < 60; i++) {
        twice = twice + twice;  // a tree of 2^60 nodes
    }
    out(x, y) = twice + sqrt(a) + in(x + 1, y) / 3.0f + in(x, y) / in(x + 1, y) + cast<float>(x / 4 + y / 3);
    const OpCounts ops = node(read({sized(out)}), out).stages[0].ops;
    EXPECT_EQ(ops.loads, 2);
    EXPECT_EQ(ops.float_ops, 1 + 60 + 1 + 4);  // 2*, the sums, / 3, four + between the terms
    EXPECT_EQ(ops.special_ops, 2);             // the square root, the division
    EXPECT_EQ(ops.int_ops, 1 + 3 + 1 + 1);     // x / 4, y / 3, their sum, its conversion
    EXPECT_EQ(ops.index_ops, 1);               // x + 1
    EXPECT_EQ(ops.choices, 0);
    EXPECT_EQ(ops.total(), 75);
}

TEST(FunctionDag, CountsChoicesAndIndicesFromData) {
    ImageParam in = sized_image("in", UInt(8));
    Func table("table"), out("out");
    table(x) = cast<uint8_t>(x * x);
    out(x, y) = select(in(x, y) > 3, max(table(in(x, y + 1) + 1), 7), table(2 * x));
    const OpCounts ops = node(read({sized(out)}), out).stages[0].ops;
    EXPECT_EQ(ops.choices, 3);        // the comparison, the maximum, the select
    EXPECT_EQ(ops.int_ops, 3 + 1);    // and the sum that data go into
    EXPECT_EQ(ops.index_ops, 1 + 1);  // y + 1, 2 * x
}

TEST(FunctionDag, NoticesTheUsersOwnScheduleAndWrappers) {
    ImageParam in = sized_image("in");
    Func a("a"), b("b"), d("d"), e("e"), f("f"), out("out");
    a(x, y) = in(x, y);
    b(x, y) = a(x, y) + a(x + 1, y);
    d(x, y) = b(x, y) * 2;
    e(x, y) = d(x, y) * 2;
    f(x, y) = e(x, y) + d(x + 1, y);
    out(x, y) = f(x, y);
    b.compute_root();
    d.vectorize(x, 8);
    f.bound(x, 0, 64).align_bounds(y, 2);
    Func wrapper = d.in(f);
    const FunctionDag dag = read({sized(out)});
    EXPECT_EQ(node(dag, a).scheduled_by, "");
    EXPECT_EQ(node(dag, b).scheduled_by, "compute_root");
    EXPECT_EQ(node(dag, d).scheduled_by, "in or clone_in");
    EXPECT_EQ(node(dag, e).scheduled_by, "");
    EXPECT_EQ(node(dag, f).scheduled_by, "");
    EXPECT_EQ(node(dag, out).scheduled_by, "");
    EXPECT_EQ(node(dag, f).bounds.size(), 2u);
    EXPECT_TRUE(node(dag, wrapper).wrapper);
    EXPECT_EQ(node(dag, wrapper).scheduled_by, "in or clone_in");
    EXPECT_EQ(node(dag, wrapper).func_index, -1);
    EXPECT_EQ(node(dag, wrapper).producers, std::vector<int>{node(dag, d).id});
    EXPECT_EQ(node(dag, f).producers, (std::vector<int>{node(dag, wrapper).id, node(dag, e).id}));
}

TEST(FunctionDag, ExternStagesAreOpaque) {
    ImageParam in = sized_image("in"), table(Float(32), 1, "table");
    table.set_estimates({{0, 256}});
    Func a("a"), sorted("sorted"), out("out");
    a(x, y) = in(x, y);
    sorted.define_extern("sort_rows", {a, table, 3}, UInt(8), {x, y});
    out(x, y) = sorted(x, y) + sorted(x + 1, y);
    const FunctionDag dag = read({sized(out)});
    const Node &opaque = node(dag, sorted);
    EXPECT_EQ(opaque.kind, NodeKind::Extern);
    EXPECT_TRUE(opaque.stages.empty());
    ASSERT_EQ(opaque.producers.size(), 2u);
    EXPECT_EQ(dag.node(opaque.producers[0]).name, "table");
    EXPECT_EQ(dag.node(opaque.producers[1]).name, a.name());
    EXPECT_EQ(opaque.estimate, (Region{{0, 64}, {0, 47}}));
    EXPECT_EQ(node(dag, a).estimate, opaque.estimate);
    EXPECT_TRUE(edge(dag, sorted, a).data_dependent);
    EXPECT_TRUE(node(dag, out).reads_raw_input);
}

TEST(FunctionDag, ErrorsNameTheThingAndTheMend) {
    ImageParam in(UInt(8), 2, "picture");
    Param<int> shift("shift");
    Func edge = BoundaryConditions::repeat_edge(in), f("f"), bounded("bounded"), shifted("shifted");
    f(x, y) = edge(x, y);
    EXPECT_EQ(error_of({f}), "Output 'f' has no estimate in dimension 'x': call f.set_estimates({{min, extent}, ...}), "
                             "one pair a dimension.");
    sized(f);
    EXPECT_EQ(error_of({f}), "Input 'picture' has no estimate in dimension 0: call picture.set_estimates({{min, "
                             "extent}, ...}), one pair a dimension.");
    shifted(x, y) = f(x + shift, y);
    EXPECT_EQ(error_of({sized(shifted)}), "Param 'shift' has no estimate: call shift.set_estimate(value).");
    Func empty("empty");
    empty(x) = x;
    empty.set_estimate(x, 0, 0);
    EXPECT_NE(error_of({empty}).find("extent of at least 1"), std::string::npos);
    bounded(x, y) = x;
    bounded.bound(x, 0, 7).set_estimate(y, 2, 5);
    EXPECT_EQ(read({bounded}).nodes[0].estimate, (Region{{0, 6}, {2, 6}}));
}

std::vector<Func> one_algorithm(int taps, bool named) {
    ImageParam in = named ? ImageParam(UInt(8), 2, "in") : ImageParam(UInt(8), 2);
    Var u, v;
    Func a("a"), sum, out("out");
    RDom r(0, taps);
    a(u, v) = in(u, v) + in(u + 1, v);
    sum(u, v) = 0;
    sum(u, v) += cast<int>(a(u + r, v));
    out(u, v) = sum(u, v) + in.width();
    return {out};
}

TEST(Fingerprint, IsThatOfTheAlgorithmAlone) {
    const std::string first = fingerprint(one_algorithm(3, true));
    EXPECT_EQ(first.size(), 16u);
    EXPECT_EQ(fingerprint(one_algorithm(3, true)), first);
    EXPECT_EQ(fingerprint(one_algorithm(3, false)), first);
    EXPECT_NE(fingerprint(one_algorithm(4, true)), first);
    std::vector<Func> scheduled = one_algorithm(3, true);
    scheduled[0].set_estimates({{0, 64}, {0, 48}}).vectorize(scheduled[0].args()[0], 8);
    EXPECT_EQ(fingerprint(scheduled), first);
}

TEST(Fingerprint, AdvancesNoCounterOfNames) {
    const std::vector<Func> outputs = one_algorithm(3, true);
    const int before = std::stoi(Internal::unique_name('t').substr(1));
    fingerprint(outputs);
    EXPECT_EQ(std::stoi(Internal::unique_name('t').substr(1)), before + 1);
}

}  // namespace
}  // namespace warptile
