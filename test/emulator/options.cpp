#include "options.h"

#include <cstdio>
#include <cstdlib>

namespace warptile::emulator {

namespace {

std::string variable(const char *name) {
    const char *const value = std::getenv(name);
    return value ? value : "";
}

}  // namespace

Options options_of_environment() {
    Options o;
    const std::string capability = variable("WARPTILE_EMULATOR_CAPABILITY");
    if (!capability.empty() && std::sscanf(capability.c_str(), "%d.%d", &o.major, &o.minor) != 2) {
        std::fprintf(stderr, "emulator: WARPTILE_EMULATOR_CAPABILITY is '%s' and should be like 8.0\n",
                     capability.c_str());
    }
    const std::string allowed = variable("WARPTILE_EMULATOR_ALLOW");
    o.checks.shared_races = allowed.find("shared-race") == std::string::npos;
    o.checks.global_races = allowed.find("global-race") == std::string::npos;
    o.checks.uninitialised = allowed.find("uninitialised") == std::string::npos;
    o.checks.absent_lanes = allowed.find("absent-lane") == std::string::npos;
    o.dump_folder = variable("WARPTILE_EMULATOR_DUMP");
    o.trace = variable("WARPTILE_EMULATOR_TRACE") == "1";
    return o;
}

}  // namespace warptile::emulator
