// One run of a generator: a pipeline compiled, or only counted.
#pragma once

#include "tools/bench/building/generators.h"
#include "tools/bench/building/schedulers.h"
#include "tools/bench/manifest.h"

#include <string>
#include <vector>

namespace warptile::bench {

struct CompileOptions {
    fs::path folder;                      // where the outputs go: the bundle's pipelines/
    std::string target;                   // of the GPU
    std::vector<std::string> parameters;  // for the generator
    double timeout = 600;                 // seconds
    std::string assembler;                // looks at the device code; empty where there is none
    std::string architecture;             // to assemble it for, "sm_90"
    bool keep_code = false;               // in `BuiltVariant::device_code`
};

/// "x86-64-linux-cuda-cuda_capability_80" becomes "x86-64-linux".
std::string host_target(const std::string &target);

/// A pipeline before any schedule.
struct Counted {
    Counters counters;
    double rest_seconds = 0;  // of the generator's run: all but lowering and code generation, and so no scheduling
    std::string error;        // empty where it could be counted
    bool no_such_parameter = false;  // the error is that the generator lacks one of `parameters`
};

/// Counts the pipeline with `plain`, the variant `none`.
Counted count_pipeline(const GeneratorSource &source, const VariantSpec &plain, const CompileOptions &options);

/// Compiles `source` as `spec` says into the files SYMBOL.o.gz and SYMBOL.registration.cpp, of a function SYMBOL. What
/// the run takes beyond lowering, code generation and `rest_seconds` is the time to schedule. A failure is in the
/// result, with its error; then there are no files.
BuiltVariant compile(const GeneratorSource &source, const std::string &symbol, const VariantSpec &spec,
                     const CompileOptions &options, const Counted &counted);

}  // namespace warptile::bench
