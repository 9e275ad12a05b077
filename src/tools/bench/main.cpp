// warptile-bench: builds pipelines under several schedulers into a bundle, runs a bundle, and shows what a run found.
//
//     warptile-bench build BUNDLE --apps blur,harris            here; Halide and the schedulers are needed
//     make -C BUNDLE -j && BUNDLE/warptile-bench run BUNDLE --json results.json      there; g++ and a driver are
//     warptile-bench report results.json
#include "tools/bench/bundle.h"
#include "tools/bench/runner.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

namespace warptile::bench {
namespace {

struct BuildRequest {
    BuildOptions options;
    std::vector<std::string> variants{"expert", "none", "WarpTile", "Li2018", "Anderson2021"};
    std::vector<std::string> plugin_folders;
    std::string gpu = "h100";
};

/// The folder that this program was started from.
fs::path program_folder() { return fs::read_symlink("/proc/self/exe").parent_path(); }

/// The first of `candidates` that holds `file`; empty where none does.
fs::path folder_with(const std::vector<fs::path> &candidates, const fs::path &file) {
    for (const fs::path &candidate : candidates) {
        if (fs::exists(candidate / file)) {
            return candidate;
        }
    }
    return {};
}

/// Halide's prefix in the virtual environment of `source`, or of the system.
fs::path find_halide(const fs::path &source) {
    std::vector<fs::path> candidates;
    if (fs::exists(source / ".venv/lib")) {
        for (const fs::directory_entry &python : fs::directory_iterator(source / ".venv/lib")) {
            candidates.push_back(python.path() / "site-packages/halide");
        }
    }
    candidates.insert(candidates.end(), {"/usr/local", "/usr"});
    return folder_with(candidates, "include/HalideRuntime.h");
}

/// A scheduler's plugin by the ecosystem's rule: libautoschedule_NAME.so, in lower case.
std::string plugin_of(const BuildRequest &request, const std::string &scheduler) {
    std::string name = scheduler;
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    const std::string file = "libautoschedule_" + name + ".so";
    std::vector<fs::path> folders(request.plugin_folders.begin(), request.plugin_folders.end());
    folders.insert(folders.end(),
                   {program_folder() / "../lib", request.options.halide / "lib64", request.options.halide / "lib"});
    const fs::path folder = folder_with(folders, file);
    return folder.empty() ? file : fs::canonical(folder / file).string();
}

/// "NAME" is `expert`, `none` or a scheduler; "NAME=ARGUMENTS" gives the generator's arguments itself.
VariantSpec variant_spec(const BuildRequest &request, const std::string &text) {
    const size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const bool is_identifier = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
        return std::isalnum(c) || c == '_';
    });
    if (!is_identifier || name == "reference") {
        throw std::invalid_argument("'" + name + "' cannot name a variant: use letters, digits and underscores");
    }
    if (equals != std::string::npos) {
        VariantSpec spec{name, {}, false};
        std::istringstream words(text.substr(equals + 1));
        for (std::string word; words >> word;) {
            spec.arguments.push_back(word);
        }
        return spec;
    }
    if (name == "expert" || name == "none") {
        return {name, {"schedule=" + name}, name == "none"};
    }
    VariantSpec spec{name, {"-p", plugin_of(request, name), "autoscheduler=" + name}, false};
    if (name == "WarpTile") {
        spec.arguments.push_back("autoscheduler.gpu=" + request.gpu);
    }
    return spec;
}

void add_build(CLI::App &program, BuildRequest &request) {
    BuildOptions &options = request.options;
    CLI::App &build = *program.add_subcommand("build", "Compile apps under each scheduler into a bundle");
    build.add_option("bundle", options.bundle, "The folder to make or to add to")->required();
    build.add_option("--apps", options.apps, "Apps: APP.generator is run for each (default: all in the folder)")
        ->delimiter(',');
    build
        .add_option("--variants", request.variants,
                    "expert, none, a scheduler's name, or NAME=ARGUMENTS for the generator")
        ->delimiter(',')
        ->capture_default_str();
    build.add_option("--generators", options.generators, "The folder of the generators (default: this program's)");
    build.add_option("--plugins", request.plugin_folders, "Folders of schedulers' plugins, looked in first")
        ->delimiter(',');
    build.add_option("--parameter", options.parameters, "For every generator, such as width=4256")->delimiter(',');
    build.add_option("--target", options.target, "Halide target")->capture_default_str();
    build.add_option("--gpu", request.gpu, "WarpTile's autoscheduler.gpu")->capture_default_str();
    build.add_option("--source", options.source, "This project's sources (default: above this program's folder)");
    build.add_option("--halide", options.halide, "Halide's prefix (default: the project's .venv, or the system's)");
    build.add_option("--timeout", options.timeout, "Seconds for each variant")->capture_default_str();
    build.add_option("--jobs", options.jobs, "Variants built at once")->capture_default_str();
    build.callback([&request] {
        BuildOptions &options = request.options;
        options.generators = options.generators.empty() ? program_folder() : options.generators;
        options.source = options.source.empty() ? program_folder() / "../.." : options.source;
        options.halide = options.halide.empty() ? find_halide(options.source) : options.halide;
        if (options.apps.empty() && fs::is_directory(options.generators)) {
            for (const fs::directory_entry &file : fs::directory_iterator(options.generators)) {
                if (file.path().extension() == ".generator") {
                    options.apps.push_back(file.path().stem());
                }
            }
            std::sort(options.apps.begin(), options.apps.end());
        }
        if (options.apps.empty()) {
            throw std::invalid_argument("no *.generator in '" + options.generators.string() +
                                        "': name the folder with --generators");
        }
        for (const std::string &variant : request.variants) {
            options.variants.push_back(variant_spec(request, variant));
        }
        for (const BuiltApp &app : build_bundle(options).apps) {
            for (const BuiltVariant &variant : app.variants) {
                std::printf("%-20s %-16s %7.1f s  %s\n", app.name.c_str(), variant.name.c_str(), variant.build_seconds,
                            variant.error.c_str());
            }
        }
    });
}

void add_run(CLI::App &program, RunOptions &options, std::string &json_file) {
    CLI::App &run = *program.add_subcommand("run", "Run a bundle's pipelines: compare their results and time them");
    run.add_option("bundle", options.bundle, "The bundle, after make")->required();
    run.add_option("--apps", options.apps, "Apps (default: all)")->delimiter(',');
    run.add_option("--variants", options.variants, "Variants (default: all)")->delimiter(',');
    run.add_option("--size", options.size, "The output's size, WIDTHxHEIGHT (default: the estimates)");
    run.add_option("--picture", options.picture, "A picture for the inputs (default: a made-up one)");
    run.add_option("--rounds", options.rounds, "Timed batches of each variant; 0 compares only")->capture_default_str();
    run.add_option("--batch", options.batch_milliseconds, "Milliseconds of a batch")->capture_default_str();
    run.add_option("--timeout", options.timeout, "Seconds for each step of a variant")->capture_default_str();
    run.add_option("--json", json_file, "Write the results here as JSON");
    run.callback([&] {
        const Results results = run_bundle(options);
        if (!json_file.empty()) {
            std::ofstream(json_file) << to_json(results).dump(1) << "\n";
        }
        std::cout << to_markdown(results);
    });
}

void add_report(CLI::App &program, std::vector<std::string> &files) {
    CLI::App &report = *program.add_subcommand("report", "Print the JSON of earlier runs as Markdown tables");
    report.add_option("json", files, "Files written by run --json")->required()->check(CLI::ExistingFile);
    report.callback([&] {
        for (const std::string &file : files) {
            std::ifstream stream(file);
            try {
                std::cout << to_markdown(results_from_json(nlohmann::json::parse(stream))) << "\n";
            } catch (const nlohmann::json::exception &error) {
                throw std::invalid_argument("'" + file + "' was not written by run --json: " + error.what());
            }
        }
    });
}

int bench(int argc, char **argv) {
    CLI::App program("Builds pipelines under several schedulers, runs them side by side, and reports.");
    program.require_subcommand(1);
    BuildRequest build;
    RunOptions run;
    std::string json_file;
    std::vector<std::string> reports;
    add_build(program, build);
    add_run(program, run, json_file);
    add_report(program, reports);
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return program.exit(error);
    } catch (const std::exception &error) {
        std::cerr << argv[0] << ": error: " << error.what() << "\n";
        return 1;
    }
    return 0;
}

}  // namespace
}  // namespace warptile::bench

int main(int argc, char **argv) { return warptile::bench::bench(argc, argv); }
