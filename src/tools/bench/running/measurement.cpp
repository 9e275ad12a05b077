// The measurement of one variant. Its data stay on the device: inputs are copied there once, and the calls of a batch
// go to the device back to back, with one synchronisation at the end. Outputs start out as all ones, on the device
// too, so that a pixel that a schedule forgets is seen; and what a pipeline writes where it must not is seen as well.
#include "tools/bench/running/measurement.h"

#include "tools/bench/running/agreement.h"
#include "tools/bench/running/arguments.h"
#include "tools/bench/running/needed_inputs.h"
#include "tools/bench/running/pipeline.h"

#include <algorithm>
#include <chrono>
#include <dlfcn.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace warptile::bench {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// The variants that were built, that of the job first, so that a worker opens no other's object without need.
std::vector<BuiltVariant> built_variants(const Job &job) {
    std::vector<BuiltVariant> built = job.app.variants;
    if (job.app.plain) {
        built.insert(built.begin(), *job.app.plain);
    }
    built.erase(std::remove_if(built.begin(), built.end(), [](const BuiltVariant &v) { return !v.error.empty(); }),
                built.end());
    std::stable_partition(built.begin(), built.end(), [&](const BuiltVariant &v) { return v.name == job.variant; });
    return built;
}

/// Makes the buffers as the unscheduled pipeline says it needs them; where that cannot be asked, since it calls a
/// function that is not there or was compiled without its answer, the estimates must do.
void fit_where_known(const Job &job, std::vector<ArgumentShape> &shapes) {
    if (!job.app.plain || !job.app.plain->error.empty()) {
        return;
    }
    std::optional<Pipeline> plain;
    try {
        plain = load_pipeline(shared_object(job.options.bundle, job.app, job.app.plain->name));
    } catch (const std::runtime_error &) {
        return;
    }
    if (std::string(plain->metadata->target).find("no_bounds_query") == std::string::npos) {
        fit_to(shapes, *plain);
    }
}

/// The shapes of the app's arguments, from the first variant that has an estimate for each. Where there is an
/// unscheduled pipeline, it says how much of the inputs is needed: estimates may be careless, and no other schedule may
/// need more.
std::vector<ArgumentShape> shapes_of(const Job &job) {
    const std::optional<Size> size =
        job.options.size.empty() ? std::nullopt : std::optional<Size>(parse_size(job.options.size));
    std::string problem = "no variant of it was built";
    for (const BuiltVariant &variant : built_variants(job)) {
        try {
            const Pipeline pipeline = load_pipeline(shared_object(job.options.bundle, job.app, variant.name));
            std::vector<ArgumentShape> shapes = shapes_from_estimates(*pipeline.metadata, size);
            fit_where_known(job, shapes);
            return shapes;
        } catch (const std::exception &error) {
            problem = error.what();
        }
    }
    throw std::runtime_error(problem);
}

Runtime runtime_of(const Job &job) {
    return {fs::absolute(job.options.bundle) / "pipelines/runtime.so", job.options.keeps_memory};
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

/// What `write_outputs` wrote, in buffers shaped as the outputs; nothing where there is no path.
std::vector<AnyBuffer> read_outputs(Arguments &arguments, const fs::path &path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<AnyBuffer> references;
    if (path.empty()) {
        return references;
    }
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

std::vector<const AnyBuffer *> outputs_of(Arguments &arguments) {
    const std::vector<AnyBuffer *> outputs = arguments.outputs();
    return {outputs.begin(), outputs.end()};
}

/// The worst agreement of all outputs.
Agreement compare_all(const std::vector<const AnyBuffer *> &outputs, const std::vector<AnyBuffer> &references,
                      const Tolerance &tolerance) {
    Agreement worst;
    worst.agrees = true;
    for (size_t i = 0; i < outputs.size(); i++) {
        const Agreement agreement = compare(*outputs[i], references[i], tolerance);
        const bool worse = worst.agrees && !agreement.agrees;
        if (worse || (worst.agrees && agreement.largest_difference >= worst.largest_difference)) {
            worst = agreement;
        }
    }
    return worst;
}

/// One variant with its data in place.
class Subject {
public:
    Subject(const Job &job, const Tolerance &tolerance)
        : runtime_(runtime_of(job)), arguments_(shapes_of(job), job.options.picture),
          pipeline_(load_pipeline(shared_object(job.options.bundle, job.app, job.variant))),
          device_(runtime_.device_interface(pipeline_.metadata->target)), tolerance_(tolerance),
          references_(read_outputs(arguments_, job.reference)) {
        if (device_) {
            arguments_.to_device(runtime_, device_);
        }
        call(pipeline_, arguments_);
        on_device_ = device_ && !arguments_.outputs().at(0)->host_dirty();
    }

    /// The agreement of the outputs as they are now, as a reply.
    std::string check() {
        const std::string damage = arguments_.to_host();
        const bool alone = references_.empty();
        const Agreement worst = alone ? Agreement() : compare_all(outputs_of(arguments_), references_, tolerance_);
        const std::string wrong = alone ? "there is nothing to compare it with" : to_string(worst);
        return nlohmann::json{{"agrees", !alone && worst.agrees && damage.empty()},
                              {"largest_difference", worst.largest_difference},
                              {"largest_magnitude", worst.largest_magnitude},
                              {"wrong", damage + (damage.empty() || wrong.empty() ? "" : "; ") + wrong},
                              {"on_device", on_device_}}
            .dump();
    }

    /// Writes the outputs as they are now. Throws `std::runtime_error` where the variant wrote where it may not.
    void write(const fs::path &path) {
        const std::string damage = arguments_.to_host();
        if (!damage.empty()) {
            throw std::runtime_error("it " + damage);
        }
        write_outputs(arguments_, path);
    }

    /// Milliseconds of a call, over as many as fill `batch` milliseconds.
    double time(double batch) {
        if (calls_ == 0) {
            const double first = run_calls(1);
            // The second estimate is made when the clocks are up.
            calls_ = first >= batch ? 1 : calls_for(batch, run_calls(calls_for(batch, first)));
        }
        run_calls(std::min(calls_, 3));  // the card was another variant's
        return run_calls(calls_);
    }

private:
    Runtime runtime_;
    Arguments arguments_;
    Pipeline pipeline_;
    const halide_device_interface_t *device_;
    Tolerance tolerance_;
    std::vector<AnyBuffer> references_;
    bool on_device_ = false;
    int calls_ = 0;

    static int calls_for(double batch, double milliseconds) {
        return int(std::clamp(batch / milliseconds, 1.0, 5000.0));
    }

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
        if (on_device_) {
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
    void *const object = dlopen(reference_object(job.options.bundle, job.app).c_str(), RTLD_NOW);
    if (!object) {
        throw std::runtime_error(dlerror());
    }
    reference_function<void(void **)>(object, "warptile_reference")(arguments.argv());
    return {reference_function<double()>(object, "warptile_relative_tolerance")(),
            reference_function<double()>(object, "warptile_integer_step")()};
}

/// Of the unscheduled pipeline, which adds up one term after the other: at most all its operations are one output's.
Tolerance sequential_tolerance(const Job &job, Arguments &arguments) {
    double values = 0;
    for (const AnyBuffer *output : arguments.outputs()) {
        values += double(output->number_of_elements());
    }
    Tolerance tolerance = job.options.tolerance;
    tolerance.relative =
        std::max(tolerance.relative, rounding_of_sums(job.app.counters.operations / std::max(values, 1.0)));
    return tolerance;
}

}  // namespace

void compute_reference(const Job &job, const Reply &reply) {
    runtime_of(job);  // it stays loaded
    Arguments arguments(shapes_of(job), job.options.picture);
    Tolerance tolerance = sequential_tolerance(job, arguments);
    if (job.app.has_reference) {
        tolerance = run_plain_reference(job, arguments);
    } else if (!job.app.plain || !job.app.plain->error.empty()) {
        throw std::runtime_error("the unscheduled pipeline was not built" +
                                 (job.app.plain ? ": " + job.app.plain->error : std::string()));
    } else {
        call(load_pipeline(shared_object(job.options.bundle, job.app, job.app.plain->name)), arguments);
    }
    const std::string damage = arguments.to_host();
    if (!damage.empty()) {
        throw std::runtime_error("it " + damage);
    }
    write_outputs(arguments, job.reference);
    reply(nlohmann::json{{"relative", tolerance.relative}, {"integer_step", tolerance.integer_step}}.dump());
}

void write_results(const Job &job, const Reply &reply) {
    const Job alone{job.options, job.app, job.variant, {}};
    Subject(alone, job.options.tolerance).write(job.reference);
    reply("written");
}

std::vector<int> agreeing_results(const Job &job, const std::vector<fs::path> &files, const Tolerance &tolerance) {
    runtime_of(job);  // it stays loaded
    Arguments arguments(shapes_of(job), job.options.picture);
    std::vector<std::vector<AnyBuffer>> results;
    for (const fs::path &file : files) {
        results.push_back(read_outputs(arguments, file));
    }
    std::vector<int> agreeing(files.size(), 1);
    for (size_t i = 0; i < files.size(); i++) {
        std::vector<const AnyBuffer *> outputs;
        for (const AnyBuffer &output : results[i]) {
            outputs.push_back(&output);
        }
        for (size_t other = 0; other < files.size(); other++) {
            agreeing[i] += other != i && compare_all(outputs, results[other], tolerance).agrees;
        }
    }
    return agreeing;
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
