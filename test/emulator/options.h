// What the environment says about the emulator:
//
//   WARPTILE_EMULATOR_CAPABILITY  the compute capability of the card that it is: 6.1, 7.0, 8.0 (where it says nothing),
//                                 9.0 or another one
//   WARPTILE_EMULATOR_ALLOW       a list of checks to leave out: shared-race, global-race, uninitialised,
//                                 absent-lane
//   WARPTILE_EMULATOR_DUMP        a folder for the PTX of every module that is loaded
//   WARPTILE_EMULATOR_TRACE       1: a line on stderr for every launch
#pragma once

#include <string>

#include "launch.h"

namespace warptile::emulator {

struct Options {
    int major = 8, minor = 0;
    Checks checks;
    std::string dump_folder;
    bool trace = false;
};

Options options_of_environment();

}  // namespace warptile::emulator
