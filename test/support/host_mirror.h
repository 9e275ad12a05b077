// Plans executed where there is no GPU: the host mirror of a plan computes what the unscheduled pipeline computes.
#pragma once

#include <cmath>
#include <functional>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "Halide.h"
#include "schedule/directives/apply.h"
#include "schedule/directives/directives.h"
#include "schedule/plan.h"

namespace warptile {

/// A pipeline with everything it needs to be built again: Funcs cannot be unscheduled.
struct Built {
    std::vector<Halide::Func> outputs;
    std::vector<Halide::ImageParam> inputs;
};

/// Small whole numbers, whose sums are exact in any order and of which neighbours differ.
template<typename T = int>
Halide::Buffer<T> numbers(const std::vector<int> &size, int least = 0, int most = 63) {
    Halide::Buffer<T> buffer(size);
    int n = 0;
    buffer.for_each_value([&](T &v) { v = static_cast<T>(least + (n = (n * 37 + 11) % 8191) % (most - least + 1)); });
    return buffer;
}

/// Every value of an output of type T.
template<typename T>
void expect_same_values(const Halide::Buffer<T> &expected, const Halide::Buffer<T> &found, double tolerance = 0) {
    int wrong = 0;
    std::ostringstream first;
    expected.for_each_element([&](const int *at) {
        const double a = static_cast<double>(expected(at)), b = static_cast<double>(found(at));
        if (!(std::abs(a - b) <= tolerance) && wrong++ == 0) {
            first << b << " instead of " << a << " at";
            for (int d = 0; d < expected.dimensions(); d++) {
                first << ' ' << at[d];
            }
        }
    });
    EXPECT_EQ(wrong, 0) << first.str();
}

/// What a pipeline is called with.
struct Call {
    std::vector<Halide::Buffer<>> inputs;
    std::vector<int> size;  ///< of the output
};

inline std::string inputs_of(const Call &call) {
    std::ostringstream what;
    for (const Halide::Buffer<> &input : call.inputs) {
        what << "an input of";
        for (int d = 0; d < input.dimensions(); d++) {
            what << ' ' << input.dim(d).extent();
        }
        what << "; ";
    }
    return what.str();
}

/// A pipeline of one output, on the host. It is compiled once, at the first call, which takes longer than all calls.
class OnHost {
public:
    explicit OnHost(const Built &built) : inputs_(built.inputs), pipeline_(built.outputs) {}

    Halide::Buffer<> operator()(const Call &call) {
        for (size_t i = 0; i < call.inputs.size(); i++) {
            inputs_[i].set(call.inputs[i]);
        }
        return Halide::Buffer<>(pipeline_.realize(call.size));
    }

private:
    std::vector<Halide::ImageParam> inputs_;
    Halide::Pipeline pipeline_;
};

/// The pipeline as it is built anew, unscheduled and by the plan that `plan_of` gives for it.
template<typename T>
void expect_mirror_agrees(const std::function<Built()> &build, const std::function<Plan(const Built &)> &plan_of,
                          const std::vector<Call> &calls, double tolerance = 0) {
    const Built built = build();
    apply_directives(make_directives(plan_of(built), built.outputs), built.outputs, ApplyTo::HostMirror);
    OnHost unscheduled(build()), planned(built);
    for (const Call &call : calls) {
        SCOPED_TRACE(inputs_of(call));
        expect_same_values<T>(unscheduled(call), planned(call), tolerance);
    }
}

}  // namespace warptile
