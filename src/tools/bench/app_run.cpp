// Running an app: every variant once, to see that it works and agrees, all of them side by side since that is mostly
// the driver's compiling; then timed batches, one of each variant a round, so that a card that warms up or is shared
// treats all alike. The processes of all variants live side by side, and only one of them has something to do at any
// time. Every second round goes backwards, so that no variant always comes after the same other one. After some rounds
// all get new processes: where a process finds its data in memory and in the slices of the L2 cache makes a few per
// cent, the same in all of its batches.
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

bool chosen(const std::vector<std::string> &names, const std::string &name) {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

/// A variant while it is measured.
struct Entry {
    Row row;
    const BuiltVariant *built = nullptr;
    std::unique_ptr<Worker> worker;

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
            entries.push_back({row_of(variant), &variant, nullptr});
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
    for (int i = 0; i < processes; i++) {
        start(options, app, reference, tolerance, entries);
        time_in_turn(options, options.rounds / processes + (i < options.rounds % processes ? 1 : 0), entries, card);
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
