// An app of apps/ in this process: its pipeline, its inputs, and runs of it on the host.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "Halide.h"

namespace warptile {

/// The six apps, in the order of their names.
const std::vector<std::string> &app_names();

/// A fresh instance of an app, not scheduled: a Func cannot be unscheduled, so each schedule wants its own.
class AppPipeline {
public:
    AppPipeline(const std::string &app, const Halide::Target &target);

    const std::vector<Halide::Func> &outputs() const { return outputs_; }

    /// Binds inputs for an output of `width` by `height` pixels, filled with noise that is the same every time.
    void bind_inputs(int width, int height);

    /// The output of that size, where the app's estimates have it start.
    Halide::Buffer<> output_buffer(int width, int height) const;

    /// The app's plain C++ reference on the bound inputs.
    void reference(Halide::Buffer<> output) const;

    /// What agreement with the reference means: absolute difference over the reference's largest magnitude for floats,
    /// absolute difference for integers. 0 where the app is exact.
    double tolerance() const;

private:
    std::string app_;
    std::shared_ptr<Halide::Internal::AbstractGenerator> generator_;
    std::vector<Halide::Func> outputs_;
    std::vector<Halide::Parameter> inputs_;  // in the order of the app's arguments
};

/// The largest difference of two buffers of one type and size, scaled as `AppPipeline::tolerance` says.
double difference(const Halide::Buffer<> &expected, const Halide::Buffer<> &found);

}  // namespace warptile
