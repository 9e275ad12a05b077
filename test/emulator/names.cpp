#include "names.h"

#include <algorithm>

namespace warptile::emulator {

namespace {

const std::map<std::string, Special> special_registers = {{"%tid.x", Special::ThreadX},
                                                          {"%tid.y", Special::ThreadY},
                                                          {"%tid.z", Special::ThreadZ},
                                                          {"%ctaid.x", Special::BlockX},
                                                          {"%ctaid.y", Special::BlockY},
                                                          {"%ctaid.z", Special::BlockZ},
                                                          {"%ntid.x", Special::ThreadsX},
                                                          {"%ntid.y", Special::ThreadsY},
                                                          {"%ntid.z", Special::ThreadsZ},
                                                          {"%nctaid.x", Special::BlocksX},
                                                          {"%nctaid.y", Special::BlocksY},
                                                          {"%nctaid.z", Special::BlocksZ},
                                                          {"%laneid", Special::Lane},
                                                          {"%warpid", Special::Warp},
                                                          {"WARP_SZ", Special::WarpSize},
                                                          {"%lanemask_eq", Special::LanesEqual},
                                                          {"%lanemask_lt", Special::LanesLess},
                                                          {"%lanemask_le", Special::LanesLessEqual},
                                                          {"%lanemask_gt", Special::LanesGreater},
                                                          {"%lanemask_ge", Special::LanesGreaterEqual},
                                                          {"%dynamic_smem_size", Special::DynamicShared},
                                                          {"%total_smem_size", Special::TotalShared}};

}  // namespace

uint64_t rounded_up(uint64_t value, uint64_t align) { return (value + align - 1) / align * align; }

void Names::declare_registers(const Statement &s) {
    for (const auto &[name, count] : s.registers) {
        for (int k = 0; k < std::max(count, 1); k++) {
            registers_[count ? name + std::to_string(k) : name] = new_slot();
        }
    }
}

uint64_t Names::declare(const Variable &v, bool of_kernel) {
    const Space space = v.space == "shared"                        ? Space::Shared
                        : v.space == "param" && of_kernel          ? Space::Param
                        : v.space == "local" || v.space == "param" ? Space::Local
                                                                   : Space::Global;
    if (space == Space::Global) {
        throw PtxError(v.line, "a variable of ." + v.space + " within a function");
    }
    uint64_t &end = space == Space::Shared  ? extent_.shared
                    : space == Space::Param ? extent_.parameters
                                            : extent_.local;
    const uint64_t address = rounded_up(end, v.align);
    end = address + v.bytes();
    places_[v.name] = {space, address};
    return address;
}

uint32_t Names::constant(uint64_t bits) {
    if (bits == 0) {
        return slot_zero;
    }
    const auto [at, is_new] = constants_.try_emplace(bits, extent_.slots);
    if (is_new) {
        preset_.constants.emplace_back(new_slot(), bits);
    }
    return at->second;
}

uint32_t Names::slot(const std::string &name, int line) {
    const auto found = registers_.find(name);
    if (found != registers_.end()) {
        return found->second;
    }
    if (name == "_") {
        return slot_sink;
    }
    const auto special = special_registers.find(name);
    if (special != special_registers.end()) {
        const auto [at, is_new] = specials_.try_emplace(name, extent_.slots);
        if (is_new) {
            preset_.specials.emplace_back(new_slot(), special->second);
        }
        return at->second;
    }
    if (const Place *const variable = place(name)) {
        return constant(variable->address);
    }
    throw PtxError(line, "'" + name + "' is not declared, or is a special register that the emulator does not know");
}

const Place *Names::place(const std::string &name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? nullptr : &found->second;
}

}  // namespace warptile::emulator
