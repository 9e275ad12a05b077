// Building a bundle. Each app at each size is counted first, which also tells whether its generator works at all; then
// every variant is one run of the generator, several at once.
#include "tools/bench/building/bundle.h"

#include "tools/bench/building/bundle_files.h"
#include "tools/bench/process.h"
#include "tools/bench/progress.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <thread>

namespace warptile::bench {
namespace {

constexpr double kReferenceTimeoutS = 600;

/// An app at a size, while it is built.
struct Subject {
    const GeneratorSource *source;
    std::string size;
    CompileOptions options;
    Counted counted;
    bool has_reference = false;
};

/// One run of a generator.
struct Job {
    const Subject *subject;
    const VariantSpec *spec;
    bool is_plain;  // the reference, no row of its own
    BuiltVariant built;
};

/// Calls `work(i)` for all i below `count`, `jobs` of them at once.
void in_parallel(size_t count, unsigned jobs, const std::function<void(size_t)> &work) {
    std::atomic<size_t> next{0};
    std::vector<std::thread> threads;
    for (unsigned j = 0; j < std::max(1U, jobs); j++) {
        threads.emplace_back([&] {
            for (size_t i = next++; i < count; i = next++) {
                work(i);
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
}

void build_runtime(const BuildOptions &options) {
    const fs::path folder = options.bundle / "pipelines";
    for (const char *const file : {"runtime.o.gz", "runtime.o", "runtime.so"}) {
        fs::remove(folder / file);
    }
    for (const std::vector<std::string> &command :
         {std::vector<std::string>{options.generators.at(0).program, "-r", "runtime", "-e", "object", "-o", folder,
                                   "target=" + options.target},
          std::vector<std::string>{"gzip", "-9nf", folder / "runtime.o"}}) {
        const CommandResult result = run_command(command, options.timeout);
        if (!result.succeeded) {
            throw std::runtime_error("cannot make the runtime: " + result.error);
        }
    }
}

CompileOptions compile_options(const BuildOptions &options, const std::string &size) {
    CompileOptions compile{
        options.bundle / "pipelines", options.target, options.parameters, options.timeout, options.assembler,
        options.architecture,         options.once};
    if (!size.empty()) {
        const size_t cross = size.find('x');
        compile.parameters.push_back(options.size_parameters.at(0) + "=" + size.substr(0, cross));
        compile.parameters.push_back(options.size_parameters.at(1) + "=" + size.substr(cross + 1));
    }
    return compile;
}

/// Throws `std::runtime_error` where the generator cannot take an argument that was meant for the generator main.
void check_arguments(const Subject &subject) {
    const std::string &error = subject.counted.error;
    const std::string title = subject.source->name + ": ";
    if (error.find("Unknown flag: --") == 0) {
        throw std::runtime_error(title + "the program has Halide's own generator main, which takes no estimates and "
                                         "forgets no schedules: link it with WarpTile::generator_main");
    }
    if (error.find("an estimate was given of") == 0 || error.find("the estimate of") == 0) {
        throw std::runtime_error(title + error);
    }
}

/// Every app at every size that it has, counted.
std::vector<Subject> count_all(const BuildOptions &options) {
    std::vector<Subject> subjects;
    for (const GeneratorSource &source : options.generators) {
        for (const std::string &size : options.sizes) {
            subjects.push_back({&source, size, compile_options(options, size), {}, false});
        }
    }
    Progress progress(int(subjects.size()));
    in_parallel(subjects.size(), options.jobs, [&](size_t i) {
        Subject &subject = subjects[i];
        subject.counted = count_pipeline(*subject.source, options.plain, subject.options);
        progress.done("counted " + subject.source->name + " " + subject.size);
    });
    const auto lacks_size = [](const Subject &subject) {
        return !subject.size.empty() && subject.counted.no_such_parameter;
    };
    for (Subject &subject : subjects) {
        check_arguments(subject);
        const std::string title = subject.source->name + (subject.size.empty() ? "" : " " + subject.size);
        if (lacks_size(subject)) {
            std::fprintf(stderr, "%s: left out, the generator has no parameters for a size\n", title.c_str());
        } else if (!subject.counted.error.empty()) {
            std::fprintf(stderr, "%s: not counted: %s\n", title.c_str(), subject.counted.error.c_str());
        }
        subject.has_reference = copy_reference(options, subject.source->name);
    }
    subjects.erase(std::remove_if(subjects.begin(), subjects.end(), lacks_size), subjects.end());
    return subjects;
}

std::string symbol_of(const Subject &subject, const VariantSpec &spec) {
    BuiltApp app;
    app.name = subject.source->name;
    app.size = subject.size;
    return app.symbol() + "__" + spec.name;
}

void run(Job &job) {
    const Subject &subject = *job.subject;
    const std::string symbol = symbol_of(subject, *job.spec);
    CompileOptions options = subject.options;
    if (job.is_plain) {  // a limit is for schedulers; without the reference there is nothing to compare with
        options.timeout = std::max(options.timeout, kReferenceTimeoutS);
    }
    job.built = compile(*subject.source, symbol, *job.spec, options, subject.counted);
    if (!job.built.error.empty() && job.spec->on_host) {
        // A generator that is scheduled by hand under any autoscheduler: on the host that schedule is the reference.
        const BuiltVariant by_hand =
            compile(*subject.source, symbol, {job.spec->name, {}, true}, options, subject.counted);
        job.built = by_hand.error.empty() ? by_hand : job.built;
    }
}

std::vector<Job> jobs_for(const BuildOptions &options, const std::vector<Subject> &subjects) {
    std::vector<Job> jobs;
    for (const Subject &subject : subjects) {
        bool has_plain = subject.has_reference;
        for (const VariantSpec &spec : options.variants) {
            jobs.push_back({&subject, &spec, false, {}});
            has_plain = has_plain || spec.name == options.plain.name;
        }
        if (!has_plain) {
            jobs.push_back({&subject, &options.plain, true, {}});
        }
    }
    return jobs;
}

/// Puts `built` in the place of the app's variant of that name, or at the end.
void keep(BuiltApp &app, const BuiltVariant &built) {
    for (BuiltVariant &variant : app.variants) {
        if (variant.name == built.name) {
            variant = built;
            return;
        }
    }
    app.variants.push_back(built);
}

void keep_all(Manifest &manifest, const std::vector<Subject> &subjects, const std::vector<Job> &jobs,
              const BuildOptions &options) {
    for (const Subject &subject : subjects) {
        BuiltApp &app = manifest.app(subject.source->name, subject.size);
        app.has_reference = subject.has_reference;
        app.counters = subject.counted.counters;
    }
    for (const Job &job : jobs) {
        BuiltApp &app = manifest.app(job.subject->source->name, job.subject->size);
        if (!job.is_plain) {
            keep(app, job.built);
        }
        if (job.spec->name == options.plain.name) {
            app.plain = job.built;
        }
    }
}

/// Leaves out the jobs whose device code is that of one before them, of the same app at the same size.
void drop_repeated(std::vector<Job> &jobs, const fs::path &folder) {
    std::vector<Job> once;
    for (Job &job : jobs) {
        const auto same = std::find_if(once.begin(), once.end(), [&](const Job &other) {
            return other.subject == job.subject && !job.built.device_code.empty() &&
                   other.built.device_code == job.built.device_code;
        });
        if (same == once.end() || job.is_plain) {
            once.push_back(std::move(job));
            continue;
        }
        const std::string symbol = symbol_of(*job.subject, *job.spec);
        std::printf("%s: left out, its code is that of %s\n", symbol.c_str(), same->spec->name.c_str());
        for (const char *const ending : {".o.gz", ".registration.cpp"}) {
            fs::remove(folder / (symbol + ending));
        }
    }
    jobs = std::move(once);
}

}  // namespace

Manifest build_bundle(const BuildOptions &options) {
    fs::create_directories(options.bundle / "pipelines");
    Manifest manifest = has_manifest(options.bundle) ? read_manifest(options.bundle) : Manifest();
    copy_sources(options);
    build_runtime(options);
    const std::vector<Subject> subjects = count_all(options);
    std::vector<Job> jobs = jobs_for(options, subjects);
    Progress progress(int(jobs.size()));
    in_parallel(jobs.size(), options.jobs, [&](size_t i) {
        run(jobs[i]);
        const BuiltVariant &built = jobs[i].built;
        char seconds[32];
        std::snprintf(seconds, sizeof seconds, " %.1f s ", built.build_seconds);
        progress.done(symbol_of(*jobs[i].subject, *jobs[i].spec) + seconds +
                      (built.error.empty() ? "" : "FAILED: " + built.error));
    });
    drop_repeated(jobs, options.bundle / "pipelines");
    keep_all(manifest, subjects, jobs, options);
    write_manifest(manifest, options.bundle);
    return manifest;
}

uintmax_t size_of(const fs::path &folder) {
    uintmax_t bytes = 0;
    for (const fs::directory_entry &file : fs::recursive_directory_iterator(folder)) {
        bytes += file.is_regular_file() ? file.file_size() : 0;
    }
    return bytes;
}

}  // namespace warptile::bench
