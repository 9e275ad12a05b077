// Running an app: every variant once, to see that it works and agrees, all of them side by side since that is mostly
// the driver's compiling; then timed batches, one of each variant a round, so that a card that warms up or is shared
// treats all alike. The processes of all variants live side by side, and only one of them has something to do at any
// time. Every second round goes backwards, so that no variant always comes after the same other one. After some rounds
// all get new processes: where a process finds its data in memory and in the slices of the L2 cache makes a few per
// cent, the same in all of its batches. Variants whose processes differ more get more of them, and with them all.
#include "tools/bench/running/app_run.h"

#include "tools/bench/process.h"
#include "tools/bench/running/consensus.h"
#include "tools/bench/running/measurement.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

namespace warptile::bench {
namespace {

constexpr double kSlowMilliseconds = 500;  // slower calls get three rounds: their spread is small
constexpr int kRoundsOfSlow = 3;
// Variants that all differ from the reference are alike where they differ from each other by less than this share of
// what they differ from it, which a computation that magnifies roundings makes too, but by no more than that share of
// the largest magnitude.
constexpr double kAlike = 0.1, kMostAlike = 1e-3;
// A time whose standard error is more than this share of it takes more processes. Calls below some hundredths of a
// millisecond are launches, which no number of processes makes agree.
constexpr double kUncertain = 0.005, kLeastMilliseconds = 0.05;

bool chosen(const std::vector<std::string> &names, const std::string &name) {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

/// A variant while it is measured.
struct Entry {
    Row row;
    const BuiltVariant *built = nullptr;
    std::unique_ptr<Worker> worker;
    std::vector<double> of_processes;  // the median of each one's batches

    void fail(const std::string &at, const std::string &error) {
        row.failed_at = at;
        row.error = error;
        row.agrees = false;
        worker.reset();
    }
};

Row row_of(const BuiltVariant &variant) {
    Row row;
    row.variant = variant.name;
    row.build_seconds = variant.build_seconds;
    row.schedule_seconds = variant.schedule_seconds;
    row.remark = variant.remark;
    row.kernels = variant.kernels;
    if (!variant.error.empty()) {
        row.failed_at = "build";
        row.error = variant.error;
    }
    return row;
}

AppResult empty_result(const BuiltApp &app) {
    AppResult result;
    result.name = app.name;
    result.size = app.size;
    result.counters = app.counters;
    return result;
}

void read_agreement(Entry &entry, const std::string &reply, bool with_others) {
    const nlohmann::json json = nlohmann::json::parse(reply);
    const nlohmann::json &difference = json.at("largest_difference");  // null where it is infinite
    Row &row = entry.row;
    const double largest = difference.is_null() ? std::numeric_limits<double>::infinity() : difference.get<double>();
    row.largest_difference = row.ran ? std::max(row.largest_difference, largest) : largest;
    row.ran = true;
    row.agrees = json.at("agrees");
    row.on_device = json.at("on_device");
    row.largest_magnitude = json.at("largest_magnitude");
    row.failed_at = row.agrees ? "" : "result";
    row.with_others = with_others;
    row.error = json.at("wrong");
}

/// Takes the reply to what the worker was asked and hands it to `use`; a worker that gives none has failed.
template<typename Use>
void take_reply(Entry &entry, double timeout, const Use &use) {
    if (!entry.worker) {
        return;
    }
    if (const std::optional<std::string> reply = entry.worker->reply(timeout)) {
        use(*reply);
    } else {
        entry.fail("run", entry.worker->error());
    }
}

std::vector<Entry> entries_of(const RunOptions &options, const BuiltApp &app) {
    std::vector<Entry> entries;
    for (const BuiltVariant &variant : app.variants) {
        if (chosen(options.variants, variant.name)) {
            entries.push_back({row_of(variant), &variant, nullptr, {}});
        }
    }
    return entries;
}

/// Whether a variant has had enough rounds. One on the host is no rival: once will do.
bool has_enough(const Row &row) {
    const size_t rounds = row.milliseconds.size();
    const bool slow = rounds > 0 && row.milliseconds.back() > kSlowMilliseconds;
    return (rounds > 0 && !row.on_device) || (slow && rounds >= kRoundsOfSlow);
}

std::string to_request(const Tolerance &tolerance) {
    return nlohmann::json{{"relative", tolerance.relative}, {"integer_step", tolerance.integer_step}}.dump();
}

/// A new process for each variant that has not failed and may want more rounds.
void start(const RunOptions &options, const BuiltApp &app, const Reference &reference, std::vector<Entry> &entries) {
    for (Entry &entry : entries) {
        entry.worker.reset();
        if (entry.row.failed_at.empty() && !has_enough(entry.row)) {
            const Job job{options, app, entry.built->name, reference.file};
            entry.worker = std::make_unique<Worker>(
                [&job](const NextRequest &next, const Reply &reply) { measure(job, next, reply); });
            entry.worker->request(to_request(reference.tolerance));
        }
    }
    for (Entry &entry : entries) {
        take_reply(entry, options.timeout,
                   [&](const std::string &reply) { read_agreement(entry, reply, reference.is_consensus); });
    }
}

/// Whether two variants or more came to an end, and none of them agrees with the reference.
bool all_differ(const std::vector<Entry> &entries) {
    int ran = 0;
    for (const Entry &entry : entries) {
        if (entry.row.agrees) {
            return false;
        }
        ran += entry.row.ran;
    }
    return ran > 1;
}

/// Within what share of the largest magnitude they are alike.
double alike(const RunOptions &options, const std::vector<Entry> &entries) {
    double least = kMostAlike / kAlike;
    for (const Entry &entry : entries) {
        if (entry.row.ran && entry.row.largest_magnitude > 0) {
            least = std::min(least, entry.row.largest_difference / entry.row.largest_magnitude);
        }
    }
    return std::max(kAlike * least, options.tolerance.relative);
}

/// Makes what the variants agree on the reference, and forgets how they compared with the one before. False where they
/// agree on nothing, or fewer than half of them do.
bool agree_among_themselves(const RunOptions &options, const BuiltApp &app, Reference &reference, double relative,
                            std::vector<Entry> &entries) {
    std::vector<std::string> names;
    for (Entry &entry : entries) {
        entry.worker.reset();  // its data would take the room of the others'
        if (entry.built->error.empty() && entry.row.failed_at != "run") {
            names.push_back(entry.built->name);
        }
    }
    const fs::path file = reference.file.string() + "__consensus";
    const std::optional<Consensus> consensus = find_consensus(options, app, names, relative, file);
    if (!consensus || 2 * consensus->agreeing <= consensus->ran) {
        return false;
    }
    reference = {file, reference.error, consensus->tolerance, true};
    for (Entry &entry : entries) {
        if (entry.row.failed_at == "result") {
            entry.row.failed_at = entry.row.error = "";
            entry.row.ran = false;
        }
    }
    return true;
}

/// Runs the first processes of all variants, and finds what to hold them against where `reference` does not serve.
void start_first(const RunOptions &options, const BuiltApp &app, Reference &reference, std::vector<Entry> &entries) {
    const bool failed = !reference.error.empty();
    if (failed && !agree_among_themselves(options, app, reference, options.tolerance.relative, entries)) {
        reference.file.clear();  // there is nothing to compare with
    }
    start(options, app, reference, entries);
    // Plain C++ is how a pipeline was meant, and is not overruled.
    if (failed || app.has_reference || !all_differ(entries)) {
        return;
    }
    const std::string difference = entries.front().row.ran ? entries.front().row.error : entries.back().row.error;
    if (agree_among_themselves(options, app, reference, alike(options, entries), entries)) {
        reference.error = "all variants differ from it alike: " + difference;
    }
    for (Entry &entry : entries) {
        entry.row.failed_at = entry.row.failed_at == "result" ? "" : entry.row.failed_at;
    }
    start(options, app, reference, entries);
}

void time_once(const RunOptions &options, Entry &entry, const Nvml &card) {
    if (!entry.worker) {
        return;
    }
    entry.worker->request("time");
    take_reply(entry, options.timeout, [&](const std::string &reply) {
        Row &row = entry.row;
        row.milliseconds.push_back(std::stod(reply));
        if (const int mhz = card.sm_clock_mhz()) {
            row.lowest_clock_mhz = row.lowest_clock_mhz ? std::min(row.lowest_clock_mhz, mhz) : mhz;
            row.highest_clock_mhz = std::max(row.highest_clock_mhz, mhz);
        }
    });
}

/// Of the last `rounds` batches, which are one process's.
void note_process(Entry &entry, int rounds) {
    const std::vector<double> &all = entry.row.milliseconds;
    if (entry.worker && rounds > 0 && all.size() >= size_t(rounds)) {
        entry.of_processes.push_back(median({all.end() - rounds, all.end()}));
    }
}

bool is_uncertain(const Entry &entry) {
    return entry.worker && entry.of_processes.size() > 1 && entry.row.time() >= kLeastMilliseconds &&
           median_error(entry.of_processes) > kUncertain;
}

void time_in_turn(const RunOptions &options, int rounds, std::vector<Entry> &entries, bool with_others,
                  const Nvml &card) {
    std::vector<Entry *> order;
    for (Entry &entry : entries) {
        order.push_back(&entry);
    }
    for (int round = 0; round < rounds; round++) {
        for (Entry *const entry : order) {
            if (!has_enough(entry->row)) {
                time_once(options, *entry, card);
            }
        }
        std::reverse(order.begin(), order.end());
    }
    for (Entry &entry : entries) {
        note_process(entry, rounds);
        if (entry.worker && entry.row.agrees) {  // still, after all those calls
            entry.worker->request("check");
            take_reply(entry, options.timeout,
                       [&](const std::string &reply) { read_agreement(entry, reply, with_others); });
        }
    }
}

}  // namespace

AppResult run_app(const RunOptions &options, const BuiltApp &app, Reference reference, const Nvml &card) {
    std::vector<Entry> entries = entries_of(options, app);
    const int processes = std::clamp(options.processes, 1, std::max(1, options.rounds));
    const int rounds = (options.rounds + processes - 1) / processes;
    for (int i = 0;
         i < processes || (i < options.most_processes && std::any_of(entries.begin(), entries.end(), is_uncertain));
         i++) {
        if (i == 0) {
            start_first(options, app, reference, entries);
        } else {
            start(options, app, reference, entries);
        }
        time_in_turn(options, rounds, entries, reference.is_consensus, card);
    }
    if (reference.is_consensus) {
        fs::remove(reference.file);
    }
    AppResult result = empty_result(app);
    result.error = reference.error;
    for (const Entry &entry : entries) {
        result.rows.push_back(entry.row);
    }
    return result;
}

}  // namespace warptile::bench
