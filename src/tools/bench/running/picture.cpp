// Reading photographs through Halide's own image reader, which is a header of its package and, in a bundle, a copy
// beside the sources. Where that header is not found, or a library that it may use is not, there are fewer formats.
#include "tools/bench/running/picture.h"

#include <cstdlib>
#include <stdexcept>

#if __has_include("halide_image_io.h")
#include "HalideBuffer.h"
#include <cassert>  // which Halide's header uses and leaves to us
#if !__has_include(<png.h>) || defined(WARPTILE_NO_IMAGE_LIBRARIES)
#define HALIDE_NO_PNG
#endif
#if !__has_include(<jpeglib.h>) || defined(WARPTILE_NO_IMAGE_LIBRARIES)
#define HALIDE_NO_JPEG
#endif
#include "halide_image_io.h"
#define WARPTILE_CAN_READ_PICTURES 1
#else
#define WARPTILE_CAN_READ_PICTURES 0
#endif

namespace warptile::bench {
namespace {

/// `i` folded into 0 ... size-1, back and forth.
int mirrored(int i, int size) {
    const int period = 2 * size;
    const int place = ((i % period) + period) % period;
    return place < size ? place : period - 1 - place;
}

}  // namespace

Picture::Picture(int width, int height, int channels, std::vector<uint16_t> pixels)
    : width_(width), height_(height), channels_(channels), pixels_(std::move(pixels)) {}

uint16_t Picture::at(int x, int y, int c) const {
    const size_t row = size_t(mirrored(c, channels_)) * size_t(height_) + size_t(mirrored(y, height_));
    return pixels_[row * size_t(width_) + size_t(mirrored(x, width_))];
}

#if WARPTILE_CAN_READ_PICTURES
Picture load_picture(const std::string &file) {
    using Buffer = Halide::Runtime::Buffer<>;
    Buffer loaded;
    if (!Halide::Tools::load<Buffer, Halide::Tools::Internal::CheckReturn>(file, &loaded)) {
        throw std::runtime_error("cannot read the picture '" + file +
                                 "'; PPM and PGM can always be read, PNG and "
                                 "JPEG where this program was built with libpng and libjpeg");
    }
    const auto image = Halide::Tools::ImageTypeConversion::convert_image<uint16_t>(loaded);
    const bool has_channels = image.dimensions() > 2;
    const int channels = has_channels ? image.dim(2).extent() : 1;
    std::vector<uint16_t> pixels;
    for (int c = 0; c < channels; c++) {
        for (int y = 0; y < image.height(); y++) {
            for (int x = 0; x < image.width(); x++) {
                pixels.push_back(has_channels ? image(x, y, c) : image(x, y));
            }
        }
    }
    return {image.width(), image.height(), channels, std::move(pixels)};
}
#else
Picture load_picture(const std::string &file) {
    throw std::runtime_error("cannot read the picture '" + file +
                             "': this program was built without Halide's halide_image_io.h");
}
#endif

}  // namespace warptile::bench
