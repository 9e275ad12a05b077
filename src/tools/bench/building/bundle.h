// A bundle: a folder with everything that a machine with a GPU needs to measure pipelines, and that has neither Halide
// nor CMake nor a network: compiled pipelines, one standalone runtime, the sources of this program, the headers they
// use, and a Makefile that asks for g++, make and gzip alone.
//
//     manifest.json                    what is in it
//     Makefile                         builds warptile-bench and the pipelines' shared objects
//     pipelines/APP__VARIANT.{o.gz,registration.cpp}
//     pipelines/APP__reference.cpp     the app's plain C++ reference, where it has one
//     pipelines/runtime.o.gz
//     src/ apps/ include/              sources and headers
#pragma once

#include "tools/bench/building/compile.h"

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

namespace warptile::bench {

struct BuildOptions {
    fs::path bundle;
    fs::path source;      // the root of this project's sources
    fs::path halide;      // Halide's prefix: include/HalideRuntime.h and share/tools
    fs::path references;  // NAME/reference.h is the reference of the generator NAME; empty: none has one
    std::vector<GeneratorSource> generators;
    std::vector<VariantSpec> variants;
    VariantSpec plain;                                            // the variant `none`
    std::vector<std::string> sizes{""};                           // "WxH"; "" is the generator's own
    std::vector<std::string> size_parameters{"width", "height"};  // what generators call the two
    std::vector<std::string> parameters;                          // for every generator, such as quality=3
    std::string target = "x86-64-linux-cuda-cuda_capability_80";
    bool once = false;                    // leave out a variant whose device code is an earlier one's of the same app
    double timeout = 600;                 // seconds for each generator's run
    std::string assembler, architecture;  // to look at device code; empty where there is none
    unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
};

/// Builds every variant of every app at every size into the bundle, beside what it already has, and writes its
/// manifest. A variant that fails is named there with its error; a size that a generator has no parameters for is left
/// out. Says on stderr how far it is. Throws `std::runtime_error` where nothing can be built at all.
Manifest build_bundle(const BuildOptions &options);

/// Bytes of all files of the folder.
uintmax_t size_of(const fs::path &folder);

}  // namespace warptile::bench
