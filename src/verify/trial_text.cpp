// A trial as text, to be read.
#include "verify/trial.h"

#include <sstream>

namespace warptile {

std::string to_string(TrialAllocation::Place place) {
    constexpr const char *names[] = {"thread", "shared", "scratch", "device", "host and device", "host"};
    return names[int(place)];
}

namespace {

std::string short_number(const TrialNumber &n) {
    if (n.exact)
        return n.text;
    if (n.at_most)
        return "<=" + std::to_string(*n.at_most);
    return n.text.size() <= 40 ? n.text : "?";
}

std::string extents(const TrialNumber (&n)[3]) {
    return short_number(n[0]) + " x " + short_number(n[1]) + " x " + short_number(n[2]);
}

std::string joined(const std::vector<std::string> &words) {
    std::string all;
    for (const std::string &w : words)
        all += (all.empty() ? "" : ", ") + w;
    return all;
}

void describe(std::ostream &out, const TrialAllocation &a) {
    out << "    " << to_string(a.place) << ": " << joined(a.funcs) << ", " << a.type << ", " << short_number(a.bytes)
        << " bytes\n";
}

void describe(std::ostream &out, const StorageBoundCheck &c) {
    const char *verdict = c.always_fails ? "never holds" : c.holds() ? "holds" : "not proved";
    out << "    storage bound of " << c.func << "." << c.dimension << ": " << short_number(c.bound) << " for "
        << short_number(c.required) << ", " << verdict << "\n";
}

void describe(std::ostream &out, const PtxKernel &p) {
    const InstructionCounts &c = p.counts;
    out << "    ptx: " << c.global.load_count() << " loads, " << c.global.store_count() << " stores, shared "
        << c.shared.load_count() << "+" << c.shared.store_count() << ", stack " << c.local.load_count() << "+"
        << c.local.store_count() << ", " << c.shuffles << " shuffles, " << c.barriers << " barriers, " << c.atomics
        << " atomics, " << c.float_ops << " float, " << c.int_ops << " int, " << c.special_ops << " special, "
        << c.branches << " branches\n";
}

void describe(std::ostream &out, const KernelResources &r) {
    out << "    " << r.registers << " registers (" << to_string(r.source) << "), spills " << r.spill_store_bytes << "+"
        << r.spill_load_bytes << " bytes, stack " << r.stack_bytes << " bytes\n";
}

void describe(std::ostream &out, const TrialKernel &k) {
    out << "kernel of " << k.func << (k.stage > 0 ? ", update " + std::to_string(k.stage) : "") << ": "
        << joined(k.funcs) << "\n    blocks " << extents(k.blocks) << ", threads " << extents(k.threads)
        << (k.lanes ? ", lanes" : "") << (k.divergent_shuffles ? ", divergent shuffles" : "") << ", shared "
        << short_number(k.shared_bytes) << " bytes\n";
    if (!k.condition.empty())
        out << "    if " << k.condition << "\n";
    for (const TrialAllocation &a : k.allocations)
        describe(out, a);
    for (const StorageBoundCheck &c : k.storage_bound_checks)
        describe(out, c);
    if (k.ptx)
        describe(out, *k.ptx);
    if (k.resources)
        describe(out, *k.resources);
}

}  // namespace

std::string describe(const Trial &trial) {
    std::ostringstream out;
    for (const TrialKernel &k : trial.kernels)
        describe(out, k);
    if (!trial.allocations.empty() || !trial.host_loops.empty())
        out << "host code\n";
    for (const TrialAllocation &a : trial.allocations)
        describe(out, a);
    for (const StorageBoundCheck &c : trial.storage_bound_checks)
        describe(out, c);
    for (const HostLoop &l : trial.host_loops) {
        out << "    " << l.kind << " loop " << l.name << ", " << short_number(l.extent)
            << (l.launches_kernels ? ", launches kernels" : "") << "\n";
    }
    out << "lowered in " << trial.lower_seconds << " s, to PTX in " << trial.codegen_seconds << " s, assembled in "
        << trial.assemble_seconds << " s\n";
    return out.str();
}

}  // namespace warptile
