// What the names of a function stand for: registers and special registers, constants, and variables of every space.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "program.h"
#include "ptx_syntax.h"

namespace warptile::emulator {

/// Where a variable lies: in its space, not generic.
struct Place {
    Space space = Space::Global;
    uint64_t address = 0;
};

/// How many slots and bytes are taken so far.
struct Extent {
    uint32_t slots = first_free_slot;
    uint64_t local = 0, shared = 0, parameters = 0;
};

uint64_t rounded_up(uint64_t value, uint64_t align);

class Names {
public:
    /// `places` are the variables of the module; what the function declares lies behind `taken`.
    Names(std::map<std::string, Place> places, const Extent &taken) : places_(std::move(places)), extent_(taken) {}

    const Extent &extent() const { return extent_; }

    const Preset &preset() const { return preset_; }

    void declare_registers(const Statement &s);

    /// Places a variable in the space that it names; .param is local memory unless it is a kernel's own. The address.
    uint64_t declare(const Variable &v, bool of_kernel = false);

    /// A slot of its own.
    uint32_t new_slot() { return extent_.slots++; }

    uint32_t constant(uint64_t bits);

    /// The slot of a register, or of a constant with the address of a variable. Throws PtxError.
    uint32_t slot(const std::string &name, int line);

    /// nullptr where no variable has the name.
    const Place *place(const std::string &name) const;

private:
    std::map<std::string, Place> places_;
    Extent extent_;
    std::map<std::string, uint32_t> registers_, specials_;
    std::map<uint64_t, uint32_t> constants_;
    Preset preset_;
};

}  // namespace warptile::emulator
