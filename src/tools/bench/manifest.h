// What is in a bundle: manifest.json.
#pragma once

#include "tools/bench/counters.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace warptile::bench {

namespace fs = std::filesystem;

struct BuiltVariant {
    std::string name;
    std::string target;                      // what it was compiled for
    double build_seconds = 0;                // of the generator's run
    std::optional<double> schedule_seconds;  // of it, scheduling alone
    std::string error;                       // empty where it was built
    std::string remark;                      // where WarpTile fell back to plain kernels; else empty
    std::vector<PlannedKernel> kernels;      // of WarpTile's plan
    std::vector<std::string> warnings;       // of the generator's run
    std::string code_error;                  // why its device code does not assemble; else empty
    std::optional<int> code_kernels;         // in its device code, where an assembler was there to read it, …
    std::optional<int> spilled_bytes;        // … and what all of them spill, as the card's runtime will assemble them
    std::string device_code;                 // itself, while a bundle is built with `once`; not in the manifest
};

/// One app at one size.
struct BuiltApp {
    std::string name;
    std::string size;                   // "WxH"; empty for the app's own
    bool has_reference = false;         // plain C++; else the pipeline `plain` is the reference
    std::optional<BuiltVariant> plain;  // the unscheduled pipeline, on the host
    Counters counters;
    std::vector<BuiltVariant> variants;

    /// What its files are named by: "blur", "blur_192x320".
    std::string symbol() const { return size.empty() ? name : name + "_" + size; }

    std::string title() const { return size.empty() ? name : name + " " + size; }
};

struct Manifest {
    std::vector<BuiltApp> apps;

    BuiltApp &app(const std::string &name, const std::string &size);  // adds it where it is new
};

nlohmann::ordered_json to_json(const Manifest &manifest);

/// Throws `std::runtime_error` where `bundle` holds none, or one of another form.
Manifest read_manifest(const fs::path &bundle);

/// Whether `bundle` has a manifest.
bool has_manifest(const fs::path &bundle);

/// Throws `std::runtime_error` where it cannot be written.
void write_manifest(const Manifest &manifest, const fs::path &bundle);

/// The shared object of a variant once `make` has run, and of an app's plain C++ reference.
fs::path shared_object(const fs::path &bundle, const BuiltApp &app, const std::string &variant);
fs::path reference_object(const fs::path &bundle, const BuiltApp &app);

}  // namespace warptile::bench
