// What a user has said of Funcs before the autoscheduler comes: each call is kept, does no harm, or is an error that
// names the Func and the call. docs/parameters.md has the table.
#include <functional>

#include <gtest/gtest.h>

#include "Halide.h"
#include "plugin/autoschedule.h"
#include "test/support/found_plan.h"
#include "test/support/words.h"

namespace warptile {
namespace {

using Halide::Func;
using Halide::RVar;
using Halide::Var;

struct Pipeline {
    Var x{"x"}, y{"y"}, u{"u"}, v{"v"};
    Halide::ImageParam in{Halide::Int(32), 2, "in"};
    Halide::RDom r{0, 16, "r"};
    Func mid{"mid"}, total{"total"}, out{"out"};

    Pipeline() {
        in.set_estimates({{0, 64}, {0, 48}});
        mid(x, y) = Halide::BoundaryConditions::repeat_edge(in)(x, y) * 2 + x;
        total(x) = 0;
        total(x) += mid(x, r);
        out(x, y) = mid(x, y) + mid(x + 1, y) + total(x);
        out.set_estimates({{0, 64}, {0, 48}});
    }
};

struct Call {
    const char *name;  ///< of the test
    const char *func;  ///< that the error names
    const char *call;  ///< that it names; empty: it is kept or does no harm
    std::function<void(Pipeline &)> make;
};

const std::vector<Call> &calls() {
    static const std::vector<Call> all = {
        {"compute_root", "mid", "compute_root", [](Pipeline &p) { p.mid.compute_root(); }},
        {"compute_at", "mid", "compute_at", [](Pipeline &p) { p.mid.compute_at(p.out, p.y); }},
        {"store_root", "mid", "compute_at", [](Pipeline &p) { p.mid.store_root().compute_at(p.out, p.y); }},
        {"hoist_storage", "mid", "compute_at",
         [](Pipeline &p) { p.mid.hoist_storage(p.out, p.y).compute_at(p.out, p.x); }},
        {"split", "out", "split", [](Pipeline &p) { p.out.split(p.x, p.u, p.v, 4); }},
        {"fuse", "out", "fuse", [](Pipeline &p) { p.out.fuse(p.x, p.y, p.u); }},
        {"rename", "out", "rename", [](Pipeline &p) { p.out.rename(p.x, p.u); }},
        {"reorder", "out", "reorder", [](Pipeline &p) { p.out.reorder(p.y, p.x); }},
        {"tile", "out", "split", [](Pipeline &p) { p.out.tile(p.x, p.y, p.u, p.v, 8, 8); }},
        {"serial", "out", "or the like", [](Pipeline &p) { p.out.serial(p.x); }},
        {"parallel", "out", "parallel", [](Pipeline &p) { p.out.parallel(p.y); }},
        {"vectorize", "out", "vectorize", [](Pipeline &p) { p.out.vectorize(p.x); }},
        {"unroll", "out", "unroll", [](Pipeline &p) { p.out.unroll(p.x); }},
        {"gpu_blocks", "out", "gpu_blocks", [](Pipeline &p) { p.out.gpu_blocks(p.y); }},
        {"gpu_threads", "out", "gpu_threads", [](Pipeline &p) { p.out.gpu_threads(p.x); }},
        {"gpu_lanes", "out", "gpu_lanes", [](Pipeline &p) { p.out.gpu_lanes(p.x); }},
        {"of_an_update", "total", "parallel", [](Pipeline &p) { p.total.update().parallel(p.x); }},
        {"rfactor", "total", "rfactor", [](Pipeline &p) { p.total.update().rfactor(p.r.x, p.u); }},
        {"unscheduled", "total", "unscheduled", [](Pipeline &p) { p.total.update().unscheduled(); }},
        {"atomic", "total", "atomic", [](Pipeline &p) { p.total.update().atomic(); }},
        {"allow_race_conditions", "total", "allow_race_conditions",
         [](Pipeline &p) { p.total.update().allow_race_conditions(); }},
        {"specialize", "out", "specialize", [](Pipeline &p) { p.out.specialize(p.in.width() > 9); }},
        {"compute_with", "out", "compute_with", [](Pipeline &p) { p.out.compute_with(p.total, p.x); }},
        {"prefetch", "out", "prefetch", [](Pipeline &p) { p.out.prefetch(p.in, p.y, p.y, 2); }},
        {"partition", "out", "partition", [](Pipeline &p) { p.out.never_partition(p.x); }},
        {"align_storage", "mid", "align_storage", [](Pipeline &p) { p.mid.align_storage(p.x, 16); }},
        {"bound_storage", "mid", "bound_storage", [](Pipeline &p) { p.mid.bound_storage(p.x, 80); }},
        {"fold_storage", "mid", "fold_storage", [](Pipeline &p) { p.mid.fold_storage(p.y, 4); }},
        {"reorder_storage", "mid", "reorder_storage", [](Pipeline &p) { p.mid.reorder_storage(p.y, p.x); }},
        {"store_in", "mid", "store_in", [](Pipeline &p) { p.mid.store_in(Halide::MemoryType::Stack); }},
        {"store_in_of_an_input", "in", "store_in", [](Pipeline &p) { p.in.store_in(Halide::MemoryType::GPUTexture); }},
        {"memoize", "mid", "memoize", [](Pipeline &p) { p.mid.memoize(); }},
        {"async", "mid", "async", [](Pipeline &p) { p.mid.async(); }},
        {"ring_buffer", "mid", "ring_buffer", [](Pipeline &p) { p.mid.ring_buffer(2); }},
        {"in", "mid", "in or clone_in", [](Pipeline &p) { p.mid.in(p.out); }},
        {"in_of_an_input", "in", "in or clone_in", [](Pipeline &p) { p.in.in(); }},
        {"clone_in", "mid", "in or clone_in", [](Pipeline &p) { p.mid.clone_in(p.out); }},
        {"debug_to_file", "mid", "debug_to_file", [](Pipeline &p) { p.mid.debug_to_file("mid.npy"); }},
        {"nothing", "", "", [](Pipeline &) {}},
        {"compute_root_of_an_output", "", "", [](Pipeline &p) { p.out.compute_root(); }},
        {"store_root_of_an_output", "", "", [](Pipeline &p) { p.out.compute_root().store_root(); }},
        {"estimate", "", "", [](Pipeline &p) { p.mid.set_estimate(p.x, 0, 65); }},
        {"no_profiling", "", "", [](Pipeline &p) { p.mid.no_profiling(); }},
        {"bound", "", "", [](Pipeline &p) { p.total.bound(p.x, -4, 80); }},
        {"bound_of_an_output", "", "", [](Pipeline &p) { p.out.bound(p.x, 0, 64).bound(p.y, 0, 48); }},
        {"bound_extent", "", "", [](Pipeline &p) { p.total.bound_extent(p.x, 64); }},
        {"bound_extent_of_an_output", "", "", [](Pipeline &p) { p.out.bound_extent(p.x, 64); }},
        {"align_bounds", "", "", [](Pipeline &p) { p.mid.align_bounds(p.x, 16, 3); }},
        {"align_extent", "", "", [](Pipeline &p) { p.total.align_extent(p.x, 32); }},
        {"align_bounds_of_an_output", "", "", [](Pipeline &p) { p.out.align_bounds(p.x, 2).align_extent(p.y, 4); }},
        {"host_alignment", "", "", [](Pipeline &p) { p.in.set_host_alignment(64).dim(0).set_min(0); }},
    };
    return all;
}

class Leftovers : public testing::TestWithParam<Call> {};

TEST_P(Leftovers, AreKeptOrNamed) {
    const Call &call = GetParam();
    const auto build = [&] {
        Pipeline p;
        call.make(p);
        return Built{{p.out}, {p.in}};
    };
    if (*call.call) {
        const std::string message = error_of([&] {
            Halide::AutoschedulerParams params("WarpTile");
            Halide::AutoSchedulerResults results;
            autoschedule(Halide::Pipeline(build().outputs), cuda_80(), params, &results);
        });
        expect_words(message, {"'" + std::string(call.func) + "'", call.call, "schedule already"});
        EXPECT_EQ(message.find('$'), std::string::npos) << message;
        return;
    }
    expect_mirror_agrees<int>(build, found_plan, {{{numbers({64, 48})}, {64, 48}}});
}

INSTANTIATE_TEST_SUITE_P(Calls, Leftovers, testing::ValuesIn(calls()),
                         [](const auto &info) { return std::string(info.param.name); });

}  // namespace
}  // namespace warptile
