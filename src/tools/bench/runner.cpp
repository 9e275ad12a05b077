// Running an app: first its reference, then every variant once, to see that it works and agrees, and then timed
// batches in turn, one of each variant a round, so that a card that warms up or is shared treats all alike. The
// processes of all variants live side by side and only one of them has something to do at any time.
#include "tools/bench/runner.h"

#include "tools/bench/arguments.h"
#include "tools/bench/measurement.h"
#include "tools/bench/process.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <unistd.h>

namespace warptile::bench {
namespace {

bool chosen(const std::vector<std::string> &names, const std::string &name) {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

/// What the machine says of its GPU; "no NVIDIA GPU" where it says nothing.
std::string describe_machine() {
    const char *const query = "nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,power.draw "
                              "--format=csv,noheader 2>/dev/null";
    std::string text;
    if (FILE *const pipe = popen(query, "r")) {
        char line[512];
        if (std::fgets(line, sizeof line, pipe)) {
            text = line;
        }
        pclose(pipe);
    }
    text.erase(text.find_last_not_of(" \n") + 1);
    const char *const cap = std::getenv("HL_CUDA_JIT_MAX_REGISTERS");
    return (text.empty() ? "no NVIDIA GPU" : text) + ", at most " + (cap ? cap : "64") + " registers a thread";
}

/// A variant while it is measured.
struct Entry {
    Row row;
    std::unique_ptr<Worker> worker;
    bool on_device = false;

    void fail(const std::string &error) {
        row.error = error;
        worker.reset();
    }
};

void read_agreement(Entry &entry, const std::string &reply) {
    const nlohmann::json json = nlohmann::json::parse(reply);
    const nlohmann::json &difference = json.at("largest_difference");  // null where it is infinite
    entry.row.agrees = json.at("agrees");
    entry.row.largest_difference = difference.is_null() ? 1.0 / 0.0 : difference.get<double>();
    entry.row.largest_magnitude = json.at("largest_magnitude");
    entry.row.error = entry.row.agrees ? "" : "wrong at " + json.at("where").get<std::string>();
    entry.on_device = json.at("on_device");
}

/// Sends `request` and hands the reply to `use`; a worker that gives none has failed.
template<typename Use>
void ask(Entry &entry, const std::string &request, double timeout, const Use &use) {
    if (!entry.worker) {
        return;
    }
    entry.worker->request(request);
    if (const std::optional<std::string> reply = entry.worker->reply(timeout)) {
        use(*reply);
    } else {
        entry.row.agrees = false;
        entry.fail(entry.worker->error());
    }
}

std::vector<Entry> start_variants(const RunOptions &options, const BuiltApp &app, const fs::path &reference,
                                  const std::string &tolerance) {
    std::vector<Entry> entries;
    for (const BuiltVariant &variant : app.variants) {
        if (!chosen(options.variants, variant.name)) {
            continue;
        }
        Entry entry;
        entry.row.app = app.name;
        entry.row.variant = variant.name;
        entry.row.build_seconds = variant.build_seconds;
        if (!variant.error.empty()) {
            entry.fail("build: " + variant.error);
        } else {
            const Job job{options, app, variant.name, reference};
            entry.worker = std::make_unique<Worker>(
                [&job](const NextRequest &next, const Reply &reply) { measure(job, next, reply); });
            ask(entry, tolerance, options.timeout, [&](const std::string &reply) { read_agreement(entry, reply); });
        }
        entries.push_back(std::move(entry));
    }
    return entries;
}

void time_in_turn(const RunOptions &options, std::vector<Entry> &entries) {
    for (int round = 0; round < options.rounds; round++) {
        for (Entry &entry : entries) {
            if (round == 0 || entry.on_device) {  // the plain loops of a host variant are no rival: once will do
                ask(entry, "time", options.timeout,
                    [&](const std::string &reply) { entry.row.milliseconds.push_back(std::stod(reply)); });
            }
        }
    }
    for (Entry &entry : entries) {
        if (entry.row.agrees) {  // still, after all those calls
            ask(entry, "check", options.timeout, [&](const std::string &reply) { read_agreement(entry, reply); });
        }
    }
}

std::vector<Row> run_app(const RunOptions &options, const BuiltApp &app) {
    const fs::path reference = fs::temp_directory_path() / ("warptile-reference-" + std::to_string(getpid()));
    const Job job{options, app, "", reference};
    Worker worker([&job](const NextRequest &, const Reply &reply) { compute_reference(job, reply); });
    const std::optional<std::string> tolerance = worker.reply(options.timeout * 5);
    if (!tolerance) {
        Row row;
        row.app = app.name;
        row.variant = "reference";
        row.error = worker.error();
        return {row};
    }
    std::vector<Entry> entries = start_variants(options, app, reference, *tolerance);
    time_in_turn(options, entries);
    fs::remove(reference);
    std::vector<Row> rows;
    for (const Entry &entry : entries) {
        rows.push_back(entry.row);
    }
    return rows;
}

}  // namespace

Results run_bundle(const RunOptions &options) {
    if (!options.size.empty()) {
        parse_size(options.size);  // complains here once, and not in every process
    }
    const Manifest manifest = read_manifest(options.bundle);
    if (!fs::exists(options.bundle / "pipelines/runtime.so")) {
        throw std::runtime_error("the pipelines of '" + options.bundle.string() + "' are not linked: run make there");
    }
    Results results{describe_machine(), options.size, {}};
    for (const BuiltApp &app : manifest.apps) {
        if (chosen(options.apps, app.name)) {
            std::fprintf(stderr, "%s ...\n", app.name.c_str());
            for (const Row &row : run_app(options, app)) {
                results.rows.push_back(row);
            }
        }
    }
    return results;
}

}  // namespace warptile::bench
