// Ways to schedule a pipeline, as a user names them, and the arguments that a generator gets for each.
//
//     expert                        the generator's own schedule for a GPU: no autoscheduler
//     none                          no schedule at all, on the host (the plugin `Plain`)
//     WarpTile, Anderson2021, Li2018, Mullapudi2016
//                                   found beside this program, in the folders of --plugins, or in Halide
//     FILE.so [KEY=VALUE ...]       any plugin, with autoscheduler.KEY=VALUE
//     NAME=ARGUMENTS                the generator's arguments word for word
#pragma once

#include "tools/bench/building/generators.h"

#include <string>
#include <vector>

namespace warptile::bench {

/// A way to schedule: arguments that are added to the generator's command line.
struct VariantSpec {
    std::string name;  // letters, digits and underscores
    std::vector<std::string> arguments;
    bool on_host = false;  // compiled for the target without its GPU

    bool is_warptile() const { return name == "WarpTile"; }
};

struct SchedulerOptions {
    std::vector<fs::path> plugin_folders;  // in the order in which they are searched
    std::string gpu;                       // WarpTile's, and whose number of SMs other schedulers are told
    fs::path weights;                      // the folder of GPU.json
    GeneratorSource any_generator;         // asked which scheduler a plugin FILE.so registers
};

/// "sm_90" of "h100"; sm_80 where `weights` has no file of that card.
std::string architecture_of(const std::string &gpu, const fs::path &weights);

/// Throws `std::invalid_argument` where `text` names no variant, or a plugin that is not there.
VariantSpec variant_spec(const std::string &text, const SchedulerOptions &options);

}  // namespace warptile::bench
