// Building a bundle. Every variant is one run of the app's generator, in a process with a time limit, several at once.
// Objects are compiled without a runtime, which the bundle has once, as a shared object of its own.
#include "tools/bench/bundle.h"

#include "tools/bench/process.h"

#include <atomic>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace warptile::bench {
namespace {

const char *const makefile =
    R"(# Builds the bench and the pipelines of this bundle. Needs g++ 11 or later and make; the CUDA driver is found at run
# time by Halide's runtime.
CXX ?= g++
CXXFLAGS ?= -O2
flags := -std=c++17 $(CXXFLAGS) -fPIC -I. -Isrc -Iinclude -DWARPTILE_NO_IMAGE_LIBRARIES
objects := $(patsubst %.cpp,%.o,$(wildcard src/tools/bench/*.cpp))
variants := $(patsubst %.registration.cpp,%.so,$(wildcard pipelines/*.registration.cpp))
references := $(patsubst %.cpp,%.so,$(wildcard pipelines/*__reference.cpp))

all: warptile-bench pipelines
pipelines: pipelines/runtime.so $(variants) $(references)
.PHONY: all pipelines

warptile-bench: $(objects)
	$(CXX) -rdynamic $^ -o $@ -ldl -lpthread
src/%.o: src/%.cpp
	$(CXX) $(flags) -c $< -o $@
pipelines/runtime.so: pipelines/runtime.o
	$(CXX) -shared $< -o $@ -ldl -lpthread
pipelines/%__reference.so: pipelines/%__reference.cpp
	$(CXX) $(flags) -shared $< -o $@
pipelines/%.so: pipelines/%.registration.cpp pipelines/%.o
	$(CXX) $(flags) -shared $^ -o $@
)";

void write_file(const fs::path &path, const std::string &text) {
    std::ofstream(path) << text;
    if (!fs::exists(path)) {
        throw std::runtime_error("cannot write " + path.string());
    }
}

void copy_into(const fs::path &from, const fs::path &to) {
    if (!fs::exists(from)) {
        throw std::runtime_error("the bundle needs " + from.string() + ", which is not there");
    }
    fs::create_directories(to.parent_path());
    fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
}

/// Where the headers of `library` are, of those places where a system or this project's own set-up puts them.
fs::path system_headers(const std::string &library) {
    for (const char *const prefix : {"/usr/include", "/usr/local/include"}) {
        if (fs::exists(fs::path(prefix) / library)) {
            return fs::path(prefix) / library;
        }
    }
    throw std::runtime_error("the bundle needs the headers of " + library + ", which are not in /usr/include");
}

void copy_sources(const BuildOptions &options) {
    const fs::path include = options.bundle / "include";
    copy_into(options.source / "src/tools/bench", options.bundle / "src/tools/bench");
    for (const char *const header : {"HalideRuntime.h", "HalideBuffer.h"}) {
        copy_into(options.halide / "include" / header, include / header);
    }
    copy_into(options.halide / "share/tools/halide_image_io.h", include / "halide_image_io.h");
    for (const char *const library : {"nlohmann", "CLI"}) {
        copy_into(system_headers(library), include / library);
    }
    write_file(options.bundle / "Makefile", makefile);
}

/// Copies the app's reference, if it has one, with a small file that gives it a C interface.
bool copy_reference(const BuildOptions &options, const std::string &app) {
    const fs::path header = options.source / "apps" / app / "reference.h";
    if (!fs::exists(header)) {
        return false;
    }
    copy_into(header, options.bundle / "apps" / app / "reference.h");
    copy_into(options.source / "apps/support/reference.h", options.bundle / "apps/support/reference.h");
    const std::string name = "warptile::apps::" + app;
    write_file(options.bundle / "pipelines" / (app + "__reference.cpp"),
               "#include \"apps/" + app +
                   "/reference.h\"\n\nextern \"C\" {\n\n"
                   "void warptile_reference(void **argv) { warptile::apps::call_with(" +
                   name +
                   "::reference, argv); }\n\n"
                   "double warptile_relative_tolerance() { return " +
                   name +
                   "::relative_tolerance; }\n\n"
                   "double warptile_integer_step() { return " +
                   name + "::integer_step; }\n}\n");
    return true;
}

/// `target` without its GPU: "x86-64-linux-cuda-cuda_capability_80" becomes "x86-64-linux".
std::string host_target(const std::string &target) {
    std::istringstream features(target);
    std::string feature, host;
    while (std::getline(features, feature, '-')) {
        const auto is = [&](const char *api) { return feature.rfind(api, 0) == 0; };
        if (!is("cuda") && !is("opencl") && !is("cl_") && !is("metal") && !is("vulkan") && !is("vk_") &&
            !is("webgpu")) {
            host += (host.empty() ? "" : "-") + feature;
        }
    }
    return host;
}

fs::path generator_of(const BuildOptions &options, const std::string &app) {
    return options.generators / (app + ".generator");
}

void build_runtime(const BuildOptions &options) {
    const CommandResult result = run_command({generator_of(options, options.apps.at(0)), "-r", "runtime", "-e",
                                              "object", "-o", options.bundle / "pipelines", "target=" + options.target},
                                             options.timeout);
    if (!result.succeeded) {
        throw std::runtime_error("cannot make the runtime: " + result.error);
    }
}

BuiltVariant build_variant(const BuildOptions &options, const std::string &app, const VariantSpec &spec) {
    const std::string name = app + "__" + spec.name;
    BuiltVariant built;
    built.name = spec.name;
    built.target = spec.on_host ? host_target(options.target) : options.target;
    const fs::path folder = options.bundle / "pipelines";
    for (const char *const ending : {".o", ".registration.cpp", ".so"}) {
        fs::remove(folder / (name + ending));
    }
    std::vector<std::string> command{generator_of(options, app),
                                     "-g",
                                     app,
                                     "-f",
                                     name,
                                     "-n",
                                     name,
                                     "-o",
                                     folder,
                                     "-e",
                                     "object,registration",
                                     "target=" + built.target + "-no_runtime"};
    command.insert(command.end(), options.parameters.begin(), options.parameters.end());
    command.insert(command.end(), spec.arguments.begin(), spec.arguments.end());
    const CommandResult result = run_command(command, options.timeout);
    built.build_seconds = result.seconds;
    built.error = result.error;
    if (!result.succeeded) {
        fs::remove(folder / (name + ".registration.cpp"));
    }
    return built;
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

}  // namespace

BuiltApp &Manifest::app(const std::string &name) {
    for (BuiltApp &app : apps) {
        if (app.name == name) {
            return app;
        }
    }
    apps.push_back({name, false, {}});
    return apps.back();
}

nlohmann::json to_json(const Manifest &manifest) {
    nlohmann::json apps = nlohmann::json::array();
    for (const BuiltApp &app : manifest.apps) {
        nlohmann::json variants = nlohmann::json::array();
        for (const BuiltVariant &variant : app.variants) {
            variants.push_back({{"name", variant.name},
                                {"target", variant.target},
                                {"build_seconds", variant.build_seconds},
                                {"error", variant.error}});
        }
        apps.push_back({{"name", app.name}, {"has_reference", app.has_reference}, {"variants", variants}});
    }
    return {{"apps", apps}};
}

Manifest read_manifest(const fs::path &bundle) {
    std::ifstream file(bundle / "manifest.json");
    if (!file) {
        throw std::runtime_error("'" + bundle.string() + "' is not a bundle: it has no manifest.json");
    }
    const nlohmann::json json = nlohmann::json::parse(file);
    Manifest manifest;
    for (const nlohmann::json &app : json.at("apps")) {
        BuiltApp &built = manifest.app(app.at("name"));
        built.has_reference = app.at("has_reference");
        for (const nlohmann::json &variant : app.at("variants")) {
            built.variants.push_back(
                {variant.at("name"), variant.at("target"), variant.at("build_seconds"), variant.at("error")});
        }
    }
    return manifest;
}

fs::path shared_object(const fs::path &bundle, const std::string &app, const std::string &variant) {
    return fs::absolute(bundle) / "pipelines" / (app + "__" + variant + ".so");
}

Manifest build_bundle(const BuildOptions &options) {
    fs::create_directories(options.bundle / "pipelines");
    copy_sources(options);
    build_runtime(options);
    Manifest manifest;
    if (fs::exists(options.bundle / "manifest.json")) {
        manifest = read_manifest(options.bundle);
    }

    // One job for each app and variant; the results are kept in the order of the jobs, whichever ends first.
    const size_t count = options.apps.size() * options.variants.size();
    std::vector<BuiltVariant> built(count);
    std::atomic<size_t> next{0};
    const auto work = [&] {
        for (size_t job = next++; job < count; job = next++) {
            built[job] = build_variant(options, options.apps[job / options.variants.size()],
                                       options.variants[job % options.variants.size()]);
        }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < options.jobs; i++) {
        threads.emplace_back(work);
    }
    for (std::thread &thread : threads) {
        thread.join();
    }

    for (size_t job = 0; job < count; job++) {
        keep(manifest.app(options.apps[job / options.variants.size()]), built[job]);
    }
    for (const std::string &app : options.apps) {
        manifest.app(app).has_reference = copy_reference(options, app);
    }
    write_file(options.bundle / "manifest.json", to_json(manifest).dump(1) + "\n");
    return manifest;
}

}  // namespace warptile::bench
