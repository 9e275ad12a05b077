// warptile-bench build: what a user names becomes generators, variants and sizes; then the bundle is built.
#include "tools/bench/building/assembly.h"
#include "tools/bench/building/bundle.h"
#include "tools/bench/building/estimates.h"
#include "tools/bench/commands.h"
#include "tools/bench/running/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <sstream>
#include <stdexcept>

namespace warptile::bench {
namespace {

constexpr double kMegabyte = 1e6;

/// The folder that this program was started from.
fs::path program_folder() { return fs::read_symlink("/proc/self/exe").parent_path(); }

/// Halide's prefix in the virtual environment of `source`, or of the system.
fs::path find_halide(const fs::path &source) {
    std::vector<fs::path> candidates;
    if (fs::exists(source / ".venv/lib")) {
        for (const fs::directory_entry &python : fs::directory_iterator(source / ".venv/lib")) {
            candidates.push_back(python.path() / "site-packages/halide");
        }
    }
    candidates.insert(candidates.end(), {"/usr/local", "/usr"});
    for (const fs::path &candidate : candidates) {
        if (fs::exists(candidate / "include/HalideRuntime.h")) {
            return candidate;
        }
    }
    return {};
}

/// Splits at commas.
std::vector<std::string> split(const std::vector<std::string> &texts) {
    std::vector<std::string> parts;
    for (const std::string &text : texts) {
        std::istringstream stream(text);
        for (std::string part; std::getline(stream, part, ',');) {
            parts.push_back(part);
        }
    }
    return parts;
}

class BuildCommand : public Command {
public:
    explicit BuildCommand(CLI::App &program) {
        CLI::App &build = *program.add_subcommand("build", "Compile pipelines under each scheduler into a bundle");
        parsed = &build;
        build.add_option("bundle", options_.bundle, "The folder to make or to add to")->required();
        build
            .add_option("--generators", generators_,
                        "Generators: programs, folders of NAME.generator, or a FILE.list of apps (default: this "
                        "project's apps)")
            ->delimiter(',');
        build.add_option("--apps", apps_, "Of these, the ones to build (default: all)")->delimiter(',');
        build
            .add_option("--estimate", estimates_,
                        "[APP:] NAME=EXTENT,EXTENT or NAME=MIN,EXTENT,MIN,EXTENT of an image, NAME=VALUE of a scalar, "
                        "or a file of them, one a line")
            ->allow_extra_args(false);
        build.add_flag("--forget-schedules", forget_schedules_,
                       "For autoschedulers, undo what a generator schedules itself also under one");
        build.add_option("--variants,--schedulers", variants_,
                         "expert, none, a scheduler's name, FILE.so [KEY=VALUE ...], or NAME=ARGUMENTS; commas between "
                         "them, or the option again for each");
        build.add_option("--sizes", sizes_, "Sizes to compile for, WIDTHxHEIGHT; 'default' is the generator's own")
            ->delimiter(',');
        build.add_option("--size-parameters", options_.size_parameters, "The generator parameters of a size")
            ->delimiter(',')
            ->expected(2)
            ->capture_default_str();
        build.add_option("--parameter", options_.parameters, "For every generator, such as quality=3")->delimiter(',');
        build.add_option("--target", options_.target, "Halide target")->capture_default_str();
        build.add_option("--gpu", gpu_, "The card to schedule for, as weights/ calls it")->capture_default_str();
        build.add_option("--plugins", plugin_folders_, "Folders of schedulers' plugins, looked in first")
            ->delimiter(',');
        build.add_option("--references", options_.references,
                         "A folder of plain C++ references, NAME/reference.h (default: this project's, for its apps)");
        build.add_option("--source", options_.source, "This project's sources (default: above this program's folder)");
        build.add_option("--halide", options_.halide,
                         "Halide's prefix (default: the project's .venv, or the system's)");
        build.add_flag("--once", options_.once,
                       "Leave out a variant whose device code is that of one before it, and say so");
        build.add_option("--timeout", options_.timeout, "Seconds for each variant")->capture_default_str();
        build.add_option("--jobs", options_.jobs, "Variants built at once")->capture_default_str();
        build.add_option("--limit", megabytes_, "Complain where the bundle is larger, in MB")->capture_default_str();
    }

    int run() override {
        complete();
        const Manifest manifest = build_bundle(options_);
        int built = 0, failed = 0;
        for (const BuiltApp &app : manifest.apps) {
            for (const BuiltVariant &variant : app.variants) {
                built++;
                if (!variant.error.empty()) {
                    failed++;
                    std::printf("%-26s %-14s %7.1f s  FAILED: %s\n", app.title().c_str(), variant.name.c_str(),
                                variant.build_seconds, variant.error.c_str());
                }
            }
        }
        const double size = double(size_of(options_.bundle)) / kMegabyte;
        std::printf("%s: %d pipelines, %d of them failed, %.1f MB\n", options_.bundle.c_str(), built, failed, size);
        if (size > megabytes_) {
            std::printf("That is more than %.0f MB: build fewer apps, sizes or variants into one bundle.\n",
                        megabytes_);
            return 1;
        }
        return 0;
    }

private:
    BuildOptions options_;
    std::vector<fs::path> generators_;
    std::vector<std::string> apps_, plugin_folders_, sizes_;
    std::vector<std::string> variants_, estimates_;
    bool forget_schedules_ = false;
    std::string gpu_ = "h100";
    double megabytes_ = 64;

    /// Fills in what was not said, and turns names into what they stand for.
    void complete() {
        options_.jobs = std::max(options_.jobs, 1U);
        options_.source = options_.source.empty() ? program_folder() / "../.." : options_.source;
        options_.halide = options_.halide.empty() ? find_halide(options_.source) : options_.halide;
        if (generators_.empty()) {
            generators_ = {program_folder()};
            options_.references = options_.references.empty() ? options_.source / "apps" : options_.references;
        }
        options_.generators = find_generators(generators_, apps_);
        give_estimates(options_.generators, estimates_);
        for (GeneratorSource &source : options_.generators) {
            if (forget_schedules_) {
                source.arguments.insert(source.arguments.end(), {"--schedule", "forget"});
            }
        }
        if (!sizes_.empty()) {
            options_.sizes.clear();
            for (const std::string &size : sizes_) {
                const bool own = size == "default";
                if (!own) {
                    parse_size(size);  // complains where it is none
                }
                options_.sizes.push_back(own ? "" : size);
            }
        }
        options_.assembler = find_assembler(options_.source);
        options_.architecture = architecture_of(gpu_, options_.source / "weights");
        choose_variants();
    }

    void choose_variants() {
        SchedulerOptions schedulers;
        schedulers.plugin_folders.assign(plugin_folders_.begin(), plugin_folders_.end());
        for (const fs::path &folder :
             {program_folder() / "../lib", options_.halide / "lib64", options_.halide / "lib"}) {
            schedulers.plugin_folders.push_back(folder);
        }
        schedulers.gpu = gpu_;
        schedulers.weights = options_.source / "weights";
        schedulers.any_generator = options_.generators.at(0);
        options_.plain = variant_spec("none", schedulers);
        const std::vector<std::string> names =
            variants_.empty()
                ? std::vector<std::string>{"expert", "WarpTile", "Anderson2021", "Li2018", "Mullapudi2016"}
                : split(variants_);
        for (const std::string &name : names) {
            const VariantSpec spec = variant_spec(name, schedulers);
            for (const VariantSpec &other : options_.variants) {
                if (other.name == spec.name) {
                    throw std::invalid_argument("two variants are called '" + spec.name +
                                                "'; name one of them yourself: NAME=ARGUMENTS");
                }
            }
            options_.variants.push_back(spec);
        }
    }
};

}  // namespace

std::unique_ptr<Command> add_build(CLI::App &program) { return std::make_unique<BuildCommand>(program); }

}  // namespace warptile::bench
