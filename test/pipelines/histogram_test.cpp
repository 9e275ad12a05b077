// Histograms in several parts, as the autoscheduler schedules them: right at sizes with fewer rows than parts as well.

#include "schedule/directives/print.h"
#include "test/support/found_plan.h"
#include "test/support/words.h"

namespace warptile {
namespace {

using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::Var;

/// How often each value occurs in an image of any size.
Built of_an_image() {
    Var i("i");
    ImageParam in(Halide::UInt(8), 2, "in");
    const RDom r(in.dim(0).min(), in.width(), in.dim(1).min(), in.height(), "r");
    Func count("count"), out("out");
    count(i) = 3;
    count(Halide::cast<int>(in(r.x, r.y))) += 1;
    out(i) = count(i) * 2;
    in.set_estimates({{0, 1536}, {0, 2560}});
    out.set_estimates({{0, 256}});
    return {{out}, {in}};
}

/// Twice as often as each value occurs in a list of any length, the output itself.
Built of_a_list() {
    Var i("i");
    ImageParam in(Halide::UInt(8), 1, "in");
    const RDom r(0, in.width(), "r");
    Func out("out");
    out(i) = Halide::cast<uint32_t>(i);
    out(Halide::cast<int>(in(r) % 64)) += Halide::cast<uint32_t>(2);
    in.set_estimates({{0, 1 << 22}});
    out.set_estimates({{0, 64}});
    return {{out}, {in}};
}

/// How often what an image has at each place occurs in it.
Built of_an_image_of_bytes() {
    Var i("i"), x("x"), y("y");
    ImageParam in(Halide::UInt(8), 2, "in");
    const RDom r(in.dim(0).min(), in.width(), in.dim(1).min(), in.height(), "r");
    Func count("count"), out("out");
    count(i) = 3;
    count(Halide::cast<int>(in(r.x, r.y))) += 1;
    out(x, y) = count(Halide::cast<int>(in(x, y)));
    in.set_estimates({{0, 1536}, {0, 2560}});
    out.set_estimates({{0, 1536}, {0, 2560}});
    return {{out}, {in}};
}

/// `sizes`: of the input, each with the number of cells that are asked for.
template<typename T>
void agrees(const std::function<Built()> &build, const std::vector<std::pair<std::vector<int>, int>> &sizes,
            int parts) {
    const auto in_parts = [&](const Built &b) {
        Plan plan = found_plan(b);
        EXPECT_EQ(plan.derived.size(), 1u);
        EXPECT_EQ(plan.derived.at(0).factor, parts);
        return plan;
    };
    std::vector<Call> calls;
    for (const auto &[size, cells] : sizes) {
        calls.push_back({{numbers<uint8_t>(size, 0, 255)}, {cells}});
    }
    expect_mirror_agrees<T>(build, in_parts, calls);
}

// 256 cells are 8 lines: 32 parts of them are enough for 132 SMs.
TEST(Histogram, OfAnImage) {
    agrees<int32_t>(of_an_image, {{{300, 200}, 256}, {{64, 32}, 256}, {{70, 31}, 7}, {{5, 3}, 256}, {{1, 1}, 1}}, 32);
}

// 64 cells are 2 lines.
TEST(Histogram, OfAList) { agrees<uint32_t>(of_a_list, {{{10000}, 64}, {{64}, 64}, {{63}, 64}, {{1}, 64}}, 64); }

// Its cells are as many at every size: two blocks an SM, a power of two of them, count in shared memory.
TEST(Histogram, OfAnImageOfBytesIsCountedInSharedMemory) {
    const auto in_blocks = [](const Built &b) {
        Plan plan = found_plan(b);
        EXPECT_EQ(plan.derived.size(), 2u);
        EXPECT_EQ(plan.derived.at(0).factor, 256);
        EXPECT_EQ(plan.groups.at(0).members.at(0).atomic.size(), 1u);
        return plan;
    };
    std::vector<Call> calls;
    for (const std::vector<int> &size : {std::vector<int>{513, 300}, {70, 31}, {1, 1}}) {
        calls.push_back({{numbers<uint8_t>(size, 0, 255)}, size});
    }
    expect_mirror_agrees<int32_t>(of_an_image_of_bytes, in_blocks, calls);
}

TEST(Histogram, OfABlockClearsAddsAndCopies) {
    const Built b = of_an_image_of_bytes();
    expect_words(print(make_directives(found_plan(b), b.outputs)),
                 {"count_partial_copy = count_partial.in()", "count_partial_copy.compute_root()",
                  "count_partial.compute_at(count_partial_copy", "count_partial.update(0).atomic()",
                  "gpu_threads(r_x_thread)", "count_partial_usual = count_partial.update(0).specialize("});
}

TEST(Histogram, AddsToPartsByAtomicAdditionsAndUpInOnePiece) {
    const Built b = of_an_image();
    const std::string text = print(make_directives(found_plan(b), b.outputs));
    expect_words(text, {"Func count_partial = count.update(0).rfactor(r_y_part, r_y_partial)",
                        "count_partial.compute_root()", "count_partial.update(0).atomic()",
                        "count_full = count.update(0).specialize(count_extent_0_1 >= 32)"});
    EXPECT_EQ(count(text, "count.update(0).atomic()"), 0u) << text;
}

}  // namespace
}  // namespace warptile
