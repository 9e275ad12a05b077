// Arguments of pipelines. The made-up picture depends on the pixel's coordinates alone, so that every process and
// every size sees the same one. Its floats are (k + 1/2) / 256: values that photographs have, all of them exact, none
// on a border between the bins of a histogram, where the rounding of one schedule would differ from another's.
#include "tools/bench/running/arguments.h"

#include "tools/bench/running/picture.h"
#include "tools/bench/running/small_floats.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace warptile::bench {
namespace {

/// A well-mixed hash of a pixel's place, in 32 bits.
uint32_t noise(int x, int y, int c) {
    uint32_t h = uint32_t(x) * 0x9e3779b1u ^ uint32_t(y) * 0x85ebca77u ^ uint32_t(c + 1) * 0xc2b2ae3du;
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12)) * 0x297a2d39u;
    return h ^ (h >> 15);
}

/// The made-up picture at a pixel, in 16 bits: slow waves, squares of 96 pixels with sharp edges, fine noise.
uint16_t made_up_pixel(int x, int y, int c) {
    const int wave_x = std::abs((x + 7 * c) % 512 - 256), wave_y = std::abs(y % 384 - 192);
    const int square = ((x / 96 + y / 96) & 1) * 14000;
    return uint16_t(4000 + wave_x * 80 + wave_y * 80 + square + int(noise(x, y, c) % 8192));
}

/// `pixel` of 16 bits as a value of the buffer's element type.
template<typename T>
T converted(uint16_t pixel) {
    if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, Half> || std::is_same_v<T, BrainFloat>) {
        return T(((pixel >> 8) + 0.5) / 256);
    } else if constexpr (sizeof(T) == 1) {
        return std::is_same_v<T, bool> ? T((pixel >> 8) & 1) : T(pixel >> 8);
    } else {
        return T(pixel);
    }
}

template<typename T>
void fill_as(AnyBuffer &buffer, const Picture &picture) {
    buffer.as<T>().for_each_element([&](const int *position) {
        const int dimensions = buffer.dimensions();
        const int x = dimensions > 0 ? position[0] : 0, y = dimensions > 1 ? position[1] : 0;
        int c = 0;
        for (int d = 2; d < dimensions; d++) {
            c = c * 31 + position[d];
        }
        const uint16_t pixel = picture.empty() ? made_up_pixel(x, y, c) : picture.at(x, y, c);
        buffer.as<T>()(position) = converted<T>(pixel);
    });
}

void fill(AnyBuffer &buffer, const Picture &picture) {
    const halide_type_t type = buffer.type();
    const auto is = [&](halide_type_code_t code, int bits) { return type.code == code && type.bits == bits; };
    if (is(halide_type_float, 32)) {
        fill_as<float>(buffer, picture);
    } else if (is(halide_type_float, 64)) {
        fill_as<double>(buffer, picture);
    } else if (is(halide_type_float, 16)) {
        fill_as<Half>(buffer, picture);
    } else if (is(halide_type_bfloat, 16)) {
        fill_as<BrainFloat>(buffer, picture);
    } else if (is(halide_type_uint, 1)) {
        fill_as<bool>(buffer, picture);
    } else if (is(halide_type_uint, 8)) {
        fill_as<uint8_t>(buffer, picture);
    } else if (is(halide_type_uint, 16)) {
        fill_as<uint16_t>(buffer, picture);
    } else if (is(halide_type_uint, 32)) {
        fill_as<uint32_t>(buffer, picture);
    } else if (is(halide_type_int, 8)) {
        fill_as<int8_t>(buffer, picture);
    } else if (is(halide_type_int, 16)) {
        fill_as<int16_t>(buffer, picture);
    } else if (is(halide_type_int, 32)) {
        fill_as<int32_t>(buffer, picture);
    } else if (is(halide_type_int, 64)) {
        fill_as<int64_t>(buffer, picture);
    } else if (is(halide_type_uint, 64)) {
        fill_as<uint64_t>(buffer, picture);
    } else {
        throw std::runtime_error("cannot make up data of " + std::to_string(int(type.bits)) + " bits of kind " +
                                 std::to_string(int(type.code)));
    }
}

ArgumentShape estimated(const halide_filter_argument_t &argument) {
    ArgumentShape shape;
    shape.name = argument.name;
    shape.is_output = argument.kind == halide_argument_kind_output_buffer;
    shape.is_scalar = argument.kind == halide_argument_kind_input_scalar;
    shape.type = argument.type;
    const auto missing = [&] { return std::runtime_error("the argument '" + shape.name + "' has no estimate"); };
    if (shape.is_scalar) {
        const halide_scalar_value_t *value = argument.scalar_estimate ? argument.scalar_estimate : argument.scalar_def;
        if (!value && shape.type.code != halide_type_handle) {  // a pointer is null
            throw missing();
        }
        shape.value = value ? *value : halide_scalar_value_t{};
        return shape;
    }
    for (int d = 0; d < argument.dimensions; d++) {
        const int64_t *const *estimate = argument.buffer_estimates ? argument.buffer_estimates + 2 * d : nullptr;
        if (!estimate || !estimate[1]) {
            throw missing();
        }
        shape.dimensions.emplace_back(estimate[0] ? int(*estimate[0]) : 0, int(*estimate[1]));
    }
    return shape;
}

/// By what power of two `extent` is larger than the output's, from an eighth to eight times; 0 where it has nothing to
/// do with it: a halo may be added, but no more than a tenth.
double scale_of(int extent, int of_output) {
    for (double scale = 0.125; scale <= 8; scale *= 2) {
        const double expected = scale * of_output;
        if (std::abs(extent - expected) <= std::max(2.0, expected / 10)) {
            return scale;
        }
    }
    return 0;
}

void resize(std::vector<ArgumentShape> &shapes, const Size &size) {
    const ArgumentShape *output = nullptr;
    for (const ArgumentShape &shape : shapes) {
        if (shape.is_output && (!output || shape.dimensions.size() > output->dimensions.size())) {
            output = &shape;
        }
    }
    if (!output) {
        return;
    }
    const auto before = output->dimensions;
    const int after[] = {size.width, size.height};
    for (ArgumentShape &shape : shapes) {
        // A buffer of one dimension, in a pipeline of images, is a table.
        if (shape.dimensions.size() < std::min<size_t>(2, before.size())) {
            continue;
        }
        for (size_t d = 0; d < 2 && d < shape.dimensions.size() && d < before.size(); d++) {
            int &extent = shape.dimensions[d].second;
            if (const double scale = scale_of(extent, before[d].second)) {
                const int halo = extent - int(scale * before[d].second);
                extent = std::max(1, int(scale * after[d]) + halo);
            }
        }
    }
}

}  // namespace

Size parse_size(const std::string &text) {
    Size size;
    char rest;
    if (std::sscanf(text.c_str(), "%dx%d%c", &size.width, &size.height, &rest) != 2 || size.width < 1 ||
        size.height < 1) {
        throw std::invalid_argument("'" + text + "' is not a size; write WIDTHxHEIGHT, as in 1001x503");
    }
    return size;
}

std::vector<ArgumentShape> shapes_from_estimates(const halide_filter_metadata_t &metadata,
                                                 const std::optional<Size> &size) {
    std::vector<ArgumentShape> shapes;
    for (int i = 0; i < metadata.num_arguments; i++) {
        shapes.push_back(estimated(metadata.arguments[i]));
    }
    if (size) {
        resize(shapes, *size);
    }
    return shapes;
}

Arguments::Arguments(const std::vector<ArgumentShape> &shapes, const std::string &picture_file)
    : shapes_(shapes), values_(shapes.size()), checksums_(shapes.size()) {
    const Picture picture = picture_file.empty() ? Picture() : load_picture(picture_file);
    for (size_t i = 0; i < shapes_.size(); i++) {
        const ArgumentShape &shape = shapes_[i];
        values_[i] = shape.value;
        if (shape.is_scalar) {
            buffers_.emplace_back();
            argv_.push_back(&values_[i]);
            continue;
        }
        buffers_.push_back(std::make_unique<GuardedBuffer>(shape.type, shape.dimensions, shape.layout));
        AnyBuffer &buffer = buffers_.back()->buffer();
        if (!shape.is_output) {
            fill(buffer, picture);
            checksums_[i] = buffers_.back()->checksum();
        }
        argv_.push_back(buffer.raw_buffer());
    }
}

std::vector<AnyBuffer *> Arguments::outputs() {
    std::vector<AnyBuffer *> found;
    for (size_t i = 0; i < shapes_.size(); i++) {
        if (shapes_[i].is_output) {
            found.push_back(&buffers_[i]->buffer());
        }
    }
    return found;
}

void Arguments::to_device(const Runtime &runtime, const halide_device_interface_t *device) {
    for (const std::unique_ptr<GuardedBuffer> &buffer : buffers_) {
        if (buffer) {
            buffer->to_device(runtime, device);
        }
    }
}

std::string Arguments::to_host() {
    std::string damage;
    const auto note = [&](const std::string &what) { damage += (damage.empty() ? "" : "; ") + what; };
    for (size_t i = 0; i < shapes_.size(); i++) {
        if (!buffers_[i]) {
            continue;
        }
        const std::string beyond = buffers_[i]->to_host();
        if (!beyond.empty()) {
            note("wrote beyond '" + shapes_[i].name + "', " + beyond);
        }
        if (!shapes_[i].is_output && buffers_[i]->checksum() != checksums_[i]) {
            note("wrote into its input '" + shapes_[i].name + "'");
        }
    }
    return damage;
}

}  // namespace warptile::bench
