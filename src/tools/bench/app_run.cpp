// Running an app: every variant once, to see that it works and agrees, all of them side by side since that is mostly
// the driver's compiling; then timed batches, one of each variant a round, so that a card that warms up or is shared
// treats all alike. The processes of all variants live side by side, and only one of them has something to do at any
// time. Every second round goes backwards, so that no variant always comes after the same other one. After some rounds
// all get new processes: where a process finds its data in memory and in the slices of the L2 cache makes a few per
// cent, the same in all of its batches. Variants whose processes differ more get more of them, and with them all.
#include "tools/bench/app_run.h"

#include "tools/bench/measurement.h"
#include "tools/bench/process.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

namespace warptile::bench {
namespace {

constexpr double kSlowMilliseconds = 500;  // slower calls get three rounds: their spread is small
constexpr int kRoundsOfSlow = 3;
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

void read_agreement(Entry &entry, const std::string &reply) {
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

/// A new process for each variant that has not failed and may want more rounds.
void start(const RunOptions &options, const BuiltApp &app, const fs::path &reference, const std::string &tolerance,
           std::vector<Entry> &entries) {
    for (Entry &entry : entries) {
        entry.worker.reset();
        if (entry.row.failed_at.empty() && !has_enough(entry.row)) {
            const Job job{options, app, entry.built->name, reference};
            entry.worker = std::make_unique<Worker>(
                [&job](const NextRequest &next, const Reply &reply) { measure(job, next, reply); });
            entry.worker->request(tolerance);
        }
    }
    for (Entry &entry : entries) {
        take_reply(entry, options.timeout, [&](const std::string &reply) { read_agreement(entry, reply); });
    }
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

void time_in_turn(const RunOptions &options, int rounds, std::vector<Entry> &entries, const Nvml &card) {
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
            take_reply(entry, options.timeout, [&](const std::string &reply) { read_agreement(entry, reply); });
        }
    }
}

}  // namespace

AppResult run_app(const RunOptions &options, const BuiltApp &app, const fs::path &reference,
                  const std::string &tolerance, const Nvml &card) {
    std::vector<Entry> entries = entries_of(options, app);
    const int processes = std::clamp(options.processes, 1, std::max(1, options.rounds));
    const int rounds = (options.rounds + processes - 1) / processes;
    for (int i = 0;
         i < processes || (i < options.most_processes && std::any_of(entries.begin(), entries.end(), is_uncertain));
         i++) {
        start(options, app, reference, tolerance, entries);
        time_in_turn(options, rounds, entries, card);
    }
    AppResult result = empty_result(app);
    for (const Entry &entry : entries) {
        result.rows.push_back(entry.row);
    }
    return result;
}

AppResult not_run(const RunOptions &options, const BuiltApp &app, const std::string &error) {
    AppResult result = empty_result(app);
    result.error = error;
    for (const BuiltVariant &variant : app.variants) {
        if (chosen(options.variants, variant.name)) {
            Row row = row_of(variant);
            if (row.error.empty()) {
                row.failed_at = "run";
                row.error = "not run: the reference failed";
            }
            result.rows.push_back(row);
        }
    }
    return result;
}

}  // namespace warptile::bench
