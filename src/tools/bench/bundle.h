// A bundle: a folder with everything that a machine with a GPU needs to measure pipelines, and that has neither Halide
// nor CMake nor a network: compiled pipelines, one standalone runtime, the sources of this program, the headers they
// use, and a Makefile that asks for g++ alone.
//
//     manifest.json                    what is in it
//     Makefile                         builds warptile-bench and the pipelines' shared objects
//     pipelines/APP__VARIANT.{o,registration.cpp}
//     pipelines/APP__reference.cpp     the app's plain C++ reference, where it has one
//     pipelines/runtime.o
//     src/ apps/ include/              sources and headers
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace warptile::bench {

namespace fs = std::filesystem;

struct BuiltVariant {
    std::string name;
    std::string target;        // what it was compiled for
    double build_seconds = 0;  // of the generator's run
    std::string error;         // empty where it was built
};

struct BuiltApp {
    std::string name;
    bool has_reference = false;
    std::vector<BuiltVariant> variants;
};

struct Manifest {
    std::vector<BuiltApp> apps;

    BuiltApp &app(const std::string &name);  // adds it where it is new
};

nlohmann::json to_json(const Manifest &manifest);

/// Throws `std::runtime_error` where `bundle` holds none.
Manifest read_manifest(const fs::path &bundle);

/// The shared object of a variant, and of an app's reference (`variant` "reference"), once `make` has run.
fs::path shared_object(const fs::path &bundle, const std::string &app, const std::string &variant);

/// A way to schedule: arguments that are added to the generator's command line.
struct VariantSpec {
    std::string name;
    std::vector<std::string> arguments;
    bool on_host = false;  // compiled for the target without its GPU
};

struct BuildOptions {
    fs::path bundle;
    fs::path generators;  // the folder of APP.generator
    fs::path source;      // the root of this project's sources
    fs::path halide;      // Halide's prefix: include/HalideRuntime.h and share/tools
    std::vector<std::string> apps;
    std::vector<VariantSpec> variants;
    std::vector<std::string> parameters;  // for every generator, such as width=4256
    std::string target = "x86-64-linux-cuda-cuda_capability_80";
    double timeout = 600;  // seconds for each generator's run
    unsigned jobs = 1;
};

/// Builds every variant of every app into the bundle, beside what it already has, and writes its manifest. A variant
/// that fails is named there with its error. Throws `std::runtime_error` where nothing can be built at all.
Manifest build_bundle(const BuildOptions &options);

}  // namespace warptile::bench
