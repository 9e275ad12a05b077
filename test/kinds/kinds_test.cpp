// What WarpTile promises of updates, kind by kind: planned at the estimates, no thread is left with work that others
// could share, and nothing adds by compare and swap; executed in the emulator at sizes far from the estimates, on
// inputs no larger than the unscheduled pipeline asks for, the schedule computes what that computes. Small whole
// numbers have to agree bit for bit, and fractions as closely as sums in another order can.

#include <algorithm>
#include <cctype>
#include <iostream>

#include <gtest/gtest.h>

#include "dag/read.h"
#include "plugin/analysis.h"
#include "schedule/directives/apply.h"
#include "schedule/directives/directives.h"
#include "schedule/passes/last_passes.h"
#include "schedule/plan_json.h"
#include "test/kinds/emulated.h"
#include "test/kinds/instance.h"
#include "test/support/h100.h"
#include "test/support/plans.h"

namespace warptile::kinds {
namespace {

using Halide::Buffer;

struct TestedKind {
    std::string name;
    std::vector<Size> sizes;
    bool atomic = false;         ///< it adds to memory atomically
    double most_steps = 4096;    ///< of a stage, that a thread may be left with
    bool constant_size = false;  ///< sizes are constants of the algorithm, and each is planned for
    bool divides = false;        ///< whole numbers too are rounded
    bool nans = false;           ///< it minds what is no number
    bool one_kernel = false;     ///< its updates live in the kernel of what reads them
};

std::ostream &operator<<(std::ostream &out, const TestedKind &kind) { return out << kind.name; }

const std::vector<Size> kImages = {{1, 1}, {7, 5}, {70, 33}, {257, 40}};
const std::vector<Size> kLists = {{1, 1}, {2, 1}, {1001, 1}, {4096, 1}};
const std::vector<Size> kMatrices = {{1, 1}, {5, 3}, {33, 70}, {64, 100}};

std::vector<TestedKind> tested_kinds() {
    std::vector<TestedKind> kinds;
    const auto add = [&](const char *name, const std::vector<Size> &sizes) -> TestedKind & {
        kinds.emplace_back();
        kinds.back().name = name;
        kinds.back().sizes = sizes;
        return kinds.back();
    };
    add("stencil_over_an_rdom", {{3, 3}, {77, 35}}).constant_size = true;
    add("stencil_of_any_size", {{3, 3}, {2, 2}, {1, 1}, {8, 5}, {257, 40}});
    add("axpy_over_an_rdom", kLists);
    add("copy", kLists);
    add("turned_store", kImages);
    add("interleaved_stores", kLists);
    add("flattened_store", {{1, 1}, {77, 35}}).constant_size = true;
    add("mirrored_rows", {{1, 1}, {2, 3}, {77, 35}, {96, 20}}).constant_size = true;
    add("scan_of_rows", {{1, 1}, {2, 3}, {33, 70}, {100, 7}});
    add("recursion_on_both_axes", {{1, 1}, {2, 3}, {33, 70}, {100, 37}});
    add("several_updates", kImages);
    add("heat_in_time", {{3, 3}, {8, 5}, {70, 33}}).divides = true;
    add("waves_in_a_ring", {{3, 3}, {8, 5}, {70, 33}}).divides = true;
    add("red_and_black", {{4, 3}, {8, 5}, {70, 33}}).divides = true;
    add("cheapest_paths", {{3, 1}, {8, 5}, {257, 40}});
    add("elimination", {{1, 1}, {7, 7}, {40, 40}}).divides = true;
    add("symmetric_matrix", {{1, 1}, {7, 7}, {70, 70}});
    add("gram_over_rvars", kMatrices);
    add("gram_over_vars", kMatrices);
    add("matrix_times_vector", kMatrices);
    add("two_matrices_times_vectors", kMatrices);
    add("autocorrelation", {{1, 1}, {5, 300}, {33, 1000}});
    add("sum_of_the_positive", kImages);
    add("plain_sum", kImages);
    add("sum_of_large_bytes", kLists);
    add("mean_over_two_of_four", {{1, 1}, {5, 3}, {33, 7}});
    add("image_over_its_total", kImages).divides = true;
    add("argmax_of_an_image", kImages);
    add("argmax_of_rows", kImages);
    add("argmin_of_a_list", kLists);
    add("last_of_the_largest", kImages);
    add("maximum_that_minds_nan", kImages).nans = true;
    add("weights_by_bin", kImages).atomic = true;
    add("double_weights_by_bin", kImages).atomic = true;
    add("largest_by_bin", kImages);
    add("least_by_bin", kImages);
    add("count_and_sum_by_bin", kImages);
    add("bins_of_pairs", kImages).atomic = true;
    add("integer_histogram", kImages).atomic = true;
    add("histogram_in_bytes", kImages);
    add("histogram_of_each_row", kImages).atomic = true;
    add("updates_after_a_histogram", kImages).atomic = true;
    add("scatter_of_floats", kImages).atomic = true;
    add("nearest_at_places", kImages);
    add("hits_in_bytes", kImages);
    const auto in_its_reader = [&](const char *name, const std::vector<Size> &sizes) -> TestedKind & {
        TestedKind &kind = add(name, sizes);
        kind.one_kernel = true;
        return kind;
    };
    in_its_reader("system_a_pixel", kImages).divides = true;
    in_its_reader("median_by_exchanges", kImages);
    in_its_reader("sums_up_to_each_channel", kImages);
    in_its_reader("block_matching", kImages).most_steps = 8192;
    in_its_reader("nearest_centre", kLists);
    in_its_reader("likeliest_gaussian", kImages);
    in_its_reader("layer_of_planes", {{1, 1}, {7, 5}, {70, 33}});
    in_its_reader("bins_of_each_cell", {{1, 1}, {7, 5}, {3, 700}});
    add("shrunk_by_any_factor", kImages).divides = true;
    add("moments_of_each_bin", {{1, 1}, {2, 3}, {33, 7}});
    // Of these the place and the value, or two places, are made of the same data.
    add("adjoint_of_a_bilinear_gather", kImages).atomic = true;
    add("adjoint_in_four_updates", kImages).atomic = true;
    add("squares_of_each_cell", kImages).atomic = true;
    add("total_of_each_bin", kImages).atomic = true;
    add("counts_by_digits", kImages).atomic = true;
    return kinds;
}

Halide::Target emulated_target() {
    return Halide::get_host_target().with_feature(Halide::Target::CUDA).with_feature(Halide::Target::CUDACapability80);
}

Plan plan_of(const Instance &instance) {
    const Analysis analysis = analyse(instance.outputs(), cuda_80(), h100(), Parameters(), Debug());
    EXPECT_FALSE(analysis.failed) << analysis.why_failed;
    EXPECT_EQ(analysis.fallbacks, 0);
    return analysis.plan;
}

void schedule(const Instance &instance, const Plan &plan) {
    apply_directives(make_directives(plan, instance.outputs()), instance.outputs());
}

/// The pipeline as it was written, every Func at root.
void leave_unscheduled(const Instance &instance) {
    std::vector<Halide::Internal::Function> functions;
    for (const Halide::Func &output : instance.outputs()) {
        functions.push_back(output.function());
    }
    for (const auto &[name, function] : Halide::Internal::build_environment(functions)) {
        Halide::Func(function).compute_root();
    }
}

std::vector<Buffer<>> realized(Halide::Pipeline &pipeline, const Instance &sized, const Halide::Target &target) {
    std::vector<Buffer<>> buffers = sized.output_buffers();
    Halide::Realization all(buffers);
    pipeline.realize(all, target);
    for (Buffer<> &buffer : buffers) {
        buffer.copy_to_host();
    }
    return buffers;
}

/// As many as values can be joined at one place, times the few operations on each.
double most_roundings(const Instance &bound) {
    double values = 1;
    for (const Halide::Parameter &input : bound.inputs()) {
        values = std::max(values, input.is_buffer() ? static_cast<double>(input.buffer().number_of_elements()) : 1);
    }
    return 16 * (values + 1);
}

/// As device code calls it.
std::string sanitized(const std::string &name) {
    std::string result = name;
    std::replace_if(
        result.begin(), result.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
    return result;
}

class KindOfUpdate : public testing::TestWithParam<TestedKind> {
protected:
    void SetUp() override {
        dump_ptx();
        if (!is_emulated()) {
            GTEST_SKIP() << "the emulator's folder does not come first in LD_LIBRARY_PATH";
        }
    }

    const TestedKind &kind = GetParam();
};

/// The launches at the estimates, against the steps of each stage there.
class Shares {
public:
    Shares(const FunctionDag &dag, const Plan &plan, std::vector<Launched> launches)
        : dag_(dag), plan_(plan), launches_(std::move(launches)) {}

    /// The steps of an update that a thread of its kernel has; where it is cut, of the kernel that finds the parts;
    /// where it is inside another kernel, of the largest.
    double steps_a_thread(const Node &node, int stage) const {
        const std::string stage_mark = "s" + std::to_string(stage) + "_";
        double own = 0, parts = 0, any = 1;
        for (const Launched &l : launches_) {
            // A kernel is launched by every step of the loops that the host takes in turn.
            const double threads = static_cast<double>(l.all_threads());
            const std::string what = after_name(l.kernel, node.name);
            if (what.rfind(stage_mark, 0) == 0) {
                own = own > 0 ? std::min(own, threads) : threads;
            } else if (!what.empty() && what[0] != 's') {
                parts = std::max(parts, threads);
            }
            any = std::max(any, threads);
        }
        return steps(node, stage) / (is_cut(node, stage) && parts > 0 ? parts : own > 0 ? own : any);
    }

    static double steps(const Node &node, int stage) {
        double steps = 1;
        for (const Loop &loop : node.stages[static_cast<size_t>(stage)].loops) {
            steps *= static_cast<double>(std::max<int64_t>(1, loop.estimate.extent()));
        }
        return steps;
    }

private:
    const FunctionDag &dag_;
    const Plan &plan_;
    std::vector<Launched> launches_;

    /// What follows a Func's name in that of a kernel (`_kernel_f__2_s1_…` of `f$2`), or nothing. In each instance of a
    /// pipeline Funcs of the same name have another number.
    static std::string after_name(const std::string &kernel, const std::string &func) {
        const std::string prefix = "_kernel_" + sanitized(func.substr(0, func.find('$'))) + "_";
        if (kernel.rfind(prefix, 0) != 0) {
            return "";
        }
        const size_t numbered = kernel[prefix.size()] == '_' ? kernel.find('_', prefix.size() + 1) + 1 : prefix.size();
        return kernel.substr(numbered);
    }

    bool is_cut(const Node &node, int stage) const {
        return std::any_of(plan_.derived.begin(), plan_.derived.end(), [&](const Derived &d) {
            return d.kind == Derived::Kind::Partial && d.source == node.func_index && d.update + 1 == stage;
        });
    }
};

TEST_P(KindOfUpdate, IsSharedOutAndRightAtEverySize) {
    const Instance usual(kind.name, {});
    const Plan plan = plan_of(usual);
    const FunctionDag dag = read_function_dag(Instance(kind.name, {}).outputs(), cuda_80());
    EXPECT_TRUE(!kind.one_kernel || plan.groups.size() == 1) << to_json(plan);

    Instance scheduled(kind.name, {});
    schedule(scheduled, plan);
    Halide::Internal::JITSharedRuntime::reuse_device_allocations(false);
    Halide::Pipeline on_device(scheduled.outputs());
    add_last_passes(on_device);
    {
        const OnlyLaunches only_launches;
        scheduled.bind(usual);
        try {
            realized(on_device, usual, emulated_target());
        } catch (const Halide::Error &e) {
            FAIL() << e.what() << emulator_message();
        }
        const std::vector<Launched> launches = OnlyLaunches::launched();
        const Shares shares(dag, plan, launches);
        for (const Node &node : dag.nodes) {
            for (int s = 0; !node.wraps_input && s < static_cast<int>(node.stages.size()); s++) {
                if (!node.stages[static_cast<size_t>(s)].undefined) {
                    EXPECT_LE(shares.steps_a_thread(node, s), kind.most_steps) << node.name << " stage " << s;
                }
            }
        }
        for (const Launched &l : launches) {
            std::cout << "    " << l.kernel << ": " << l.blocks << " blocks of " << l.threads << "\n";
        }
    }

    const std::string ptx = dumped_ptx();
    const bool atomic = ptx.find("\tatom.") != std::string::npos || ptx.find("\tred.") != std::string::npos;
    EXPECT_EQ(atomic, kind.atomic);
    EXPECT_EQ(ptx.find(".cas."), std::string::npos) << "an addition became a loop of compare and swap";

    Instance plain(kind.name, {});
    leave_unscheduled(plain);
    Halide::Pipeline on_host(plain.outputs());
    for (const Size &size : kind.sizes) {
        SCOPED_TRACE(std::to_string(size.width) + " x " + std::to_string(size.height));
        const Instance sized(kind.name, size);
        Instance own_scheduled(kind.name, size), own_plain(kind.name, size);
        if (kind.constant_size) {
            schedule(own_scheduled, plan_of(sized));
            leave_unscheduled(own_plain);
        }
        Instance &device = kind.constant_size ? own_scheduled : scheduled;
        Instance &host = kind.constant_size ? own_plain : plain;
        Halide::Pipeline device_pipeline = on_device;
        if (kind.constant_size) {
            device_pipeline = Halide::Pipeline(device.outputs());
            add_last_passes(device_pipeline);
        }
        Halide::Pipeline host_pipeline = kind.constant_size ? Halide::Pipeline(host.outputs()) : on_host;
        for (const Fill fill : {kind.nans ? Fill::WholeNumbersAndNaNs : Fill::WholeNumbers, Fill::Fractions}) {
            host.bind(sized, fill);
            device.bind(sized, fill);
            const double rounded = fill == Fill::Fractions || kind.divides ? most_roundings(host) : 0;
            try {
                const std::vector<Buffer<>> expected = realized(host_pipeline, sized, Halide::get_host_target());
                const std::vector<Buffer<>> found = realized(device_pipeline, sized, emulated_target());
                for (size_t i = 0; i < expected.size(); i++) {
                    EXPECT_EQ(difference(expected[i], found[i], rounded), "") << "in output " << i;
                }
            } catch (const Halide::Error &e) {
                FAIL() << e.what() << emulator_message();
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, KindOfUpdate, testing::ValuesIn(tested_kinds()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
}  // namespace warptile::kinds
