#include "plugin/analysis.h"

#include "dag/halide/user_name.h"
#include "dag/read.h"
#include "machine/error.h"
#include "model/serial_work.h"
#include "plugin/find_plan.h"
#include "plugin/halide_version.h"
#include "plugin/progress.h"
#include "schedule/directives/directives.h"
#include "schedule/directives/print.h"
#include "schedule/plan_json.h"
#include "schedule/rules/check_plan.h"
#include "schedule/tell_unseen_where.h"
#include "verify/processes/child.h"
#include "verify/verify.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include <nlohmann/json.hpp>

namespace warptile {

namespace {

// Generous: only there for a child that hangs.
constexpr double kTimeLimitS = 1200;
// Of reading the pipeline, and of each kernel: seconds of the processor's time, of which a kernel takes less than one.
constexpr int kCpuLimitS = 30;
// Kernels that are given up, each of which costs another search, before the whole plan becomes plain.
constexpr size_t kMostLeftPlain = 8;

void check_halide() {
    if (!runs_in_that_halide()) {
        throw Error("this WarpTile was built for Halide " + built_for_halide() +
                    ", and another version loaded it; build WarpTile against the Halide that you use");
    }
}

void check_unscheduled(const FunctionDag &dag) {
    // Of what the user's `in` made, the Func that it was called on; of what `rfactor` did, the consumer of that.
    for (const bool wrapper : {false, true}) {
        for (size_t i = dag.nodes.size(); i-- > 0;) {
            const Node &n = dag.nodes[i];
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
             const Parameters &parameters, const Debug &debug, const Progress &progress)
        : outputs_(outputs), target_(target), machine_(machine), parameters_(parameters), debug_(debug),
          progress_(progress) {}

    /// Without looking for kernels of those that are `left_plain`.
    Analysis run(const std::vector<LeftPlain> &left_plain) {
        if (!debug_.in_process()) {
            progress_.limit_cpu_seconds(kCpuLimitS);
        }
        check_halide();
        progress_.begin(Progress::Phase::Dag);
        const FunctionDag dag = read_function_dag(outputs_, target_);
        say("dag", [&] { return to_string(dag); });
        check_unscheduled(dag);
        if (!parameters_.plan_in.empty()) {
            return verify_given(read_plan(parameters_.plan_in, dag), dag);
        }
        SearchOptions options;
        options.max_registers = parameters_.max_registers;
        options.reassociate = parameters_.reassociate;
        options.cost_model = parameters_.cost_model;
        options.space = parameters_.space;
        options.left_plain = left_plain;
        options.begin_group = [&](int node) {
            progress_.begin(Progress::Phase::Search, node, user_name(dag, dag.node(node)));
        };
        progress_.begin(Progress::Phase::Search);
        const TellPhase tell = [&](const char *phase, const auto &text) {
            progress_.begin(phase == std::string("search") ? Progress::Phase::Verify : Progress::Phase::Search);
            say(phase, text);
        };
        const FoundPlan found = find_plan(dag, outputs_, target_, machine_, options, verify_options(), tell);
        return conclude(found.verified, found.notices, dag);
    }

    /// What needs no analysis.
    Analysis run_plainly() {
        const Verified verified = find_plain_plan(outputs_, target_, machine_, verify_options());
        say("verify", [&] { return verified.log; });
        return concluded(verified, verified.notices);
    }

private:
    /// A person's plan is taken as it is or refused: falling back would hide what they want to see.
    Analysis verify_given(Plan plan, const FunctionDag &dag) {
        name_funcs(plan, dag);
        Candidates candidates;
        candidates.groups.assign(plan.groups.size(), {1});
        candidates.names = user_names(dag);
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
        return conclude(verified, verified.notices, dag);
    }

    Analysis concluded(const Verified &verified, const std::vector<Notice> &notices) const {
        Analysis analysis;
        analysis.plan = verified.plan;
        analysis.groups = static_cast<int>(verified.plan.groups.size());
        analysis.fallbacks = verified.fallbacks;
        if (verified.choice.empty() && !verified.ok) {
            const Notice why = verified.wrong.empty() ? Notice() : verified.wrong.front();
            throw Error("Halide cannot compile the Func '" + why.func + "', on the host either: " + why.reason);
        }
        analysis.notices = notices;
        analysis.log = log_;
        return analysis;
    }

    Analysis conclude(const Verified &verified, const std::vector<Notice> &notices, const FunctionDag &dag) {
        Analysis analysis = concluded(verified, notices);
        analysis.plan.fingerprint = dag.fingerprint;
        for (const Notice &n : tell_unseen_where(dag)) {
            analysis.notices.push_back(n);
        }
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
    Progress progress_;
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

/// How a child ended that gave no answer, as words that follow what it did.
std::string ended(const ChildResult &result) { return to_string(result.end) + ": " + result.message; }

}  // namespace

Analysis analyse(const std::vector<Halide::Func> &outputs, const Halide::Target &target, const Machine &machine,
                 const Parameters &parameters, const Debug &debug) {
    const Progress progress;
    ChildMode mode;
    mode.in_process = debug.in_process();
    const auto in_child = [&](const std::function<Analysis(Thinking &)> &think) {
        const auto work = [&]() -> std::string {
            try {
                Thinking thinking(outputs, target, machine, parameters, debug, progress);
                return to_bytes(think(thinking));
            } catch (const Error &e) {
                return nlohmann::json{{"error", e.what()}}.dump();
            }
        };
        return run_in_child(work, kTimeLimitS, mode);
    };
    std::vector<LeftPlain> left_plain;
    ChildResult result;
    while (true) {
        result = in_child([&](Thinking &thinking) { return thinking.run(left_plain); });
        if (result.ok()) {
            return from_bytes(result.bytes);
        }
        const auto is_here = [&](const LeftPlain &left) { return left.node == progress.node(); };
        if (progress.phase() != Progress::Phase::Search || progress.node() < 0 || left_plain.size() >= kMostLeftPlain ||
            std::any_of(left_plain.begin(), left_plain.end(), is_here)) {
            break;
        }
        left_plain.push_back(
            {progress.node(), "its kernel is a plain one, since the search for a better one " + ended(result)});
    }
    const ChildResult plain = in_child([](Thinking &thinking) { return thinking.run_plainly(); });
    if (!plain.ok()) {
        throw Error("the pipeline can neither be analysed (" + ended(result) + ") nor scheduled plainly (" +
                    ended(plain) + ")");
    }
    Analysis analysis = from_bytes(plain.bytes);
    analysis.fallbacks = analysis.groups;
    analysis.failed = true;
    analysis.why_failed = ended(result);
    const std::string output = outputs.empty() ? "" : user_name(outputs.back().name());
    analysis.notices.insert(
        analysis.notices.begin(),
        {progress.func().empty() ? output : progress.func(),
         "the whole pipeline is scheduled plainly, a kernel a stage, since its analysis " + analysis.why_failed});
    return analysis;
}

}  // namespace warptile
