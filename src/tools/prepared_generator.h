// What the generator main does to a generator that was not written for an autoscheduler. Its generator is wrapped; once
// it has built its pipeline, and before an autoscheduler sees that, the estimates that were given (`--estimate
// NAME=VALUES`) take the place of its own, and its scheduling calls are undone where that was asked for. It stays as it
// is, and what is compiled carries the estimates in its metadata, as if it had set them itself.
#pragma once

#include "tools/forget_schedule.h"

#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "Halide.h"

namespace warptile {

/// Of an image, with D dimensions in Halide's order, D extents, or D pairs of a min and an extent; of a scalar, its
/// value.
struct GivenEstimate {
    std::string name;
    std::vector<double> values;
};

/// "input=0,1920,0,1080", "input=1920,1080" or "gain=0.5".
/// Throws `std::invalid_argument` that quotes `text` where it is none.
inline GivenEstimate parse_estimate(const std::string &text) {
    const size_t equals = text.find('=');
    GivenEstimate estimate{text.substr(0, equals), {}};
    std::istringstream numbers(equals == std::string::npos ? "" : text.substr(equals + 1));
    for (std::string number; std::getline(numbers, number, ',');) {
        size_t end = 0;
        try {
            estimate.values.push_back(std::stod(number, &end));
        } catch (const std::logic_error &) {
            end = std::string::npos;
        }
        if (end != number.size()) {
            estimate.values.clear();
            break;
        }
    }
    if (estimate.name.empty() || estimate.values.empty()) {
        throw std::invalid_argument("cannot read the estimate '" + text +
                                    "'; write NAME=EXTENT,EXTENT or NAME=MIN,EXTENT,MIN,EXTENT for an image, as in "
                                    "input=0,1920,0,1080, and NAME=VALUE for a scalar");
    }
    return estimate;
}

/// What is done to a pipeline before it is scheduled.
struct Preparation {
    std::vector<GivenEstimate> estimates;
    bool forget_schedules = false;
};

/// A generator whose pipeline is prepared.
class PreparedGenerator : public Halide::Internal::AbstractGenerator {
public:
    using Parameter = Halide::Parameter;

    PreparedGenerator(Halide::Internal::AbstractGeneratorPtr generator, const Preparation &preparation)
        : generator_(std::move(generator)), preparation_(preparation) {}

    /// Throws `std::invalid_argument` where an estimate is of no argument, or not as its argument is.
    Halide::Pipeline build_pipeline() override {
        const Halide::Pipeline pipeline = generator_->build_pipeline();
        if (preparation_.forget_schedules) {
            forget_schedules(pipeline);
        }
        const std::vector<Argument> arguments = all_arguments();
        for (const GivenEstimate &estimate : preparation_.estimates) {
            bool known = false;
            for (const Argument &argument : arguments) {
                if (argument.name == estimate.name || argument.array == estimate.name) {
                    set(argument, estimate);
                    known = true;
                }
            }
            if (!known) {
                throw std::invalid_argument("an estimate was given of '" + estimate.name + "', but the arguments of '" +
                                            name() + "' are " + listed(arguments));
            }
        }
        return pipeline;
    }

    std::string name() override { return generator_->name(); }

    Halide::GeneratorContext context() const override { return generator_->context(); }

    std::vector<ArgInfo> arginfos() override { return generator_->arginfos(); }

    bool allow_out_of_order_inputs_and_outputs() const override {
        return generator_->allow_out_of_order_inputs_and_outputs();
    }

    void set_generatorparam_value(const std::string &name, const std::string &value) override {
        generator_->set_generatorparam_value(name, value);
    }

    void set_generatorparam_value(const std::string &name, const Halide::LoopLevel &level) override {
        generator_->set_generatorparam_value(name, level);
    }

    std::vector<Parameter> input_parameter(const std::string &name) override {
        return generator_->input_parameter(name);
    }

    std::vector<Halide::Func> output_func(const std::string &name) override { return generator_->output_func(name); }

    void bind_input(const std::string &name, const std::vector<Parameter> &v) override {
        generator_->bind_input(name, v);
    }

    void bind_input(const std::string &name, const std::vector<Halide::Func> &v) override {
        generator_->bind_input(name, v);
    }

    void bind_input(const std::string &name, const std::vector<Halide::Expr> &v) override {
        generator_->bind_input(name, v);
    }

    bool emit_cpp_stub(const std::string &path) override { return generator_->emit_cpp_stub(path); }

    bool emit_hlpipe(const std::string &path) override { return generator_->emit_hlpipe(path); }

private:
    /// An input or an output; of an array each element is one.
    struct Argument {
        std::string name, array;  // "levels_0" of "levels"; both the same where there is but one
        Parameter input;          // undefined of an output
        Halide::Func output;
    };

    Halide::Internal::AbstractGeneratorPtr generator_;
    Preparation preparation_;

    std::vector<Argument> all_arguments() {
        std::vector<Argument> arguments;
        for (const ArgInfo &info : arginfos()) {
            if (info.dir == Halide::Internal::ArgInfoDirection::Input) {
                for (const Parameter &input : input_parameter(info.name)) {
                    arguments.push_back({input.name(), info.name, input, {}});
                }
                continue;
            }
            const std::vector<Halide::Func> outputs = output_func(info.name);
            for (size_t i = 0; i < outputs.size(); i++) {
                const std::string index = outputs.size() > 1 ? "_" + std::to_string(i) : "";
                arguments.push_back({info.name + index, info.name, {}, outputs[i]});
            }
        }
        return arguments;
    }

    static std::string listed(const std::vector<Argument> &arguments) {
        std::string names;
        for (const Argument &argument : arguments) {
            names += (names.empty() ? "'" : ", '") + argument.name + "'";
        }
        return names;
    }

    /// Min and extent of each of `dimensions`.
    static Halide::Region region_of(const GivenEstimate &estimate, int dimensions) {
        const size_t given = estimate.values.size(), wanted = size_t(dimensions);
        if (given != wanted && given != 2 * wanted) {
            throw std::invalid_argument("the estimate of '" + estimate.name + "' has " + std::to_string(given) +
                                        " numbers; it has " + std::to_string(dimensions) +
                                        " dimensions, so give as many extents, or pairs of a min and an extent");
        }
        Halide::Region region;
        for (size_t d = 0; d < wanted; d++) {
            const bool pairs = given != wanted;
            region.emplace_back(pairs ? int(estimate.values[2 * d]) : 0, int(estimate.values[pairs ? 2 * d + 1 : d]));
        }
        return region;
    }

    static Halide::Expr value_of(const GivenEstimate &estimate, const Halide::Type &type) {
        if (estimate.values.size() != 1) {
            throw std::invalid_argument("the estimate of '" + estimate.name + "' has " +
                                        std::to_string(estimate.values.size()) + " numbers; it is a scalar, give one");
        }
        const double value = estimate.values[0];
        if (type.is_handle()) {
            return Halide::reinterpret(type, Halide::Internal::make_const(Halide::UInt(64), uint64_t(value)));
        }
        return type.is_float() ? Halide::Internal::make_const(type, value)
                               : Halide::Internal::make_const(type, int64_t(value));
    }

    static void set(const Argument &argument, const GivenEstimate &estimate) {
        if (!argument.input.defined()) {
            Halide::Func output = argument.output;
            Halide::Internal::Function function = output.function();
            function.schedule().estimates().clear();
            output.set_estimates(region_of(estimate, output.dimensions()));
            return;
        }
        Parameter input = argument.input;
        if (!input.is_buffer()) {
            input.set_estimate(value_of(estimate, input.type()));
            return;
        }
        const Halide::Region region = region_of(estimate, input.dimensions());
        for (int d = 0; d < input.dimensions(); d++) {
            input.set_min_constraint_estimate(d, region[size_t(d)].min);
            input.set_extent_constraint_estimate(d, region[size_t(d)].extent);
        }
    }
};

/// The registered generators, prepared.
class PreparedGenerators : public Halide::Internal::GeneratorFactoryProvider {
public:
    explicit PreparedGenerators(Preparation preparation) : preparation_(std::move(preparation)) {}

    std::vector<std::string> enumerate() const override {
        return Halide::Internal::get_registered_generators().enumerate();
    }

    Halide::Internal::AbstractGeneratorPtr create(const std::string &name,
                                                  const Halide::GeneratorContext &context) const override {
        Halide::Internal::AbstractGeneratorPtr made =
            Halide::Internal::get_registered_generators().create(name, context);
        if (!made || (preparation_.estimates.empty() && !preparation_.forget_schedules)) {
            return made;
        }
        return std::make_unique<PreparedGenerator>(std::move(made), preparation_);
    }

private:
    Preparation preparation_;
};

}  // namespace warptile
