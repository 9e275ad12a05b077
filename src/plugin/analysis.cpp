#include "plugin/analysis.h"

#include "dag/read.h"
#include "dag/user_name.h"
#include "machine/error.h"
#include "model/serial_work.h"
#include "plugin/find_plan.h"
#include "plugin/halide_version.h"
#include "schedule/check_plan.h"
#include "schedule/directives.h"
#include "schedule/plain_plan.h"
#include "schedule/plan_json.h"
#include "schedule/print.h"
#include "verify/child.h"
#include "verify/verify.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>

#include <nlohmann/json.hpp>

namespace warptile {

namespace {

// Generous: only there for a child that hangs.
constexpr double kTimeLimitS = 1200;

void check_halide() {
    if (!runs_in_that_halide()) {
        throw Error("this WarpTile was built for Halide " + built_for_halide() +
                    ", and another version loaded it; build WarpTile against the Halide that you use");
    }
}

void check_unscheduled(const FunctionDag &dag) {
    for (const bool wrapper : {false, true}) {  // of what the user's `in` made, the Func that it was called on
        for (const Node &n : dag.nodes) {
            if (n.wrapper == wrapper && !n.scheduled_by.empty()) {
                const char *const what = n.kind == NodeKind::Input ? "input '" : "Func '";
                throw Error("the " + std::string(what) + user_name(dag, n) + "' has a schedule already, by " +
                            n.scheduled_by + "; remove that call, or do not ask for an autoscheduler");
            }
        }
    }
}

/// The user's own plan, checked against the pipeline it is to schedule.
Plan read_plan(const std::string &path, const FunctionDag &dag) {
    std::ifstream file(path);
    if (!file) {
        throw Error("plan_in: cannot read '" + path + "'");
    }
    std::ostringstream text;
    text << file.rdbuf();
    Plan plan = plan_from_json(text.str(), path);
    if (plan.fingerprint != dag.fingerprint) {
        throw Error("plan_in: '" + path + "' was made for another pipeline (fingerprint " + plan.fingerprint +
                    ", this one's is " + dag.fingerprint + "); make it anew with plan_out");
    }
    const std::string problem = check_plan(plan, dag);
    if (!problem.empty()) {
        throw Error("plan_in: '" + path + "': " + problem);
    }
    return plan;
}

/// Names are of this process: a file's may carry other suffixes.
void name_funcs(Plan &plan, const FunctionDag &dag) {
    plan.names.assign(static_cast<size_t>(plan.funcs), "");
    for (const Node &n : dag.nodes) {
        if (n.func_index >= 0) {
            plan.names[static_cast<size_t>(n.func_index)] = n.name;
        }
    }
}

class Thinking {
public:
    Thinking(const std::vector<Halide::Func> &outputs, const Halide::Target &target, const Machine &machine,
             const Parameters &parameters, const Debug &debug)
        : outputs_(outputs), target_(target), machine_(machine), parameters_(parameters), debug_(debug) {}

    Analysis run() {
        check_halide();
        const FunctionDag dag = read_function_dag(outputs_, target_);
        say("dag", [&] { return to_string(dag); });
        check_unscheduled(dag);
        if (!parameters_.plan_in.empty()) {
            return verify_given(read_plan(parameters_.plan_in, dag), dag);
        }
        SearchOptions options;
        options.max_registers = parameters_.max_registers;
        options.reassociate = parameters_.reassociate;
        const TellPhase tell = [&](const char *phase, const auto &text) { say(phase, text); };
        return conclude(find_plan(dag, outputs_, target_, machine_, options, verify_options(), tell).verified, dag);
    }

private:
    /// A person's plan is taken as it is or refused: falling back would hide what they want to see.
    Analysis verify_given(Plan plan, const FunctionDag &dag) {
        name_funcs(plan, dag);
        Candidates candidates;
        candidates.groups.assign(plan.groups.size(), {1});
        candidates.assemble = [&](const std::vector<int> &) { return plan; };
        const Verified verified = verify(candidates, outputs_, target_, machine_, verify_options());
        if (!verified.ok) {
            std::string problems;
            for (const Notice &n : verified.wrong) {
                problems += "\n  '" + n.func + "': " + n.reason;
            }
            throw Error("plan_in: '" + parameters_.plan_in + "' does not compile as planned:" + problems);
        }
        say("verify", [&] { return verified.log; });
        return conclude(verified, dag);
    }

    Analysis conclude(const Verified &verified, const FunctionDag &dag) {
        Analysis analysis;
        analysis.plan = verified.plan;
        analysis.groups = static_cast<int>(verified.plan.groups.size());
        analysis.fallbacks = verified.fallbacks;
        if (verified.choice.empty() && !verified.ok) {
            throw std::runtime_error("found no plan that can be lowered: " +
                                     (verified.wrong.empty() ? "" : verified.wrong.front().reason));
        }
        analysis.plan.fingerprint = dag.fingerprint;
        analysis.notices = verified.notices;
        for (const Notice &n : serial_work(analysis.plan, dag, parameters_.reassociate)) {
            analysis.notices.push_back(n);
        }
        say("plan", [&] { return to_json(analysis.plan); });
        say("schedule", [&] { return print(make_directives(analysis.plan, outputs_)); });
        analysis.log = log_;
        return analysis;
    }

    VerifyOptions verify_options() const {
        VerifyOptions options;
        options.max_registers = parameters_.max_registers;
        options.at_once = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 8U));
        return options;
    }

    template<typename Text>
    void say(const char *phase, const Text &text) {
        if (debug_.wants(phase)) {
            log_ += "---- WarpTile " + std::string(phase) + "\n" + text() + "\n";
        }
    }

    const std::vector<Halide::Func> &outputs_;
    const Halide::Target &target_;
    const Machine &machine_;
    const Parameters &parameters_;
    const Debug &debug_;
    std::string log_;
};

// ---- Across the pipe ---------------------------------------------------------------------------------------------

std::string to_bytes(const Analysis &a) {
    nlohmann::json notices = nlohmann::json::array();
    for (const Notice &n : a.notices) {
        notices.push_back({n.func, n.reason});
    }
    return nlohmann::json{{"plan", to_json(a.plan)},
                          {"groups", a.groups},
                          {"fallbacks", a.fallbacks},
                          {"notices", notices},
                          {"log", a.log}}
        .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);  // a reason may quote anything
}

Analysis from_bytes(const std::string &bytes) {
    const nlohmann::json json = nlohmann::json::parse(bytes);
    if (json.contains("error")) {
        throw Error(json.at("error").get<std::string>());
    }
    Analysis a;
    a.plan = plan_from_json(json.at("plan").get<std::string>());
    json.at("groups").get_to(a.groups);
    json.at("fallbacks").get_to(a.fallbacks);
    for (const nlohmann::json &n : json.at("notices")) {
        a.notices.push_back({n.at(0).get<std::string>(), n.at(1).get<std::string>()});
    }
    json.at("log").get_to(a.log);
    return a;
}

}  // namespace

Analysis analyse(const std::vector<Halide::Func> &outputs, const Halide::Target &target, const Machine &machine,
                 const Parameters &parameters, const Debug &debug) {
    const auto think = [&]() -> std::string {
        try {
            return to_bytes(Thinking(outputs, target, machine, parameters, debug).run());
        } catch (const Error &e) {
            return nlohmann::json{{"error", e.what()}}.dump();
        }
    };
    ChildMode mode;
    mode.in_process = debug.in_process();
    const ChildResult result = run_in_child(think, kTimeLimitS, mode);
    if (result.ok()) {
        return from_bytes(result.bytes);
    }
    Analysis analysis;
    analysis.plan = plain_plan(outputs);
    analysis.groups = static_cast<int>(analysis.plan.groups.size());
    analysis.fallbacks = analysis.groups;
    analysis.failed = true;
    analysis.why_failed = to_string(result.end) + ": " + result.message;
    const std::string output = outputs.empty() ? "" : user_name(outputs.back().name());
    analysis.notices = {{output, "the whole pipeline is scheduled plainly, a kernel a stage, since its analysis " +
                                     analysis.why_failed}};
    return analysis;
}

}  // namespace warptile
