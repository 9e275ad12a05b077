#include "schedule/directives/print.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "dag/halide/choice.h"
#include "schedule/directives/bound_names.h"
#include "schedule/directives/stand_in.h"
#include "schedule/passes/add_in_place.h"
#include "schedule/passes/guard_loads.h"
#include "schedule/passes/keep_stored.h"
#include "schedule/passes/launch_in_parts.h"
#include "schedule/passes/room_elsewhere.h"

namespace warptile {

namespace {

std::string join(const std::vector<std::string> &names) {
    std::string text;
    for (const std::string &name : names) {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

const char *tail_name(SplitTail tail) {
    switch (tail) {
    case SplitTail::RoundUp:
        return "TailStrategy::RoundUp";
    case SplitTail::GuardWithIf:
        return "TailStrategy::GuardWithIf";
    case SplitTail::ShiftInwards:
        return "TailStrategy::ShiftInwards";
    }
    return "";
}

std::string extent(const SizeTest &t) {
    return t.local.empty() ? t.func + ".output_buffers()[0].dim(" + std::to_string(t.dim) + ").extent()" : t.local;
}

std::string condition(const Directive &d) {
    std::string text;
    for (const SizeTest &t : d.tests) {
        text += (text.empty() ? "" : " && ") + extent(t) + (t.exact ? " == " : " >= ") + std::to_string(t.extent);
    }
    return text;
}

std::string update(int stage) { return stage == 0 ? "" : ".update(" + std::to_string(stage - 1) + ")"; }

struct Declaration {
    const char *type;
    std::string declarator;
};

Declaration declaration(const Directive &d) {
    const auto number = [&](size_t i) { return std::to_string(d.numbers[i]); };
    const std::string literal = d.local + "(\"" + d.local + "\")";
    switch (d.op) {
    case Op::FetchFunc:
        return {"Func", d.local + " = pipeline.get_func(" + number(0) + ")"};
    case Op::FetchArg:
        return {"Var", d.local + " = " + d.func + ".args()[" + number(0) + "]"};
    case Op::FetchRVar:
        return {"RVar",
                d.local + "(" + d.func + ".update(" + number(0) + ").get_schedule().dims()[" + number(1) + "].var)"};
    case Op::FetchExtent:
        return {"::Halide::Expr", d.local + " = " + d.func + ".update(" + number(0) + ").get_schedule().rvars()[" +
                                      number(1) + "].extent"};
    case Op::NewVar:
        return {"Var", literal};
    case Op::NewRVar:
        return {"RVar", literal};
    case Op::In:
        return {"Func", d.local + " = " + d.func + ".in(" +
                            (d.names.size() > 1 ? "{" + join(d.names) + "}" : join(d.names)) + ")"};
    case Op::Rfactor:
        return {"Func",
                d.local + " = " + d.func + update(d.stage) + ".rfactor(" + d.names[0] + ", " + d.names[1] + ")"};
    case Op::StandIn:
        return {"StandIn", d.local + "(" + d.func + ", " + std::to_string(d.stage - 1) + ")"};
    default:
        return {"::Halide::Stage", d.local + " = " + d.func + update(d.stage) + ".specialize(" + condition(d) + ")"};
    }
}

std::string call(const Directive &d) {
    const auto one = [&](const char *method) { return "." + std::string(method) + "(" + join(d.names) + ")"; };
    switch (d.op) {
    case Op::ComputeRoot:
        return ".compute_root()";
    case Op::ComputeAt:
        return one("compute_at");
    case Op::StoreAt:
        return one("store_at");
    case Op::StoreInRegisters:
        return ".store_in(MemoryType::Register)";
    case Op::ReorderStorage:
        return one("reorder_storage");
    case Op::AlignStorage:
        return ".align_storage(" + d.names[0] + ", " + std::to_string(d.numbers[0]) + ")";
    case Op::BoundExtent:
        return ".bound_extent(" + d.names[0] + ", " + std::to_string(d.numbers[0]) + ")";
    case Op::BoundStorage:
        return ".bound_storage(" + d.names[0] + ", " + std::to_string(d.numbers[0]) + ")";
    case Op::Split:
        return ".split(" + join(d.names) + ", " + std::to_string(d.numbers[0]) + ", " + tail_name(d.tail) + ")";
    case Op::SplitOutermost:
        return ".split(Var::outermost(), Var::outermost(), " + d.names[0] + ", 1)";
    case Op::Fuse:
        return one("fuse");
    case Op::Reorder:
        return one("reorder");
    case Op::Unroll:
        return one("unroll");
    case Op::Atomic:
        return ".atomic()";
    case Op::AllowRaces:
        return ".allow_race_conditions()";
    case Op::GpuBlocks:
        return one("gpu_blocks");
    case Op::GpuThreads:
        return one("gpu_threads");
    case Op::GpuLanes:
        return one("gpu_lanes");
    case Op::GpuSingleThread:
        return ".gpu_single_thread()";
    default:
        return "";
    }
}

/// What the calls of a chain are made on.
std::string subject(const Directive &d) { return d.specialized.empty() ? d.func + update(d.stage) : d.specialized; }

constexpr size_t kLineWidth = 116;

/// Writes statements: declarations of one type side by side, and calls on one subject as a chain.
class Printer {
public:
    void add(const Directive &d) {
        if (d.op == Op::PutBack) {
            end_statement();
            out_ << d.names[0] << ".put_back(" << d.func << ", " << d.stage - 1 << ");\n";
        } else if (d.op == Op::TakeBoundNames) {
            end_statement();
            out_ << "BoundNames::take(" << d.func << ");\n";
        } else if (d.op <= Op::Specialize) {
            const Declaration declared = declaration(d);
            // Declarations may use each other, which one statement allows: each name is known after its declarator.
            continue_statement(declared.type, declared.type + std::string(" ") + declared.declarator,
                               ", " + declared.declarator);
        } else {
            const std::string text = call(d);
            continue_statement(subject(d), subject(d) + text, text);
        }
    }

    std::string finish() {
        end_statement();
        return out_.str();
    }

private:
    void continue_statement(const std::string &kind, const std::string &first, const std::string &next) {
        if (kind != kind_) {
            end_statement();
            kind_ = kind;
            out_ << first;
            column_ = first.size();
            return;
        }
        if (column_ + next.size() > kLineWidth) {
            const size_t blank = next.compare(0, 2, ", ") == 0 ? 2 : 0;
            out_ << (blank ? ",\n    " : "\n    ") << next.substr(blank);
            column_ = 4 + next.size() - blank;
            return;
        }
        out_ << next;
        column_ += next.size();
    }

    void end_statement() {
        if (!kind_.empty()) {
            out_ << ";\n";
            kind_.clear();
        }
    }

    std::ostringstream out_;
    std::string kind_;  // what the open statement declares, or is a chain of calls on; empty: none is open
    size_t column_ = 0;
};

/// Whether a block has a Func in shared memory that is not as large as the schedule says.
bool keeps_what_has_no_bound(const std::vector<Directive> &directives) {
    std::map<std::string, int> unbounded;  // dimensions, by Func
    std::set<std::string> blocks;          // loops
    for (const Directive &d : directives) {
        unbounded[d.func] += d.op == Op::FetchArg ? 1 : d.op == Op::BoundStorage ? -1 : 0;
        if (d.op == Op::GpuBlocks) {
            blocks.insert(d.names.begin(), d.names.end());
        }
    }
    return std::any_of(directives.begin(), directives.end(), [&](const Directive &d) {
        return d.op == Op::ComputeAt && blocks.count(d.names[1]) > 0 && unbounded[d.func] > 0;
    });
}

}  // namespace

std::string print(const std::vector<Directive> &directives) {
    Printer printer;
    std::string helpers;
    const auto has = [&](Op op) {
        return std::any_of(directives.begin(), directives.end(), [&](const Directive &d) { return d.op == op; });
    };
    if (has(Op::Atomic)) {
        helpers += std::string(kAddInPlace) + "pipeline.add_custom_lowering_pass(new AddInPlace);\n";
    }
    if (has(Op::GpuBlocks)) {
        // Steps of an update that are taken together may go on from one to the next.
        const bool chains = std::any_of(directives.begin(), directives.end(),
                                        [](const Directive &d) { return d.op == Op::Unroll && d.stage > 0; });
        helpers += std::string(kGuardLoads) + "pipeline.add_custom_lowering_pass(new GuardLoads);\n";
        if (chains) {
            helpers += std::string(kKeepStored) + "pipeline.add_custom_lowering_pass(new KeepStored);\n";
        }
        if (keeps_what_has_no_bound(directives)) {
            helpers += std::string(kRoomElsewhere) + "pipeline.add_custom_lowering_pass(new RoomElsewhere);\n";
        }
        helpers += std::string(kLaunchInParts) + "pipeline.add_custom_lowering_pass(new LaunchInParts);\n";
    }
    if (has(Op::TakeBoundNames)) {
        helpers += kBoundNames;
    }
    if (has(Op::StandIn)) {
        helpers += std::string(kChoice) + kStandIn;
    }
    for (const Directive &d : directives) {
        printer.add(d);
    }
    return helpers + printer.finish();
}

}  // namespace warptile
