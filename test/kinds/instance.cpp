#include "test/kinds/instance.h"

#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace warptile::kinds {

using Halide::Buffer;
using Halide::Type;

namespace {

int constant(const Halide::Expr &e) {
    const auto value = Halide::Internal::as_const_int(Halide::Internal::simplify(e));
    if (!value) {
        throw std::runtime_error("an estimate is no constant");
    }
    return static_cast<int>(*value);
}

struct Shape {
    std::vector<int> mins, extents;

    void add(const Halide::Expr &min, const Halide::Expr &extent) {
        mins.push_back(constant(min));
        extents.push_back(constant(extent));
    }

    Buffer<> of(const Type &type) const {
        Buffer<> buffer(type, extents);
        buffer.set_min(mins);
        return buffer;
    }
};

Shape shape_of(const Halide::Parameter &input) {
    Shape shape;
    for (const Halide::Range &r : input.get_argument_estimates().buffer_estimates) {
        shape.add(r.min, r.extent);
    }
    return shape;
}

Shape shape_of(const Halide::Func &output) {
    Shape shape;
    for (const Halide::Var &arg : output.args()) {
        for (const Halide::Internal::Bound &b : output.function().schedule().estimates()) {
            if (b.var == arg.name()) {
                shape.add(b.min, b.extent);
            }
        }
    }
    return shape;
}

/// The same numbers everywhere: a hash of the place in the buffer and of the buffer's number.
uint32_t noise(size_t place, size_t buffer) {
    uint32_t n = static_cast<uint32_t>(place * 0x9e3779b1U + (buffer + 1) * 0x85ebca6bU);
    n = (n ^ (n >> 16U)) * 0x7feb352dU;
    n = (n ^ (n >> 15U)) * 0x846ca68bU;
    return n ^ (n >> 16U);
}

template<typename T>
void store(Buffer<> &buffer, size_t i, T value) {
    static_cast<T *>(buffer.data())[i] = value;
}

double number(uint32_t n, Fill fill) {
    if (fill == Fill::Fractions) {
        return (1 + static_cast<double>(n % 0xffffU)) / 0x10000;
    }
    return fill == Fill::WholeNumbersAndNaNs && n % 61 == 0 ? std::numeric_limits<double>::quiet_NaN()
                                                            : static_cast<int>(n % 128) - 64;
}

void fill_buffer(Buffer<> &buffer, size_t which, Fill fill) {
    const Type t = buffer.type();
    for (size_t i = 0; i < buffer.number_of_elements(); i++) {
        const uint32_t n = noise(i, which);
        if (t == Halide::Float(32)) {
            store(buffer, i, static_cast<float>(number(n, fill)));
        } else if (t == Halide::Float(64)) {
            store(buffer, i, number(n, fill));
        } else if (t == Halide::UInt(8)) {
            store(buffer, i, static_cast<uint8_t>(n));
        } else if (t == Halide::UInt(16)) {
            store(buffer, i, static_cast<uint16_t>(n));
        } else if (t == Halide::Int(32)) {
            store(buffer, i, static_cast<int32_t>(n % 128));
        } else {
            throw std::runtime_error("no values for this type");
        }
    }
    buffer.set_host_dirty();
}

void set_scalar(Halide::Parameter &to, const Halide::Parameter &from) {
    const Halide::Expr estimate = from.get_argument_estimates().scalar_estimate;
    if (from.type() == Halide::Int(32)) {
        to.set_scalar<int32_t>(constant(estimate));
        return;
    }
    const auto number = from.type() == Halide::Float(32) ? Halide::Internal::as_const_float(estimate) : std::nullopt;
    if (!number) {
        throw std::runtime_error("no value for a scalar of this type");
    }
    to.set_scalar<float>(static_cast<float>(*number));
}

template<typename T>
std::string difference_of(const Buffer<T> &expected, const Buffer<T> &found, double relative) {
    std::ostringstream first;
    int wrong = 0;
    expected.for_each_element([&](const int *at) {
        const double a = static_cast<double>(expected(at)), b = static_cast<double>(found(at));
        const bool both_nan = std::isnan(a) && std::isnan(b);
        if (a != b && !both_nan && !(std::abs(a - b) <= relative * std::abs(a)) && wrong++ == 0) {
            first.precision(17);
            first << b << " instead of " << a << " at";
            for (int d = 0; d < expected.dimensions(); d++) {
                first << ' ' << at[d];
            }
        }
    });
    return wrong ? std::to_string(wrong) + " values differ, the first is " + first.str() : "";
}

}  // namespace

Instance::Instance(const std::string &name, Size size) {
    // Under an autoscheduler's name, though the kinds schedule nothing anyhow; which name does not matter here.
    const Halide::GeneratorContext context(Halide::get_host_target(), Halide::AutoschedulerParams("WarpTile"));
    generator_ = Halide::Internal::GeneratorRegistry::create(name, context);
    if (size.width > 0) {
        generator_->set_generatorparam_value("width", std::to_string(size.width));
        generator_->set_generatorparam_value("height", std::to_string(size.height));
    }
    outputs_ = generator_->build_pipeline().outputs();
    for (const auto &arg : generator_->arginfos()) {
        if (arg.dir == Halide::Internal::ArgInfoDirection::Input) {
            inputs_.push_back(generator_->input_parameter(arg.name).at(0));
        }
    }
}

void Instance::bind(const Instance &other) {
    for (size_t i = 0; i < inputs_.size(); i++) {
        if (inputs_[i].is_buffer()) {
            inputs_[i].set_buffer(shape_of(other.inputs_[i]).of(inputs_[i].type()));
        } else {
            set_scalar(inputs_[i], other.inputs_[i]);
        }
    }
}

void Instance::bind(const Instance &other, Fill fill) {
    bind(other);
    for (size_t i = 0; i < inputs_.size(); i++) {
        if (inputs_[i].is_buffer()) {
            Buffer<> buffer = inputs_[i].buffer();
            fill_buffer(buffer, i, fill);
        }
    }
}

std::vector<Buffer<>> Instance::output_buffers() const {
    std::vector<Buffer<>> buffers;
    for (const Halide::Func &output : outputs_) {
        for (const Type &type : output.types()) {
            buffers.push_back(shape_of(output).of(type));
        }
    }
    return buffers;
}

std::string difference(const Buffer<> &expected, const Buffer<> &found, double rounded) {
    const Type t = expected.type();
    if (t == Halide::Float(32)) {
        return difference_of<float>(expected, found, rounded * std::numeric_limits<float>::epsilon());
    }
    if (t == Halide::Float(64)) {
        return difference_of<double>(expected, found, rounded * std::numeric_limits<double>::epsilon());
    }
    if (t == Halide::UInt(8)) {
        return difference_of<uint8_t>(expected, found, 0);
    }
    if (t == Halide::UInt(16)) {
        return difference_of<uint16_t>(expected, found, 0);
    }
    if (t == Halide::UInt(32)) {
        return difference_of<uint32_t>(expected, found, 0);
    }
    return difference_of<int32_t>(expected, found, 0);
}

}  // namespace warptile::kinds
