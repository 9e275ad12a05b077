// What a plan becomes: the statement that Halide lowers it to, and the PTX of its kernels, once each (the second copies
// that are launched in parts come after that).
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

#include "schedule/directives/apply.h"
#include "schedule/directives/directives.h"
#include "test/support/host_mirror.h"
#include "test/support/plans.h"

namespace warptile {

/// Both as one text. The pipeline is scheduled by that.
inline std::string lowered(const Built &b, const Plan &plan) {
    try {
        apply_directives(make_directives(plan, b.outputs), b.outputs);
        const std::vector<Halide::Argument> arguments(b.inputs.begin(), b.inputs.end());
        const Halide::Module m = Halide::Pipeline(b.outputs).compile_to_module(arguments, "pipeline", cuda_80());
        std::ostringstream text;
        for (const auto &f : m.functions()) {
            text << f.body << "\n";
        }
        for (const auto &buffer : m.buffers()) {
            text << std::string(reinterpret_cast<const char *>(buffer.data()), buffer.size_in_bytes()) << "\n";
        }
        return text.str();
    } catch (const Halide::Error &e) {
        throw std::runtime_error(e.what());
    }
}

}  // namespace warptile
