// A trial as JSON, to cross the pipe.
#include "verify/trial.h"

#include <nlohmann/json.hpp>

using nlohmann::json;

/// nlohmann finds this by its name. What is not there is null.
template<typename T>
struct nlohmann::adl_serializer<std::optional<T>> {
    static void to_json(json &j, const std::optional<T> &o) { j = o ? json(*o) : json(); }

    static void from_json(const json &j, std::optional<T> &o) {
        o = j.is_null() ? std::nullopt : std::optional<T>(j.get<T>());
    }
};

namespace warptile {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TrialNumber, text, at_most, exact)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TrialAllocation, name, funcs, type, place, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StorageBoundCheck, func, dimension, bound, required, always_fails)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MemoryCounts, loads, stores)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(InstructionCounts, global, shared, local, shuffles, barriers, atomics, swaps,
                                   float_ops, int_ops, special_ops, conversions, branches, traps, other)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PtxKernel, name, counts, shared_bytes, local_bytes, registers)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelResources, name, registers, spill_store_bytes, spill_load_bytes, stack_bytes,
                                   shared_bytes, source)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TrialKernel, loop, func, stage, condition, funcs, blocks, threads, lanes,
                                   stores_func, divergent_shuffles, allocations, storage_bound_checks, shared_bytes,
                                   digest, ptx, resources)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelCode, ptx, resources)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostLoop, name, func, kind, extent, launches_kernels)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LostName, name, func)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Trial, outputs, kernels, allocations, storage_bound_checks, host_loops, lost_names,
                                   failed_check, ptx, lowered_text, lower_seconds, codegen_seconds, assemble_seconds)

std::string to_json_text(const Trial &trial) {
    // Names and code are the user's, and may be in any encoding.
    return json(trial).dump(-1, ' ', false, json::error_handler_t::replace);
}

Trial trial_from_json_text(const std::string &text) { return json::parse(text).get<Trial>(); }

std::string to_json_text(const KnownKernels &kernels) {
    return json(kernels).dump(-1, ' ', false, json::error_handler_t::replace);
}

KnownKernels kernels_from_json_text(const std::string &text) { return json::parse(text).get<KnownKernels>(); }

}  // namespace warptile
