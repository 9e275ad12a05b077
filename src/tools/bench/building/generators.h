// Generators to bench: the apps', or any program with Halide's generator main in it. A program is asked what it has by
// being called with nothing, since its file need not be named as its generator is. A list says more: what an app is
// called that is one generator with some arguments.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warptile::bench {

namespace fs = std::filesystem;

struct GeneratorSource {
    std::string name;  // of the app: the generator's, where no list says otherwise
    fs::path program;
    std::string generator = name;        // registered: what follows -g
    std::vector<std::string> arguments;  // of its own, for every variant
    std::string features;                // of its targets, "-no_bounds_query"
};

/// The names that an error of a generator main lists behind `mark`: one a line as Halide does it, or all in one line as
/// this project's does.
std::vector<std::string> names_listed(const std::string &error_text, const std::string &mark);

/// The apps of a list: one a line, NAME PROGRAM GENERATOR [ARGUMENT ...], where +FEATURE is one of its target's. A line
/// that begins with a blank goes on with the one above; # begins a comment. A program's path is relative to the list.
/// Throws `std::runtime_error` that names a line that is none.
std::vector<GeneratorSource> read_list(const fs::path &list);

/// The generators of `paths`, sorted by name: of a program all that it registers, of a folder those of its programs
/// NAME.generator, of a FILE.list what it lists. With `chosen`, only these, each by its own name or its program's file
/// name without the ending. Throws `std::runtime_error` that names the path or the name where there is none, where a
/// program is no generator, or where two are called the same.
std::vector<GeneratorSource> find_generators(const std::vector<fs::path> &paths,
                                             const std::vector<std::string> &chosen);

/// The one autoscheduler that the plugin registers, as `source` finds when it loads it.
/// Throws `std::runtime_error` where it cannot be loaded, or registers none or several.
std::string scheduler_in(const fs::path &plugin, const GeneratorSource &source);

}  // namespace warptile::bench
