#include "schedule/print.h"

#include <sstream>

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

std::string condition(const Directive &d) {
    std::string text;
    for (const SizeTest &t : d.tests) {
        text += (text.empty() ? "" : " && ") + t.func + ".output_buffers()[0].dim(" + std::to_string(t.dim) +
                ").extent() >= " + std::to_string(t.extent);
    }
    return text;
}

std::string update(int stage) {
    return stage == 0 ? "" : ".update(" + std::to_string(stage - 1) + ")";
}

/// `Func`s and loops declared alike stand in one statement, so that a group of names takes one line.
std::string declaration(const Directive &d) {
    const auto number = [&](size_t i) { return std::to_string(d.numbers[i]); };
    switch (d.op) {
    case Op::FetchFunc:
        return "Func " + d.local + " = pipeline.get_func(" + number(0) + ")";
    case Op::FetchArg:
        return "Var " + d.local + " = " + d.func + ".args()[" + number(0) + "]";
    case Op::FetchRVar:
        return "RVar " + d.local + "(" + d.func + ".update(" + number(0) + ").get_schedule().dims()[" + number(1) +
               "].var)";
    case Op::NewVar:
        return "Var " + d.local + "(\"" + d.local + "\")";
    case Op::NewRVar:
        return "RVar " + d.local + "(\"" + d.local + "\")";
    case Op::In:
        return "Func " + d.local + " = " + d.func + (d.names.empty() ? ".in()" : ".in({" + join(d.names) + "})");
    case Op::Rfactor:
        return "Func " + d.local + " = " + d.func + update(d.stage) + ".rfactor(" + d.names[0] + ", " + d.names[1] +
               ")";
    default:
        return "::Halide::Stage " + d.local + " = " + d.func + ".specialize(" + condition(d) + ")";
    }
}

std::string call(const Directive &d) {
    const auto one = [&](const char *method) { return "." + std::string(method) + "(" + join(d.names) + ")"; };
    switch (d.op) {
    case Op::ComputeRoot:
        return ".compute_root()";
    case Op::ComputeAt:
        return one("compute_at");
    case Op::ReorderStorage:
        return one("reorder_storage");
    case Op::AlignStorage:
        return ".align_storage(" + d.names[0] + ", " + std::to_string(d.numbers[0]) + ")";
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
std::string subject(const Directive &d) {
    return d.specialized.empty() ? d.func + update(d.stage) : d.specialized;
}

constexpr size_t kLineWidth = 116;

} // namespace

std::string print(const std::vector<Directive> &directives) {
    std::ostringstream out;
    std::string chain; // the subject of the statement being written
    size_t column = 0;
    const auto end_chain = [&] {
        if (!chain.empty()) {
            out << ";\n";
            chain.clear();
        }
    };
    for (const Directive &d : directives) {
        if (d.op <= Op::Specialize) {
            end_chain();
            out << declaration(d) << ";\n";
            continue;
        }
        const std::string text = call(d);
        if (chain != subject(d)) {
            end_chain();
            chain = subject(d);
            out << chain;
            column = chain.size();
        }
        if (column + text.size() > kLineWidth) {
            out << "\n    ";
            column = 4;
        }
        out << text;
        column += text.size();
    }
    end_chain();
    return out.str();
}

} // namespace warptile
