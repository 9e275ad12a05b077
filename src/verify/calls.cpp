#include "verify/calls.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "dag/halide/estimates.h"
#include "dag/halide/order.h"
#include "verify/lowered/last_statement.h"

namespace warptile {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Interval, min, max)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PipelineCall, buffers, scalars)

namespace {

using Halide::Parameter;
using Halide::Internal::Function;

/// What an input reads may depend on how large it is, as where it is clamped to it: so often it is cut to what is read.
constexpr int kCuts = 4;

/// One dimension of an output, from its estimate.
using Shrink = std::function<Interval(const Interval &, size_t dim)>;

Interval first_points(const Interval &i, int64_t points) { return {i.min, i.min + std::min(i.extent(), points) - 1}; }

/// Tiles that fit, tiles that do not, images smaller than a tile, and of a point along one dimension or all.
const std::vector<Shrink> &shrinks() {
    static const std::vector<Shrink> all = {
        [](const Interval &i, size_t) { return i; },
        [](const Interval &i, size_t) { return first_points(i, i.extent() - i.extent() / 3); },
        [](const Interval &i, size_t) { return first_points(i, 17); },
        [](const Interval &i, size_t) { return first_points(i, 1); },
        [](const Interval &i, size_t dim) { return dim == 0 ? first_points(i, 1) : i; },
        [](const Interval &i, size_t dim) { return dim == 0 ? i : first_points(i, 1); },
    };
    return all;
}

/// Whether the pipeline itself says how far the dimension goes.
bool is_promised(const Function &f, size_t dim) {
    const auto &bounds = f.schedule().bounds();
    const auto &buffers = f.output_buffers();
    return std::any_of(bounds.begin(), bounds.end(),
                       [&](const auto &b) { return b.var == f.args()[dim] && b.extent.defined(); }) ||
           std::any_of(buffers.begin(), buffers.end(),
                       [&](const Parameter &p) { return p.extent_constraint(static_cast<int>(dim)).defined(); });
}

class Calls {
public:
    Calls(const std::vector<Halide::Func> &outputs, const Halide::Target &target)
        : order_(pipeline_order(outputs)), estimates_(order_, target) {
        for (const Function &f : order_.outputs) {
            add_sizes(f);
        }
    }

    std::vector<PipelineCall> that_hold(const Halide::Internal::Stmt &lowered) const {
        const std::map<std::string, Parameter> parameters = parameters_in(lowered);
        std::vector<PipelineCall> calls;
        for (PipelineCall call : outputs_) {
            add_others(parameters, call);
            if (holds(lowered, call)) {
                calls.push_back(call);
            }
        }
        return calls;
    }

private:
    void add_sizes(const Function &f) {
        const Region estimate = estimates_.output(f);
        outputs_.resize(shrinks().size());
        for (size_t s = 0; s < shrinks().size(); s++) {
            Region region = estimate;
            for (size_t d = 0; d < region.size(); d++) {
                region[d] = is_promised(f, d) ? region[d] : shrinks()[s](region[d], d);
            }
            for (const Parameter &buffer : f.output_buffers()) {
                outputs_[s].buffers[buffer.name()] = region;
            }
        }
    }

    void add_others(const std::map<std::string, Parameter> &parameters, PipelineCall &call) const {
        int64_t largest = 1;
        for (const auto &output : call.buffers) {
            for (const Interval &i : output.second) {
                largest = std::max(largest, i.extent());
            }
        }
        for (const auto &[name, parameter] : parameters) {
            if (parameter.is_buffer()) {
                Region region;
                for (int d = 0; d < parameter.dimensions(); d++) {
                    region.push_back(estimates_.input(parameter, d).value_or(Interval{0, largest - 1}));
                }
                call.buffers.emplace(name, region);
            } else if (const Halide::Expr value = estimates_.scalar(parameter); value.defined()) {
                add_scalar(name, Halide::Internal::simplify(Halide::cast<double>(value)), call);
            }
        }
    }

    static void add_scalar(const std::string &name, const Halide::Expr &value, PipelineCall &call) {
        if (const auto number = Halide::Internal::as_const_float(value)) {
            call.scalars[name] = *number;
        }
    }

    /// Cuts its inputs to what is read of them. Whether all checks hold then.
    static bool holds(const Halide::Internal::Stmt &lowered, PipelineCall &call) {
        for (int cut = 0; cut < kCuts; cut++) {
            const HostRun run = run_host(lowered, call);
            bool cut_now = false;
            for (const auto &[name, read] : run.read) {
                Region &input = call.buffers[name];
                for (size_t d = 0; d < std::min(read.size(), input.size()); d++) {
                    cut_now |= !read[d].empty() && read[d] != input[d];
                    input[d] = read[d].empty() ? input[d] : read[d];
                }
            }
            if (!cut_now) {
                return run.failed.empty();
            }
        }
        return false;
    }

    const PipelineOrder order_;
    const Estimates estimates_;
    std::vector<PipelineCall> outputs_;  ///< of these alone the sizes are known
};

}  // namespace

std::vector<PipelineCall> calls_to_stand(const std::vector<Halide::Func> &outputs, const Halide::Target &target,
                                         const std::function<void()> &schedule) {
    const Calls calls(outputs, target);
    schedule();
    return calls.that_hold(last_statement(Halide::Pipeline(outputs), target));
}

std::string outputs_of(const PipelineCall &call, const std::vector<Halide::Func> &outputs) {
    std::string text;
    for (const Halide::Func &f : outputs) {
        const auto &buffers = f.function().output_buffers();
        const auto it = buffers.empty() ? call.buffers.end() : call.buffers.find(buffers[0].name());
        text += it == call.buffers.end() ? "" : (text.empty() ? "an output of " : ", ") + to_string(it->second);
    }
    return text;
}

std::string to_json_text(const std::vector<PipelineCall> &calls) { return nlohmann::json(calls).dump(); }

std::vector<PipelineCall> calls_from_json_text(const std::string &text) {
    return nlohmann::json::parse(text).get<std::vector<PipelineCall>>();
}

}  // namespace warptile
