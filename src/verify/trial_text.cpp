// A trial as JSON, to cross the pipe, and as text, to be read.
#include "verify/trial.h"

#include <nlohmann/json.hpp>

#include <sstream>

namespace warptile {

using nlohmann::json;

namespace {

constexpr const char *place_names[] = {"thread", "shared", "scratch", "device", "host and device", "host"};

template<typename T>
json optional_to_json(const std::optional<T> &o) {
    return o ? json(*o) : json();
}

template<typename T>
void optional_from_json(const json &j, std::optional<T> &o) {
    if (j.is_null()) {
        o.reset();
    } else {
        o = j.get<T>();
    }
}

// Maps with number keys are lists of pairs in JSON.
json pairs(const std::map<int, int> &m) { return json(std::vector<std::pair<int, int>>(m.begin(), m.end())); }

std::map<int, int> map_of(const json &j) {
    const auto list = j.get<std::vector<std::pair<int, int>>>();
    return {list.begin(), list.end()};
}

template<typename T, size_t n>
void array_from_json(const json &j, T (&array)[n]) {
    for (size_t i = 0; i < n; i++)
        j.at(i).get_to(array[i]);
}

}  // namespace

// nlohmann finds these by their names.

static void to_json(json &j, const TrialNumber &n) {
    j = {{"text", n.text}, {"at_most", optional_to_json(n.at_most)}, {"exact", n.exact}};
}

static void from_json(const json &j, TrialNumber &n) {
    j.at("text").get_to(n.text);
    optional_from_json(j.at("at_most"), n.at_most);
    j.at("exact").get_to(n.exact);
}

static void to_json(json &j, const TrialAllocation &a) {
    j = {{"name", a.name}, {"funcs", a.funcs}, {"type", a.type}, {"place", int(a.place)}, {"bytes", a.bytes}};
}

static void from_json(const json &j, TrialAllocation &a) {
    j.at("name").get_to(a.name);
    j.at("funcs").get_to(a.funcs);
    j.at("type").get_to(a.type);
    a.place = TrialAllocation::Place(j.at("place").get<int>());
    j.at("bytes").get_to(a.bytes);
}

static void to_json(json &j, const StorageBoundCheck &c) {
    j = {{"func", c.func},
         {"dimension", c.dimension},
         {"bound", c.bound},
         {"required", c.required},
         {"always_fails", c.always_fails}};
}

static void from_json(const json &j, StorageBoundCheck &c) {
    j.at("func").get_to(c.func);
    j.at("dimension").get_to(c.dimension);
    j.at("bound").get_to(c.bound);
    j.at("required").get_to(c.required);
    j.at("always_fails").get_to(c.always_fails);
}

static void to_json(json &j, const MemoryCounts &m) { j = {{"loads", pairs(m.loads)}, {"stores", pairs(m.stores)}}; }

static void from_json(const json &j, MemoryCounts &m) {
    m.loads = map_of(j.at("loads"));
    m.stores = map_of(j.at("stores"));
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(InstructionCounts, global, shared, local, shuffles, barriers, atomics, swaps,
                                   float_ops, int_ops, special_ops, conversions, branches, traps, other)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PtxKernel, name, counts, shared_bytes, local_bytes, registers)

static void to_json(json &j, const KernelResources &r) {
    j = {{"name", r.name},
         {"registers", r.registers},
         {"spill_store_bytes", r.spill_store_bytes},
         {"spill_load_bytes", r.spill_load_bytes},
         {"stack_bytes", r.stack_bytes},
         {"shared_bytes", r.shared_bytes},
         {"source", int(r.source)}};
}

static void from_json(const json &j, KernelResources &r) {
    j.at("name").get_to(r.name);
    j.at("registers").get_to(r.registers);
    j.at("spill_store_bytes").get_to(r.spill_store_bytes);
    j.at("spill_load_bytes").get_to(r.spill_load_bytes);
    j.at("stack_bytes").get_to(r.stack_bytes);
    j.at("shared_bytes").get_to(r.shared_bytes);
    r.source = KernelResources::Source(j.at("source").get<int>());
}

static void to_json(json &j, const TrialKernel &k) {
    j = {{"loop", k.loop},
         {"func", k.func},
         {"stage", k.stage},
         {"condition", k.condition},
         {"funcs", k.funcs},
         {"blocks", k.blocks},
         {"threads", k.threads},
         {"lanes", k.lanes},
         {"stores_func", k.stores_func},
         {"divergent_shuffles", k.divergent_shuffles},
         {"allocations", k.allocations},
         {"storage_bound_checks", k.storage_bound_checks},
         {"shared_bytes", k.shared_bytes},
         {"digest", k.digest},
         {"ptx", optional_to_json(k.ptx)},
         {"resources", optional_to_json(k.resources)}};
}

static void from_json(const json &j, TrialKernel &k) {
    j.at("loop").get_to(k.loop);
    j.at("func").get_to(k.func);
    j.at("stage").get_to(k.stage);
    j.at("condition").get_to(k.condition);
    j.at("funcs").get_to(k.funcs);
    array_from_json(j.at("blocks"), k.blocks);
    array_from_json(j.at("threads"), k.threads);
    j.at("lanes").get_to(k.lanes);
    j.at("stores_func").get_to(k.stores_func);
    j.at("divergent_shuffles").get_to(k.divergent_shuffles);
    j.at("allocations").get_to(k.allocations);
    j.at("storage_bound_checks").get_to(k.storage_bound_checks);
    j.at("shared_bytes").get_to(k.shared_bytes);
    j.at("digest").get_to(k.digest);
    optional_from_json(j.at("ptx"), k.ptx);
    optional_from_json(j.at("resources"), k.resources);
}

static void to_json(json &j, const KernelCode &k) {
    j = {{"ptx", optional_to_json(k.ptx)}, {"resources", optional_to_json(k.resources)}};
}

static void from_json(const json &j, KernelCode &k) {
    optional_from_json(j.at("ptx"), k.ptx);
    optional_from_json(j.at("resources"), k.resources);
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostLoop, name, func, kind, extent, launches_kernels)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LostName, name, func)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Trial, outputs, kernels, allocations, storage_bound_checks, host_loops, lost_names,
                                   ptx, lowered_text, lower_seconds, codegen_seconds, assemble_seconds)

std::string to_json_text(const Trial &trial) {
    // Names and code are the user's, and may be in any encoding.
    return json(trial).dump(-1, ' ', false, json::error_handler_t::replace);
}

Trial trial_from_json_text(const std::string &text) { return json::parse(text).get<Trial>(); }

std::string to_json_text(const KnownKernels &kernels) {
    return json(kernels).dump(-1, ' ', false, json::error_handler_t::replace);
}

KnownKernels kernels_from_json_text(const std::string &text) { return json::parse(text).get<KnownKernels>(); }

std::string to_string(TrialAllocation::Place place) { return place_names[int(place)]; }

// ---- Text ----

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
