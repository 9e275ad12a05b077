#include "plugin/report.h"

#include "dag/pipeline_counters.h"
#include "dag/read.h"
#include "machine/error.h"
#include "model/jangda2020.h"
#include "model/plan_kernels.h"
#include "model/roofline.h"
#include "model/traffic.h"
#include "plugin/output_file.h"
#include "verify/processes/child.h"

#include <functional>
#include <nlohmann/json.hpp>

namespace warptile {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kTimeLimitS = 60;

Json to_json(const std::vector<BufferBytes> &buffers) {
    Json list = Json::array();
    for (const BufferBytes &buffer : buffers) {
        list.push_back({{"name", buffer.name}, {"bytes", buffer.bytes}});
    }
    return list;
}

Json to_json(const PipelineCounters &counters) {
    return {{"compulsory_bytes", counters.compulsory_bytes()},
            {"operations", counters.operations()},
            {"float_operations", counters.float_ops},
            {"integer_operations", counters.int_ops},
            {"special_operations", counters.special_ops},
            {"inputs", to_json(counters.inputs)},
            {"outputs", to_json(counters.outputs)}};
}

/// What Algorithm 2 of PACT 2020 says, with the transactions that the card's loads make.
Json to_json(const FusedGroup &group, const Machine &machine) {
    const Algorithm2 result = algorithm2(machine, group, machine.weights.jangda2020.transaction_bytes);
    if (!result.infeasible.empty()) {
        return {{"infeasible", result.infeasible}};
    }
    return {{"cost", result.cost},
            {"transactions", group.gl_mem_txs},
            {"occupancy", result.occupancy},
            {"memory_over_compute", result.mem_over_compute},
            {"unallocated_shared", result.unallocated_sh_mem},
            {"unused_registers", result.unused_reg},
            {"overlap", group.frac_overlap},
            {"extra_blocks", result.extra_tbs}};
}

Json to_json(const PlanKernel &planned, const Machine &machine, int max_registers) {
    Json json{{"writes", planned.output}, {"stage", planned.stage}};
    if (planned.on_host) {
        json["on_host"] = true;
        return json;
    }
    const Cost cost = cost_of(Roofline(machine, max_registers), planned);
    if (cost.feasible) {
        json["predicted_us"] = cost.total;
        for (const auto &[name, value] : cost.terms) {
            json["terms"][name] = value;
        }
    }
    const int bytes = machine.weights.jangda2020.transaction_bytes;
    if (planned.sweep) {
        json["dram_bytes"] = planned.sweep->compulsory;
        json["l2_bytes"] = planned.sweep->moved;
        json["threads"] = planned.sweep->threads;
        json["jangda2020"] = to_json(fused_group(machine, *planned.sweep, bytes), machine);
        return json;
    }
    const GroupView &view = *planned.view;
    const Geometry g = geometry(view, planned.kernel);
    const Demand demand = demand_of(machine, view, planned.kernel, g, work_of(view, planned.kernel, g));
    const Traffic traffic = traffic_of(machine, view, planned.kernel, g, demand);
    json["dram_bytes"] = traffic.dram_bytes;
    json["l2_bytes"] = traffic.l2_bytes;
    json["threads"] = g.blocks * double(g.threads);
    json["jangda2020"] = to_json(fused_group(machine, view, planned.kernel, bytes), machine);
    return json;
}

std::string in_child(const std::function<Json()> &work) {
    const ChildResult result = run_in_child([&] { return work().dump(); }, kTimeLimitS);
    if (!result.ok()) {
        throw Error("report: " + result.message);
    }
    return result.bytes;
}

Json pipeline_report(const std::vector<Halide::Func> &outputs, const Halide::Target &target) {
    return Json::parse(in_child([&] {
        const FunctionDag dag = read_function_dag(outputs, target);
        return Json{
            {"format", 1}, {"fingerprint", dag.fingerprint}, {"pipeline", to_json(count_pipeline(outputs, dag))}};
    }));
}

void write(const Json &report, const std::string &path) {
    write_file("report", path, report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace

void write_report(const std::string &path, const std::vector<Halide::Func> &outputs, const Halide::Target &target) {
    write(pipeline_report(outputs, target), path);
}

void write_report(const std::string &path, const std::vector<Halide::Func> &outputs, const Halide::Target &target,
                  const PlanReport &planned) {
    Json report = pipeline_report(outputs, target);
    report["gpu"] = planned.machine.gpu.name;
    report["fallbacks"] = planned.fallbacks;
    report["notices"] = Json::array();
    for (const Notice &n : planned.notices) {
        report["notices"].push_back({{"func", n.func}, {"reason", n.reason}});
    }
    try {
        report["kernels"] = Json::parse(in_child([&] {
            const FunctionDag dag = read_function_dag(outputs, target);
            Json kernels = Json::array();
            for (const PlanKernel &kernel : kernels_of(planned.plan, dag)) {
                kernels.push_back(to_json(kernel, planned.machine, planned.max_registers));
            }
            return kernels;
        }));
    } catch (const Error &error) {
        report["kernels_error"] = error.what();  // a plan that the models cannot cost is a plan nevertheless
    }
    write(report, path);
}

}  // namespace warptile
