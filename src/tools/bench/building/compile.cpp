// Runs of a generator, in a process with a time limit. Objects are compiled without a runtime, which a bundle has once,
// and compressed: nearly all of them is the text of kernels.
#include "tools/bench/building/compile.h"

#include "tools/bench/building/assembly.h"
#include "tools/bench/process.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

namespace warptile::bench {
namespace {

using Json = nlohmann::ordered_json;

/// A folder that is gone when this is.
class WorkFolder {
public:
    WorkFolder() {
        std::string name = fs::temp_directory_path() / "warptile-bench-XXXXXX";
        if (!mkdtemp(name.data())) {
            throw std::runtime_error("cannot make a folder in " + fs::temp_directory_path().string());
        }
        path = name;
    }

    WorkFolder(const WorkFolder &) = delete;
    WorkFolder &operator=(const WorkFolder &) = delete;

    ~WorkFolder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }

    fs::path path;
};

/// What a file holds as JSON; null where it is not there or holds none.
Json json_in(const fs::path &path) {
    std::ifstream file(path);
    return file ? Json::parse(file, nullptr, false) : Json(nullptr);
}

/// The generator's run without what Halide's own log gives to lowering and to code generation.
double rest_of(double seconds, const fs::path &log) {
    const Json phases = json_in(log);
    if (!phases.is_object()) {
        return seconds;
    }
    return seconds - phases.value("compilation_time_halide_lowering", 0.0) - phases.value("compilation_time_llvm", 0.0);
}

CommandResult generate(const GeneratorSource &source, const std::string &symbol, const std::string &outputs,
                       const std::string &target, const std::vector<std::string> &more, const fs::path &folder,
                       const CompileOptions &options) {
    std::vector<std::string> command{
        source.program, "-g", source.generator, "-f", symbol,  "-n",
        symbol,         "-o", folder,           "-e", outputs, "target=" + target + source.features + "-no_runtime"};
    for (const std::vector<std::string> *arguments : {&source.arguments, &options.parameters, &more}) {
        command.insert(command.end(), arguments->begin(), arguments->end());
    }
    return run_command(command, options.timeout);
}

/// What WarpTile says of its plan, where it said something.
void read_report(const Json &report, BuiltVariant &built) {
    if (!report.is_object()) {
        return;
    }
    if (report.contains("kernels")) {
        built.kernels = kernels_from_json(report.at("kernels"));
    }
    for (const Json &notice : report.value("notices", Json::array())) {
        built.remark += (built.remark.empty() ? "'" : "; '") + notice.at("func").get<std::string>() +
                        "': " + notice.at("reason").get<std::string>();
    }
}

/// The lines of `text` that warn of something.
std::vector<std::string> warnings_in(const std::string &text) {
    constexpr size_t kMost = 20;
    std::vector<std::string> warnings;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line) && warnings.size() < kMost;) {
        if (line.find("arning: ") != std::string::npos) {
            warnings.push_back(line);
        }
    }
    return warnings;
}

/// Compresses an object and moves what was made of it to `folder`.
void keep(const fs::path &work, const std::string &symbol, const fs::path &folder) {
    const CommandResult compressed = run_command({"gzip", "-9nf", work / (symbol + ".o")}, 600);
    if (!compressed.succeeded) {
        throw std::runtime_error("cannot compress with gzip: " + compressed.error);
    }
    for (const char *const ending : {".o.gz", ".registration.cpp"}) {
        fs::copy_file(work / (symbol + ending), folder / (symbol + ending), fs::copy_options::overwrite_existing);
    }
}

}  // namespace

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

Counted count_pipeline(const GeneratorSource &source, const VariantSpec &plain, const CompileOptions &options) {
    const WorkFolder work;
    const fs::path report = work.path / "report.json";
    std::vector<std::string> more = plain.arguments;
    more.push_back("autoscheduler.report=" + report.string());
    const CommandResult result =
        generate(source, "counted", "c_header,compiler_log", host_target(options.target), more, work.path, options);
    Counted counted;
    counted.error = result.error;
    counted.no_such_parameter = result.error.find("has no GeneratorParam") != std::string::npos;
    counted.rest_seconds = rest_of(result.seconds, work.path / "counted.halide_compiler_log");
    const Json json = json_in(report);
    if (json.is_object()) {
        counted.counters = counters_from_json(json.at("pipeline"));
    }
    return counted;
}

BuiltVariant compile(const GeneratorSource &source, const std::string &symbol, const VariantSpec &spec,
                     const CompileOptions &options, const Counted &counted) {
    const WorkFolder work;
    const fs::path report = work.path / "report.json";
    for (const char *const ending : {".o.gz", ".o", ".registration.cpp", ".so"}) {
        fs::remove(options.folder / (symbol + ending));
    }
    std::vector<std::string> more = spec.arguments;
    if (spec.is_warptile()) {
        more.push_back("autoscheduler.report=" + report.string());
    }
    BuiltVariant built;
    built.name = spec.name;
    built.target = spec.on_host ? host_target(options.target) : options.target;
    const bool assembled = !spec.on_host && !options.assembler.empty();
    const bool with_code = assembled || (!spec.on_host && options.keep_code);
    const CommandResult result =
        generate(source, symbol, std::string("object,registration,compiler_log") + (with_code ? ",device_code" : ""),
                 built.target, more, work.path, options);
    built.build_seconds = result.seconds;
    built.error = result.error;
    if (!result.succeeded) {
        return built;
    }
    if (counted.error.empty()) {
        const double rest = rest_of(result.seconds, work.path / (symbol + ".halide_compiler_log"));
        built.schedule_seconds = std::max(0.0, rest - counted.rest_seconds);
    }
    read_report(json_in(report), built);
    built.warnings = warnings_in(result.error_text);
    const fs::path code = work.path / (symbol + ".device_code");
    const std::optional<Assembly> assembly =
        assembled ? assemble(options.assembler, code, options.architecture) : std::nullopt;
    if (assembly) {
        built.code_kernels = assembly->kernels;
        built.spilled_bytes = assembly->spilled_bytes;
        built.code_error = assembly->error;
    }
    if (with_code && options.keep_code) {
        std::ifstream file(code);
        built.device_code.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    keep(work.path, symbol, options.folder);
    return built;
}

}  // namespace warptile::bench
