// Functions come before kernels, so that a kernel's slots and local memory lie behind those of all functions that it
// may call.
#include "decode.h"

#include "function_decoder.h"

namespace warptile::emulator {

Program decode(const std::string &text, const PlaceVariable &place) {
    const ModuleText module = parse_module(text);
    Program program;
    program.target = module.target;
    std::map<std::string, Place> places;
    Extent taken;
    for (const Variable &v : module.variables) {
        if (v.space == "shared") {
            const uint64_t address = rounded_up(taken.shared, v.align);
            places[v.name] = {Space::Shared, address};
            taken.shared = address + v.bytes();
        } else {
            places[v.name] = {Space::Global, place(v)};
        }
    }
    Callees callees;
    for (const bool kernels : {false, true}) {
        for (const Function &f : module.functions) {
            if (f.kernel != kernels) {
                continue;
            }
            FunctionDecoder d(f, program, places, taken, callees);
            d.decode();
            const Extent &end = d.names().extent();
            const Preset &own = d.names().preset();
            if (kernels) {
                program.kernels.push_back(
                    {f.name, d.entry(), end.slots, end.local, end.shared, end.parameters, d.parameters(), own});
                continue;
            }
            taken = end;
            Preset &all = program.preset;
            all.constants.insert(all.constants.end(), own.constants.begin(), own.constants.end());
            all.specials.insert(all.specials.end(), own.specials.begin(), own.specials.end());
        }
    }
    return program;
}

}  // namespace warptile::emulator
