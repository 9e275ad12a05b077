#include "verify/ptx/device_code.h"

#include "verify/processes/child.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::vector<std::string> kernel_texts(const Stmt &lowered) {
    class Printer : public IRVisitor {
    public:
        using IRVisitor::visit;

        void visit(const For *op) override {
            if (op->for_type != ForType::GPUBlock) {
                IRVisitor::visit(op);
                return;
            }
            std::ostringstream text;
            text << Stmt(op);
            texts.push_back(text.str());
        }

        std::vector<std::string> texts;
    } printer;

    lowered.accept(&printer);
    return printer.texts;
}

// Halide's lowering names its temporaries t1, t2, ... as it goes through the whole pipeline, so that their numbers in
// one kernel depend on all before it. Here they count from 0 by order of appearance.
std::string with_local_numbers(const std::string &text) {
    static const std::regex temporary("\\bt[0-9]+\\b");
    std::map<std::string, size_t> number;
    std::string result;
    auto rest = text.begin();
    for (std::sregex_iterator m(text.begin(), text.end(), temporary), end; m != end; ++m) {
        result.append(rest, text.begin() + m->position());
        result += "t" + std::to_string(number.emplace(m->str(), number.size()).first->second);
        rest = text.begin() + m->position() + m->length();
    }
    return result.append(rest, text.end());
}

// FNV-1a (64 bits), and the length.
std::string digest(const std::string &kernel_text) {
    const std::string text = with_local_numbers(kernel_text);
    uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    std::ostringstream out;
    out << std::hex << hash << "." << text.size();
    return out.str();
}

// Takes the kernels that are not wanted out of a statement.
class LeaveOut : public IRMutator {
public:
    explicit LeaveOut(const std::vector<bool> &wanted) : wanted(wanted) {}

private:
    using IRMutator::visit;

    Stmt visit(const For *op) override {
        if (op->for_type != ForType::GPUBlock)
            return IRMutator::visit(op);
        return wanted.at(next++) ? Stmt(op) : Evaluate::make(0);
    }

    const std::vector<bool> &wanted;
    size_t next = 0;
};

// The text that Halide puts into the host code for its runtime, ended with a zero.
class FindKernelSource : public IRVisitor {
public:
    using IRVisitor::visit;

    void visit(const Variable *op) override {
        if (!op->image.defined() || op->name.find("_gpu_source_kernels") == std::string::npos)
            return;
        const char *data = static_cast<const char *>(op->image.data());
        text.assign(data, strnlen(data, op->image.size_in_bytes()));
    }

    std::string text;
};

// Deals the kernels for which `open` holds to at most as many shares as can be made at once, the longest first, each to
// the share that is shortest.
std::vector<std::vector<bool>> deal(const std::vector<std::string> &texts, const std::vector<bool> &open,
                                    const LowerOptions &options) {
    std::vector<size_t> order;
    size_t total = 0;
    for (size_t i = 0; i < texts.size(); i++) {
        if (open[i]) {
            order.push_back(i);
            total += texts[i].size();
        }
    }
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return texts[a].size() > texts[b].size(); });
    const size_t most = std::min(size_t(std::max(options.at_once, 1)), order.size());
    const size_t count = std::clamp(total / options.least_share, size_t(1), most);
    std::vector<std::vector<bool>> dealt(count, std::vector<bool>(texts.size(), false));
    std::vector<size_t> length(count, 0);
    for (const size_t kernel : order) {
        const auto share = size_t(std::min_element(length.begin(), length.end()) - length.begin());
        dealt[share][kernel] = true;
        length[share] += texts[kernel].size();
    }
    return dealt;
}

// What a share becomes: a trial with its kernels alone.
Trial make_share(const Stmt &lowered, const Target &target, const LowerOptions &options,
                 const std::vector<bool> &wanted) {
    Trial share;
    const double start = now();
    share.ptx = make_ptx(lowered, target, wanted);
    share.codegen_seconds = now() - start;
    const std::vector<PtxKernel> found = read_ptx(share.ptx);
    const auto expected = size_t(std::count(wanted.begin(), wanted.end(), true));
    if (found.size() != expected) {
        throw std::runtime_error("the lowered code launches " + std::to_string(expected) +
                                 " kernels, but its PTX has " + std::to_string(found.size()));
    }
    for (const PtxKernel &k : found) {  // in the order in which the lowered code launches them
        share.kernels.emplace_back();
        share.kernels.back().ptx = k;
    }
    if (options.sm > 0) {
        const std::string error = assemble_kernels(share, options.sm, options.max_registers);
        if (!error.empty())
            throw std::runtime_error("the PTX does not assemble: " + error);
    }
    return share;
}

void take_share(const Trial &share, const std::vector<bool> &wanted, Trial &trial) {
    size_t next = 0;
    for (size_t i = 0; i < wanted.size(); i++) {
        if (wanted[i]) {
            trial.kernels[i].ptx = share.kernels[next].ptx;
            trial.kernels[i].resources = share.kernels[next].resources;
            next++;
        }
    }
    // Side by side, the slowest counts.
    trial.codegen_seconds = std::max(trial.codegen_seconds, share.codegen_seconds);
    trial.assemble_seconds = std::max(trial.assemble_seconds, share.assemble_seconds);
}

}  // namespace

std::vector<std::string> kernel_digests(const Stmt &lowered) {
    std::vector<std::string> digests;
    for (const std::string &text : kernel_texts(lowered))
        digests.push_back(digest(text));
    return digests;
}

std::string make_ptx(const Stmt &lowered, const Target &target, const std::vector<bool> &wanted) {
    if (std::find(wanted.begin(), wanted.end(), true) == wanted.end())
        return "";
    const Stmt offloaded = inject_gpu_offload(LeaveOut(wanted).mutate(lowered), target);
    FindKernelSource source;
    offloaded.accept(&source);
    return source.text;
}

void add_device_code(const Stmt &lowered, const Target &target, const LowerOptions &options, Trial &trial) {
    const std::vector<std::string> texts = kernel_texts(lowered);
    if (texts.size() != trial.kernels.size()) {
        throw std::runtime_error("the lowered code has " + std::to_string(texts.size()) + " block loops, but " +
                                 std::to_string(trial.kernels.size()) + " kernels were read");
    }
    std::vector<bool> open(texts.size(), true);
    for (size_t i = 0; i < texts.size(); i++) {
        TrialKernel &k = trial.kernels[i];
        k.digest = digest(texts[i]);
        if (const auto known = options.known.find(k.digest); known != options.known.end()) {
            k.ptx = known->second.ptx;
            k.resources = known->second.resources;
            open[i] = false;
        }
    }
    if (std::find(open.begin(), open.end(), true) == open.end())
        return;
    const std::vector<std::vector<bool>> shares = deal(texts, open, options);
    if (shares.size() == 1) {
        const Trial share = make_share(lowered, target, options, shares[0]);
        take_share(share, shares[0], trial);
        trial.ptx = share.ptx;
        return;
    }
    std::vector<std::function<std::string()>> works;
    for (const std::vector<bool> &wanted : shares) {
        works.emplace_back([&] {
            Trial share = make_share(lowered, target, options, wanted);
            share.ptx.clear();  // large, and read already
            return to_json_text(share);
        });
    }
    const std::vector<ChildResult> results = run_in_children(works, options.time_limit_s, options.at_once);
    for (size_t s = 0; s < shares.size(); s++) {
        if (!results[s].ok())
            throw std::runtime_error(results[s].message);
        take_share(trial_from_json_text(results[s].bytes), shares[s], trial);
    }
}

}  // namespace warptile
