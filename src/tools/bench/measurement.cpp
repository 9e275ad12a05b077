// The measurement of one variant. Its data stay on the device: inputs are copied there once, and the calls of a batch
// go to the device back to back, with one synchronisation at the end. Outputs start out as all ones, on the device
// too, so that a pixel that a schedule forgets is seen.
#include "tools/bench/measurement.h"

#include "tools/bench/agreement.h"
#include "tools/bench/arguments.h"
#include "tools/bench/pipeline.h"

#include <chrono>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <stdexcept>

namespace warptile::bench {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// The shapes of the app's arguments, from the first variant that was built and has an estimate for each.
std::vector<ArgumentShape> shapes_of(const Job &job) {
    const std::optional<Size> size =
        job.options.size.empty() ? std::nullopt : std::optional<Size>(parse_size(job.options.size));
    std::string problem = "no variant of it was built";
    for (const BuiltVariant &variant : job.app.variants) {
        if (!variant.error.empty()) {
            continue;
        }
        try {
            const Pipeline pipeline = load_pipeline(shared_object(job.options.bundle, job.app.name, variant.name));
            return shapes_from_estimates(*pipeline.metadata, size);
        } catch (const std::exception &error) {
            problem = error.what();
        }
    }
    throw std::runtime_error(problem);
}

void call(const Pipeline &pipeline, Arguments &arguments) {
    const int status = pipeline.call(arguments.argv());
    if (status != 0) {
        throw std::runtime_error("the pipeline returned the error " + std::to_string(status));
    }
}

void write_outputs(Arguments &arguments, const fs::path &path) {
    std::ofstream file(path, std::ios::binary);
    for (const AnyBuffer *output : arguments.outputs()) {
        file.write(reinterpret_cast<const char *>(output->data()), std::streamsize(output->size_in_bytes()));
    }
    if (!file) {
        throw std::runtime_error("cannot write " + path.string());
    }
}

/// What `compute_reference` wrote, in buffers shaped as the outputs.
std::vector<AnyBuffer> read_outputs(Arguments &arguments, const fs::path &path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<AnyBuffer> references;
    for (const AnyBuffer *output : arguments.outputs()) {
        references.push_back(AnyBuffer::make_with_shape_of(*output));
        file.read(reinterpret_cast<char *>(references.back().data()),
                  std::streamsize(references.back().size_in_bytes()));
    }
    if (!file) {
        throw std::runtime_error("cannot read " + path.string());
    }
    return references;
}

/// One variant with its data in place.
class Subject {
public:
    Subject(const Job &job, const Tolerance &tolerance)
        : runtime_(fs::absolute(job.options.bundle) / "pipelines/runtime.so"),
          arguments_(shapes_of(job), job.options.picture),
          pipeline_(load_pipeline(shared_object(job.options.bundle, job.app.name, job.variant))),
          device_(runtime_.device_interface(pipeline_.metadata->target)), tolerance_(tolerance),
          references_(read_outputs(arguments_, job.reference)) {
        for (AnyBuffer *output : arguments_.outputs()) {
            std::memset(output->data(), 0xff, output->size_in_bytes());
            if (device_) {
                output->set_host_dirty();
                output->copy_to_device(device_);
            }
        }
        if (device_) {
            arguments_.to_device(device_);
        }
        call(pipeline_, arguments_);
    }

    /// The agreement of the outputs as they are now, as a reply.
    std::string check() {
        Agreement worst;
        worst.agrees = true;
        const std::vector<AnyBuffer *> outputs = arguments_.outputs();
        for (size_t i = 0; i < outputs.size(); i++) {
            outputs[i]->copy_to_host();
            const Agreement agreement = compare(*outputs[i], references_[i], tolerance_);
            if (agreement.largest_difference >= worst.largest_difference) {
                const bool agreed = worst.agrees;
                worst = agreement;
                worst.agrees = agreed && agreement.agrees;
            }
        }
        return nlohmann::json{{"agrees", worst.agrees},
                              {"largest_difference", worst.largest_difference},
                              {"largest_magnitude", worst.largest_magnitude},
                              {"where", worst.where},
                              {"on_device", device_ != nullptr}}
            .dump();
    }

    /// Milliseconds of a call, over as many as fill `batch` milliseconds.
    double time(double batch) {
        if (calls_ == 0) {
            run_calls(2);  // wakes the clocks
            const double first = run_calls(3);
            run_calls(int(std::min(1000.0, batch / first)) + 1);
            calls_ = std::max(1, int(std::min(5000.0, batch / run_calls(3))));
        }
        return run_calls(calls_);
    }

private:
    Runtime runtime_;
    Arguments arguments_;
    Pipeline pipeline_;
    const halide_device_interface_t *device_;
    Tolerance tolerance_;
    std::vector<AnyBuffer> references_;
    int calls_ = 0;

    double run_calls(int count) {
        synchronise();
        const Clock::time_point start = Clock::now();
        for (int i = 0; i < count; i++) {
            call(pipeline_, arguments_);
        }
        synchronise();
        return milliseconds_since(start) / count;
    }

    void synchronise() {
        if (device_) {
            arguments_.outputs().at(0)->device_sync();
        }
    }
};

/// A function of the app's reference object.
template<typename Function>
Function *reference_function(void *object, const char *name) {
    void *const symbol = dlsym(object, name);
    if (!symbol) {
        throw std::runtime_error(dlerror());
    }
    return reinterpret_cast<Function *>(symbol);
}

Tolerance run_plain_reference(const Job &job, Arguments &arguments) {
    void *const object = dlopen(shared_object(job.options.bundle, job.app.name, "reference").c_str(), RTLD_NOW);
    if (!object) {
        throw std::runtime_error(dlerror());
    }
    reference_function<void(void **)>(object, "warptile_reference")(arguments.argv());
    return {reference_function<double()>(object, "warptile_relative_tolerance")(),
            reference_function<double()>(object, "warptile_integer_step")()};
}

}  // namespace

void compute_reference(const Job &job, const Reply &reply) {
    const Runtime runtime(fs::absolute(job.options.bundle) / "pipelines/runtime.so");
    Arguments arguments(shapes_of(job), job.options.picture);
    Tolerance tolerance;
    if (job.app.has_reference) {
        tolerance = run_plain_reference(job, arguments);
    } else {
        call(load_pipeline(shared_object(job.options.bundle, job.app.name, "none")), arguments);
    }
    write_outputs(arguments, job.reference);
    reply(nlohmann::json{{"relative", tolerance.relative}, {"integer_step", tolerance.integer_step}}.dump());
}

void measure(const Job &job, const NextRequest &next, const Reply &reply) {
    const std::optional<std::string> first = next();
    if (!first) {
        return;
    }
    const nlohmann::json told = nlohmann::json::parse(*first);
    Subject subject(job, {told.at("relative"), told.at("integer_step")});
    reply(subject.check());
    while (const std::optional<std::string> request = next()) {
        if (request->rfind("time", 0) == 0) {
            reply(std::to_string(subject.time(job.options.batch_milliseconds)));
        } else {
            reply(subject.check());
        }
    }
}

}  // namespace warptile::bench
