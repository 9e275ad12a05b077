#include "tools/bench/counters.h"

#include <nlohmann/json.hpp>

namespace warptile::bench {

nlohmann::ordered_json to_json(const Counters &counters) {
    return {{"compulsory_bytes", counters.compulsory_bytes}, {"operations", counters.operations}};
}

nlohmann::ordered_json to_json(const std::vector<PlannedKernel> &kernels) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const PlannedKernel &kernel : kernels) {
        list.push_back({{"writes", kernel.writes},
                        {"stage", kernel.stage},
                        {"dram_bytes", kernel.dram_bytes},
                        {"l2_bytes", kernel.l2_bytes},
                        {"predicted_us", kernel.predicted_us},
                        {"threads", kernel.threads}});
    }
    return list;
}

Counters counters_from_json(const nlohmann::ordered_json &json) {
    return {json.value("compulsory_bytes", 0.0), json.value("operations", 0.0)};
}

std::vector<PlannedKernel> kernels_from_json(const nlohmann::ordered_json &json) {
    std::vector<PlannedKernel> kernels;
    for (const nlohmann::ordered_json &kernel : json) {
        kernels.push_back({kernel.at("writes"), kernel.at("stage"), kernel.value("dram_bytes", 0.0),
                           kernel.value("l2_bytes", 0.0), kernel.value("predicted_us", 0.0),
                           kernel.value("threads", 0.0)});
    }
    return kernels;
}

}  // namespace warptile::bench
