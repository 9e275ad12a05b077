// What a run found: plain data, with the few numbers that are made of it. results_json.cpp writes it and reads it back;
// the table, the page and the bars are all made from this.
#pragma once

#include "tools/bench/counters.h"
#include "tools/bench/roofline.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace warptile::bench {

double median(std::vector<double> values);  ///< of one or more

/// The standard error of the median of two values or more, as a share of it.
double median_error(const std::vector<double> &values);

/// One variant of one app.
struct Row {
    std::string variant;
    double build_seconds = 0;                // the generator's run: scheduling and compiling
    std::optional<double> schedule_seconds;  // scheduling alone, where it could be told apart
    std::vector<double> milliseconds;        // of a call, one value a batch; empty where it was not timed
    bool ran = false;                        // it came to an end at least once, and its result was compared
    bool agrees = false;
    bool with_others = false;       // it was compared with the other variants, and not with the reference
    bool on_device = true;          // false: it was computed on the host
    double largest_difference = 0;  // from the reference; infinite where one side is not a number
    double largest_magnitude = 0;   // of the reference
    std::string failed_at;          // "build", "run" or "result"; empty where all is well
    std::string error;              // the first line of what went wrong
    int lowest_clock_mhz = 0, highest_clock_mhz = 0;  // of the SMs, after its batches; 0 where unknown
    std::string remark;                  // on its schedule: where WarpTile fell back to plain kernels; else empty
    std::vector<PlannedKernel> kernels;  // of WarpTile's own plans

    bool timed() const { return !milliseconds.empty(); }

    /// Timed, on the device, and right: what may be compared.
    bool counts() const { return timed() && agrees && on_device; }

    double best() const;
    double time() const;    // the figure that is shown and compared: the median of the batches
    double spread() const;  // (slowest - fastest) / time
};

/// One app at one size.
struct AppResult {
    std::string name;
    std::string size;  // "WxH" where it was compiled for another than its own; else empty
    Counters counters;
    std::vector<Row> rows;
    std::string error;  // why variants were compared with each other: the reference failed, or differs from all alike

    std::string title() const { return size.empty() ? name : name + " " + size; }

    const Row *row(const std::string &variant) const;  // null where there is none

    /// The variant's time over another's; nothing where one of them does not count.
    std::optional<double> ratio(const std::string &variant, const std::string &to) const;
};

struct MachineInfo {
    std::string card, driver;
    int capability = 0;  // 90 for 9.0
    int sms = 0;
    int highest_clock_mhz = 0, memory_clock_mhz = 0;  // 0 where unknown
    int max_registers = 64;                           // the cap with which Halide's runtime assembles
};

struct Results {
    std::string date;  // UTC, as 2026-11-28 14:03
    MachineInfo machine;
    Ceilings ceilings;
    std::string size;               // "WxH" where the run set it for all; else empty
    int rounds = 0, processes = 0;  // of each variant
    bool keeps_memory = true;       // on the device, from call to call
    std::vector<AppResult> apps;

    /// All variants, in the order in which they first appear.
    std::vector<std::string> variants() const;

    /// Of the ratios over all apps that have both, and how many these are.
    double mean_ratio(const std::string &variant, const std::string &to, int &apps) const;

    /// Of the roofline (docs/bench.md); nothing where the row does not count, or counters or ceilings are missing.
    std::optional<double> share(const AppResult &app, const Row &row) const;
};

nlohmann::ordered_json to_json(const Results &results);

/// Throws `nlohmann::json::exception` where `json` is not what `to_json` makes.
Results results_from_json(const nlohmann::ordered_json &json);

/// One line on the machine: card, driver, clocks, register cap.
std::string to_string(const MachineInfo &machine);

}  // namespace warptile::bench
