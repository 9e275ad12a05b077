// Results that no machine gave: made up, for tests of what is made from results.
#pragma once

#include "tools/bench/results.h"

namespace warptile::bench {

inline Row made_up_row(const std::string &variant, std::vector<double> milliseconds) {
    Row row;
    row.variant = variant;
    row.build_seconds = 3;
    row.schedule_seconds = 1.5;
    row.ran = row.agrees = true;
    row.milliseconds = std::move(milliseconds);
    row.largest_magnitude = 1;
    return row;
}

inline Row made_up_failure(const std::string &variant, const std::string &at, const std::string &error) {
    Row row;
    row.variant = variant;
    row.failed_at = at;
    row.error = error;
    return row;
}

/// Two apps: on `one` WarpTile takes 1.1 of the expert's time and Other fails to build; on `two`, compiled for 192x320,
/// WarpTile takes 0.5 of it and Other's result is wrong.
inline Results made_up_results() {
    Results results;
    results.date = "2026-01-01 00:00";
    results.machine = {"Made-up Card <9>", "1.2.3", 90, 100, 1500, 2000, 64};
    results.ceilings.copies = {{1e6, 1e-6}, {1e9, 1e-3}};
    results.ceilings.operations_per_second = 1e13;
    results.rounds = 5;
    AppResult one;
    one.name = "one";
    one.counters = {5e7, 1e8};
    one.rows = {made_up_row("expert", {0.101, 0.100, 0.099, 0.100, 0.100}),
                made_up_row("WarpTile", {0.110, 0.109, 0.121, 0.110, 0.112}),
                made_up_failure("Other", "build", "no end after 600 s")};
    one.rows[1].kernels = {{"f", 0, 4.5e7, 6e7, 80}};
    AppResult two;
    two.name = "two";
    two.size = "192x320";
    two.counters = {1e6, 1e9};
    two.rows = {made_up_row("expert", {0.4}), made_up_row("WarpTile", {0.2}), made_up_row("Other", {0.3})};
    two.rows[2].agrees = false;
    two.rows[2].failed_at = "result";
    two.rows[2].error = "3 values wrong, the first at (1, 2): nan and not 0.5";
    results.apps = {one, two};
    return results;
}

}  // namespace warptile::bench
