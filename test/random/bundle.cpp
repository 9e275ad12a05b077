#include "bundle.h"

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <thread>

#include "attempts.h"
#include "bundle_runner.h"
#include "execute.h"
#include "machine/error.h"
#include "schedule/directives/directives.h"
#include "schedule/passes/last_passes.h"
#include "schedule/plan_json.h"
#include "verify/processes/child.h"

namespace warptile::fuzz {

namespace {

constexpr double time_limit = 120;
constexpr int search_every = 4;

namespace fs = std::filesystem;

/// What a bundle's main program reads: for each size every argument in the order of the call.
class DataFile {
public:
    explicit DataFile(const fs::path &path) : out_(path, std::ios::binary) {}

    template<typename T>
    void put(T value) {
        out_.write(reinterpret_cast<const char *>(&value), sizeof(T));
    }

    void put_shape(const Halide::Buffer<> &b) {
        put(static_cast<int32_t>(b.type().code()));
        put(static_cast<int32_t>(b.type().bits()));
        put(static_cast<int32_t>(b.dimensions()));
        for (int d = 0; d < b.dimensions(); d++) {
            put(static_cast<int32_t>(b.dim(d).min()));
            put(static_cast<int32_t>(b.dim(d).extent()));
        }
    }

    void put_bytes(const Halide::Buffer<> &b) {
        out_.write(static_cast<const char *>(b.data()), static_cast<std::streamsize>(b.size_in_bytes()));
    }

private:
    std::ofstream out_;
};

void put_argument(DataFile &file, const RandomPipeline &p, const Halide::Argument &argument, const Buffers &buffers,
                  int which) {
    for (size_t i = 0; i < p.inputs.size(); i++) {
        if (p.inputs[i].param.name() == argument.name) {
            file.put(int32_t(0));
            file.put_shape(buffers.inputs[i]);
            file.put(fill_seed(p, i, which));
            file.put(static_cast<int32_t>(p.inputs[i].lo));
            file.put(static_cast<int32_t>(p.inputs[i].hi));
            return;
        }
    }
    for (const InputScalar &s : p.scalars) {
        if (s.param.name() == argument.name) {
            file.put(int32_t(s.param.type().is_float() ? 2 : 1));
            file.put(s.value);
            return;
        }
    }
    throw Error("the pipeline has an argument '" + argument.name + "' that the test did not make");
}

void write_data(const fs::path &path, const RandomPipeline &p, const std::vector<Halide::Argument> &arguments,
                const std::vector<Buffers> &runs, double tolerance) {
    DataFile file(path);
    size_t outputs = 0;
    for (const auto &elements : runs[0].outputs) {
        outputs += elements.size();
    }
    file.put(static_cast<int32_t>(runs.size()));
    file.put(static_cast<int32_t>(arguments.size() + outputs));
    file.put(tolerance);
    for (size_t which = 0; which < runs.size(); which++) {
        for (const Halide::Argument &a : arguments) {
            put_argument(file, p, a, runs[which], static_cast<int>(which));
        }
        for (const auto &elements : runs[which].outputs) {
            for (const Halide::Buffer<> &b : elements) {
                file.put(int32_t(3));
                file.put_shape(b);
                file.put_bytes(b);
            }
        }
    }
}

/// Compiles the seed's pipeline under the plan and writes its data. Throws where Halide refuses it, or the pipeline has
/// no meaning at one of its sizes.
void write_pipeline(const fs::path &folder, const std::string &name, uint64_t seed, const Plan &plan) {
    const RandomPipeline p = make_pipeline(seed);
    apply_directives(make_directives(plan, p.outputs), p.outputs);
    Halide::Pipeline pipeline(p.outputs);
    add_last_passes(pipeline);
    const std::vector<Halide::Argument> arguments = pipeline.infer_arguments();
    Reference reference(make_pipeline(seed));
    std::vector<Buffers> runs;
    for (int which = 0; which < size_count; which++) {
        runs.push_back(reference.run(which));
        if (!runs.back().has_meaning) {
            throw Error(nothing_to_run);
        }
    }
    write_data(folder / (name + ".data"), p, arguments, runs, tolerance(p, plan, cuda_target()));
    const Halide::Target target = cuda_target().with_feature(Halide::Target::NoRuntime);
    pipeline.compile_to({{Halide::OutputFileType::object, (folder / (name + ".o")).string()}}, arguments, name, target);
}

/// A random plan as it can be lowered. Throws where there is none.
Plan lowered_random_plan(uint64_t seed) {
    std::string why;
    for (int draw = 0; draw < most_draws; draw++) {
        Plan plan = plan_from_json(random_plan_text(seed, PlanStyle::Any, draw));
        for (const bool rolled : {false, true}) {
            const ChildResult r = run_in_child([&] { return lower_and_judge(seed, plan, false); }, time_limit);
            if (r.ok() && r.bytes.empty()) {
                return plan;
            }
            why = r.ok() ? r.bytes : r.message;
            if (rolled || limit_of_halide(why) != cannot_unroll) {
                break;
            }
            roll(plan);
        }
    }
    throw Error(why);
}

/// Halide's runtime header, which lies beside the library that this program runs with.
fs::path runtime_header() {
    Dl_info info;
    bool (*const somewhere)(const Halide::Target &) = Halide::host_supports_target_device;
    if (!dladdr(reinterpret_cast<void *>(somewhere), &info)) {
        throw Error("no library of Halide's is loaded");
    }
    const fs::path library = fs::canonical(info.dli_fname).parent_path();
    for (const char *include : {"../include", "../../include", "../../../include"}) {
        const fs::path header = library / include / "HalideRuntime.h";
        if (fs::exists(header)) {
            return header;
        }
    }
    throw Error("HalideRuntime.h is not where it belongs beside '" + library.string() + "'");
}

}  // namespace

int write_bundle(const std::string &folder_name, int count, uint64_t first) {
    const fs::path folder = folder_name;
    fs::create_directories(folder);
    std::vector<std::string> names;
    std::vector<std::function<std::string()>> works;
    for (int i = 0; i < count; i++) {
        const uint64_t seed = first + static_cast<uint64_t>(i);
        const std::string name = "wt_" + std::to_string(seed);
        names.push_back(name);
        works.emplace_back([=] {
            write_pipeline(folder, name, seed, lowered_random_plan(seed));
            return std::string();
        });
        if (seed % search_every == 0) {
            names.push_back(name + "_search");
            works.emplace_back([=] {
                const ChildResult r = run_in_child([&] { return to_json(search_plan(seed).plan); }, time_limit);
                if (!r.ok()) {
                    throw Error(r.message);
                }
                write_pipeline(folder, name + "_search", seed, plan_from_json(r.bytes));
                return std::string();
            });
        }
    }
    const int at_once = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    const std::vector<ChildResult> results = run_in_children(works, 4 * time_limit, at_once);
    std::ofstream list(folder / "pipelines.inc");
    int written = 0;
    for (size_t i = 0; i < results.size(); i++) {
        if (results[i].ok()) {
            list << "PIPELINE(" << names[i] << ")\n";
            written++;
        } else {
            std::cout << names[i] << " is left out: " << results[i].message.substr(0, 200) << "\n";
            fs::remove(folder / (names[i] + ".o"));
            fs::remove(folder / (names[i] + ".data"));
        }
    }
    Halide::compile_standalone_runtime((folder / "runtime.o").string(), cuda_target());
    fs::copy_file(runtime_header(), folder / "HalideRuntime.h", fs::copy_options::overwrite_existing);
    std::ofstream(folder / "main.cpp") << bundle_runner_text;
    std::ofstream(folder / "Makefile") << bundle_makefile_text;
    std::cout << written << " pipelines written to " << folder.string() << "\n";
    return written;
}

}  // namespace warptile::fuzz
