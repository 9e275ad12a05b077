// The card that most tests are about.
#pragma once

#include "machine/machine.h"

namespace warptile {

inline const Machine &h100() {
    static const Machine machine = choose_machine("h100", "", 0);
    return machine;
}

}  // namespace warptile
