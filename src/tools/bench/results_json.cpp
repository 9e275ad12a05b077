// Results as JSON and back. A number that is infinite or unknown is null there.
#include "tools/bench/results.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace warptile::bench {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json number(const std::optional<double> &value) { return value ? Json(*value) : Json(nullptr); }

double finite_or_infinite(const Json &json) {
    return json.is_null() ? std::numeric_limits<double>::infinity() : json.get<double>();
}

std::optional<double> optional(const Json &json) {
    return json.is_null() ? std::nullopt : std::optional<double>(json.get<double>());
}

Json to_json(const Row &row) {
    Json json{{"variant", row.variant},
              {"build_seconds", row.build_seconds},
              {"schedule_seconds", number(row.schedule_seconds)},
              {"milliseconds", row.milliseconds},
              {"ran", row.ran},
              {"agrees", row.agrees},
              {"with_others", row.with_others},
              {"on_device", row.on_device},
              {"largest_difference", number(row.largest_difference)},
              {"largest_magnitude", row.largest_magnitude},
              {"failed_at", row.failed_at},
              {"error", row.error},
              {"remark", row.remark},
              {"clock_mhz", {row.lowest_clock_mhz, row.highest_clock_mhz}}};
    if (row.timed()) {
        json["ms"] = row.time();
    }
    if (!row.kernels.empty()) {
        json["kernels"] = bench::to_json(row.kernels);
    }
    return json;
}

Row row_from_json(const Json &json) {
    Row row;
    json.at("variant").get_to(row.variant);
    json.at("build_seconds").get_to(row.build_seconds);
    row.schedule_seconds = optional(json.at("schedule_seconds"));
    json.at("milliseconds").get_to(row.milliseconds);
    json.at("ran").get_to(row.ran);
    json.at("agrees").get_to(row.agrees);
    row.with_others = json.value("with_others", false);
    json.at("on_device").get_to(row.on_device);
    row.largest_difference = finite_or_infinite(json.at("largest_difference"));
    json.at("largest_magnitude").get_to(row.largest_magnitude);
    json.at("failed_at").get_to(row.failed_at);
    json.at("error").get_to(row.error);
    json.at("remark").get_to(row.remark);
    json.at("clock_mhz").at(0).get_to(row.lowest_clock_mhz);
    json.at("clock_mhz").at(1).get_to(row.highest_clock_mhz);
    if (json.contains("kernels")) {
        row.kernels = kernels_from_json(json.at("kernels"));
    }
    return row;
}

Json to_json(const AppResult &app) {
    Json rows = Json::array();
    for (const Row &row : app.rows) {
        rows.push_back(to_json(row));
    }
    return {{"name", app.name},
            {"size", app.size},
            {"counters", bench::to_json(app.counters)},
            {"error", app.error},
            {"rows", rows}};
}

AppResult app_from_json(const Json &json) {
    AppResult app;
    json.at("name").get_to(app.name);
    json.at("size").get_to(app.size);
    app.counters = counters_from_json(json.at("counters"));
    json.at("error").get_to(app.error);
    for (const Json &row : json.at("rows")) {
        app.rows.push_back(row_from_json(row));
    }
    return app;
}

Json to_json(const MachineInfo &machine) {
    return {{"card", machine.card},
            {"driver", machine.driver},
            {"capability", machine.capability},
            {"sms", machine.sms},
            {"highest_clock_mhz", machine.highest_clock_mhz},
            {"memory_clock_mhz", machine.memory_clock_mhz},
            {"max_registers", machine.max_registers}};
}

MachineInfo machine_from_json(const Json &json) {
    MachineInfo machine;
    json.at("card").get_to(machine.card);
    json.at("driver").get_to(machine.driver);
    json.at("capability").get_to(machine.capability);
    json.at("sms").get_to(machine.sms);
    json.at("highest_clock_mhz").get_to(machine.highest_clock_mhz);
    json.at("memory_clock_mhz").get_to(machine.memory_clock_mhz);
    json.at("max_registers").get_to(machine.max_registers);
    return machine;
}

}  // namespace

nlohmann::ordered_json to_json(const Ceilings &ceilings) {
    Json copies = Json::array();
    for (const CopySpeed &copy : ceilings.copies) {
        copies.push_back({{"bytes", copy.bytes}, {"seconds", copy.seconds}});
    }
    return {{"copies", copies}, {"operations_per_second", ceilings.operations_per_second}, {"error", ceilings.error}};
}

Ceilings ceilings_from_json(const nlohmann::ordered_json &json) {
    Ceilings ceilings;
    for (const Json &copy : json.at("copies")) {
        ceilings.copies.push_back({copy.at("bytes"), copy.at("seconds")});
    }
    json.at("operations_per_second").get_to(ceilings.operations_per_second);
    json.at("error").get_to(ceilings.error);
    return ceilings;
}

nlohmann::ordered_json to_json(const Results &results) {
    Json apps = Json::array();
    for (const AppResult &app : results.apps) {
        apps.push_back(to_json(app));
    }
    return {{"format", 1},
            {"date", results.date},
            {"machine", to_json(results.machine)},
            {"ceilings", to_json(results.ceilings)},
            {"size", results.size},
            {"rounds", results.rounds},
            {"processes", results.processes},
            {"keeps_memory", results.keeps_memory},
            {"apps", apps}};
}

Results results_from_json(const nlohmann::ordered_json &json) {
    Results results;
    json.at("date").get_to(results.date);
    results.machine = machine_from_json(json.at("machine"));
    results.ceilings = ceilings_from_json(json.at("ceilings"));
    json.at("size").get_to(results.size);
    json.at("rounds").get_to(results.rounds);
    results.processes = json.value("processes", 1);
    results.keeps_memory = json.value("keeps_memory", false);
    for (const Json &app : json.at("apps")) {
        results.apps.push_back(app_from_json(app));
    }
    return results;
}

}  // namespace warptile::bench
