#include "test/apps/app_pipeline.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "apps/bilateral_grid/reference.h"
#include "apps/blur/reference.h"
#include "apps/harris/reference.h"
#include "apps/interpolate/reference.h"
#include "apps/local_laplacian/reference.h"
#include "apps/unsharp/reference.h"

namespace warptile {

namespace {

int64_t constant(const Halide::Expr &e) {
    const auto value = Halide::Internal::as_const_int(Halide::Internal::simplify(e));
    if (!value) {
        throw std::runtime_error("an app's estimate is no constant");
    }
    return *value;
}

struct Estimate {
    int min, extent;
};

std::vector<Estimate> estimates(const Halide::Region &bounds) {
    std::vector<Estimate> result;
    for (const Halide::Range &r : bounds) {
        result.push_back({static_cast<int>(constant(r.min)), static_cast<int>(constant(r.extent))});
    }
    return result;
}

std::vector<Estimate> output_estimates(const Halide::Func &output) {
    const Halide::Internal::Function &f = output.function();
    std::vector<Estimate> result;
    for (const std::string &arg : f.args()) {
        for (const Halide::Internal::Bound &b : f.schedule().estimates()) {
            if (b.var == arg) {
                result.push_back({static_cast<int>(constant(b.min)), static_cast<int>(constant(b.extent))});
            }
        }
    }
    return result;
}

/// The same numbers everywhere: a hash of the place in the buffer.
uint32_t noise(uint32_t n) {
    n = (n ^ 61U) ^ (n >> 16U);
    n *= 9U;
    n ^= n >> 4U;
    n *= 0x27d4eb2dU;
    return n ^ (n >> 15U);
}

void fill(Halide::Buffer<> &buffer) {
    const size_t count = buffer.number_of_elements();
    for (size_t i = 0; i < count; i++) {
        const uint32_t n = noise(static_cast<uint32_t>(i));
        if (buffer.type() == Halide::Float(32)) {
            static_cast<float *>(buffer.data())[i] = static_cast<float>(n & 0xffffU) / 65535.0f;
        } else {
            static_cast<uint16_t *>(buffer.data())[i] = static_cast<uint16_t>(n);
        }
    }
    buffer.set_host_dirty();
}

using Call = void (*)(void **);

struct Reference {
    Call call;
    double relative, step;
};

template<auto function>
void call(void **argv) {
    apps::call_with(function, argv);
}

#define WARPTILE_REFERENCE(app)                                                                                        \
    Reference { call<&apps::app::reference>, apps::app::relative_tolerance, apps::app::integer_step }

Reference reference_of(const std::string &app) {
    const std::vector<std::pair<std::string, Reference>> all = {
        {"bilateral_grid", WARPTILE_REFERENCE(bilateral_grid)},
        {"blur", WARPTILE_REFERENCE(blur)},
        {"harris", WARPTILE_REFERENCE(harris)},
        {"interpolate", WARPTILE_REFERENCE(interpolate)},
        {"local_laplacian", WARPTILE_REFERENCE(local_laplacian)},
        {"unsharp", WARPTILE_REFERENCE(unsharp)}};
    return std::find_if(all.begin(), all.end(), [&](const auto &a) { return a.first == app; })->second;
}

}  // namespace

const std::vector<std::string> &app_names() {
    static const std::vector<std::string> names = {"bilateral_grid",  "blur",   "harris", "interpolate",
                                                   "local_laplacian", "unsharp"};
    return names;
}

AppPipeline::AppPipeline(const std::string &app, const Halide::Target &target) : app_(app) {
    // Under an autoscheduler's name an app schedules nothing; which name does not matter here.
    const Halide::GeneratorContext context(target, Halide::AutoschedulerParams("WarpTile"));
    generator_ = Halide::Internal::GeneratorRegistry::create(app, context);
    outputs_ = generator_->build_pipeline().outputs();
    for (const auto &arg : generator_->arginfos()) {
        if (arg.dir == Halide::Internal::ArgInfoDirection::Input) {
            inputs_.push_back(generator_->input_parameter(arg.name)[0]);
        }
    }
}

void AppPipeline::bind_inputs(int width, int height) {
    const std::vector<Estimate> out = output_estimates(outputs_[0]);
    for (Halide::Parameter &p : inputs_) {
        const Halide::ArgumentEstimates hints = p.get_argument_estimates();
        if (!p.is_buffer()) {
            const Halide::Expr value = hints.scalar_estimate;
            halide_scalar_value_t scalar{};
            if (p.type().is_float()) {
                scalar.u.f32 = static_cast<float>(*Halide::Internal::as_const_float(value));
            } else {
                scalar.u.i32 = static_cast<int32_t>(constant(value));
            }
            p.set_scalar(p.type(), scalar);
            continue;
        }
        const std::vector<Estimate> in = estimates(hints.buffer_estimates);
        std::vector<int> sizes, mins;
        for (size_t d = 0; d < in.size(); d++) {
            const int wanted = d == 0 ? width : height;
            sizes.push_back(d < 2 ? wanted + in[d].extent - out[d].extent : in[d].extent);
            mins.push_back(in[d].min);
        }
        Halide::Buffer<> buffer(p.type(), sizes);
        buffer.set_min(mins);
        fill(buffer);
        p.set_buffer(buffer);
    }
}

Halide::Buffer<> AppPipeline::output_buffer(int width, int height) const {
    std::vector<int> sizes, mins;
    const std::vector<Estimate> out = output_estimates(outputs_[0]);
    for (size_t d = 0; d < out.size(); d++) {
        sizes.push_back(d == 0 ? width : d == 1 ? height : out[d].extent);
        mins.push_back(out[d].min);
    }
    Halide::Buffer<> buffer(outputs_[0].type(), sizes);
    buffer.set_min(mins);
    return buffer;
}

void AppPipeline::reference(Halide::Buffer<> output) const {
    std::vector<Halide::Buffer<>> buffers;
    std::vector<halide_scalar_value_t> scalars(inputs_.size());
    std::vector<void *> argv;
    for (size_t i = 0; i < inputs_.size(); i++) {
        if (inputs_[i].is_buffer()) {
            argv.push_back(inputs_[i].buffer().raw_buffer());
        } else {
            if (inputs_[i].type().is_float()) {
                scalars[i].u.f32 = inputs_[i].scalar<float>();
            } else {
                scalars[i].u.i32 = inputs_[i].scalar<int32_t>();
            }
            argv.push_back(&scalars[i]);
        }
    }
    argv.push_back(output.raw_buffer());
    reference_of(app_).call(argv.data());
}

double AppPipeline::tolerance() const {
    const Reference r = reference_of(app_);
    return outputs_[0].type().is_float() ? r.relative : r.step;
}

namespace {

template<typename T>
double largest_difference(const Halide::Buffer<> &expected, const Halide::Buffer<> &found, bool relative) {
    const Halide::Buffer<const T> a = expected, b = found;
    double largest = 0, difference = 0;
    a.for_each_element([&](const int *at) {
        largest = std::max(largest, std::abs(static_cast<double>(a(at))));
        difference = std::max(difference, std::abs(static_cast<double>(a(at)) - static_cast<double>(b(at))));
    });
    return relative && largest > 0 ? difference / largest : difference;
}

}  // namespace

double difference(const Halide::Buffer<> &expected, const Halide::Buffer<> &found) {
    return expected.type() == Halide::Float(32) ? largest_difference<float>(expected, found, true)
                                                : largest_difference<uint16_t>(expected, found, false);
}

}  // namespace warptile
