// A run: the machine and its ceilings, then all references (on the host, several at once, and over before anything is
// timed), then one app after the other.
#include "tools/bench/running/runner.h"

#include "tools/bench/process.h"
#include "tools/bench/progress.h"
#include "tools/bench/running/app_run.h"
#include "tools/bench/running/arguments.h"
#include "tools/bench/running/ceilings.h"
#include "tools/bench/running/measurement.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <thread>
#include <unistd.h>

namespace warptile::bench {
namespace {

std::string now() {
    const std::time_t time = std::time(nullptr);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", std::gmtime(&time));
    return text;
}

std::vector<BuiltApp> chosen_apps(const RunOptions &options, const Manifest &manifest) {
    std::vector<BuiltApp> apps;
    for (const BuiltApp &app : manifest.apps) {
        const auto is = [&](const std::string &name) { return name == app.name || name == app.title(); };
        if (options.apps.empty() || std::any_of(options.apps.begin(), options.apps.end(), is)) {
            apps.push_back(app);
        }
    }
    if (apps.empty()) {
        throw std::runtime_error("the bundle has none of the apps that were named");
    }
    return apps;
}

void check_variants(const RunOptions &options, const std::vector<BuiltApp> &apps) {
    for (const std::string &name : options.variants) {
        const bool known = std::any_of(apps.begin(), apps.end(), [&](const BuiltApp &app) {
            return std::any_of(app.variants.begin(), app.variants.end(),
                               [&](const BuiltVariant &variant) { return variant.name == name; });
        });
        if (!known) {
            throw std::runtime_error("the bundle has no variant '" + name + "'");
        }
    }
}

bool has_gpu_variants(const std::vector<BuiltApp> &apps) {
    return std::any_of(apps.begin(), apps.end(), [](const BuiltApp &app) {
        return std::any_of(app.variants.begin(), app.variants.end(), [](const BuiltVariant &variant) {
            return variant.error.empty() && variant.target.find("cuda") != std::string::npos;
        });
    });
}

/// What a process of its own says of the card, which this one must not touch before it forks.
void look_at_card(const RunOptions &options, Results &results, std::string &pci_bus_id) {
    Worker worker([&](const NextRequest &, const Reply &reply) {
        CudaDevice device;
        reply(nlohmann::json{{"card", device.name()},
                             {"pci_bus_id", device.pci_bus_id()},
                             {"driver_version", device.driver_version()},
                             {"capability", device.capability()},
                             {"sms", device.sms()}}
                  .dump());
        if (options.ceilings) {
            reply(to_json(measure_ceilings(device)).dump());
        }
    });
    const std::optional<std::string> card = worker.reply(options.timeout);
    if (!card) {
        results.ceilings.error = worker.error();
        return;
    }
    const nlohmann::json json = nlohmann::json::parse(*card);
    MachineInfo &machine = results.machine;
    machine.card = json.at("card");
    machine.capability = json.at("capability");
    machine.sms = json.at("sms");
    pci_bus_id = json.at("pci_bus_id");
    const Nvml nvml(pci_bus_id);
    machine.driver = nvml.driver();
    machine.highest_clock_mhz = nvml.highest_sm_clock_mhz();
    machine.memory_clock_mhz = nvml.memory_clock_mhz();
    if (machine.driver.empty()) {
        const int version = json.at("driver_version");
        machine.driver = "of CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    }
    if (!options.ceilings) {
        results.ceilings.error = "not asked for";
    } else if (const std::optional<std::string> measured = worker.reply(options.timeout)) {
        results.ceilings = ceilings_from_json(nlohmann::ordered_json::parse(*measured));
    } else {
        results.ceilings.error = worker.error();
    }
}

/// A folder for the references' outputs, gone with this.
class ReferenceFolder {
public:
    ReferenceFolder() : path_(fs::temp_directory_path() / ("warptile-references-" + std::to_string(getpid()))) {
        fs::create_directories(path_);
    }

    ReferenceFolder(const ReferenceFolder &) = delete;
    ReferenceFolder &operator=(const ReferenceFolder &) = delete;

    ~ReferenceFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }

    fs::path file(const BuiltApp &app) const { return path_ / app.symbol(); }

private:
    fs::path path_;
};

/// Computes all references, each in a process of its own and a few of them at once.
std::vector<Reference> compute_references(const RunOptions &options, const std::vector<BuiltApp> &apps,
                                          const ReferenceFolder &folder, Progress &progress) {
    const size_t at_once = std::max(1U, std::thread::hardware_concurrency() / 2);
    std::vector<Reference> references(apps.size());
    std::vector<std::unique_ptr<Worker>> workers(apps.size());
    size_t started = 0;
    for (size_t i = 0; i < apps.size(); i++) {
        for (; started < apps.size() && started < i + at_once; started++) {
            const BuiltApp &app = apps[started];
            const Job job{options, app, "", folder.file(app)};
            workers[started] = std::make_unique<Worker>(
                [&job](const NextRequest &, const Reply &reply) { compute_reference(job, reply); });
        }
        Reference &reference = references[i];
        reference.file = folder.file(apps[i]);
        if (const std::optional<std::string> reply = workers[i]->reply(options.timeout * 5)) {
            const nlohmann::json tolerance = nlohmann::json::parse(*reply);
            reference.tolerance = {tolerance.at("relative"), tolerance.at("integer_step")};
        } else {
            reference.error = workers[i]->error();
        }
        workers[i].reset();
        progress.done(apps[i].title() + ": reference");
    }
    return references;
}

}  // namespace

Results run_bundle(const RunOptions &options, const std::function<void(const Results &, const AppResult &)> &done) {
    if (!options.size.empty()) {
        parse_size(options.size);  // complains here once, and not in every process
    }
    const std::vector<BuiltApp> apps = chosen_apps(options, read_manifest(options.bundle));
    check_variants(options, apps);
    if (!fs::exists(options.bundle / "pipelines/runtime.so")) {
        throw std::runtime_error("the pipelines of '" + options.bundle.string() + "' are not linked: run make there");
    }
    setenv("HL_GPU_DEVICE", "0", 0);  // where there are several, all processes take the same
    Results results;
    results.date = now();
    results.size = options.size;
    results.rounds = options.rounds;
    results.processes = options.processes;
    results.keeps_memory = options.keeps_memory;
    results.machine.max_registers = register_cap();
    std::string pci_bus_id;
    if (has_gpu_variants(apps)) {
        look_at_card(options, results, pci_bus_id);
    } else {
        results.ceilings.error = "no variant for a GPU";
    }
    const Nvml card(pci_bus_id);
    const ReferenceFolder folder;
    Progress progress(int(2 * apps.size()));
    const std::vector<Reference> references = compute_references(options, apps, folder, progress);
    for (size_t i = 0; i < apps.size(); i++) {
        results.apps.push_back(run_app(options, apps[i], references[i], card));
        fs::remove(folder.file(apps[i]));
        progress.done(apps[i].title());
        progress.clear();
        done(results, results.apps.back());
    }
    return results;
}

}  // namespace warptile::bench
