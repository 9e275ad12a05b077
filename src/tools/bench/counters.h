// What a pipeline asks for and what a plan expects of its kernels, as autoscheduler.report=FILE gives it
// (docs/bench.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace warptile::bench {

struct Counters {
    double compulsory_bytes = 0;  // needed inputs read once, outputs written once; 0 where not known
    double operations = 0;        // on values, each value of each Func computed once

    bool known() const { return compulsory_bytes > 0; }
};

struct PlannedKernel {
    std::string writes;  // the Func
    int stage = 0;       // of it
    double dram_bytes = 0, l2_bytes = 0;
    double predicted_us = 0;  // 0 where the model has none
    double threads = 0;       // of the grid, at the estimates; 0 where not known
};

nlohmann::ordered_json to_json(const Counters &counters);
nlohmann::ordered_json to_json(const std::vector<PlannedKernel> &kernels);
Counters counters_from_json(const nlohmann::ordered_json &json);
std::vector<PlannedKernel> kernels_from_json(const nlohmann::ordered_json &json);

}  // namespace warptile::bench
