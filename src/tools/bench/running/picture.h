// A photograph as data: PPM or PGM always, PNG and JPEG where the libraries were there when this was built.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warptile::bench {

class Picture {
public:
    Picture() = default;
    Picture(int width, int height, int channels, std::vector<uint16_t> pixels);

    bool empty() const { return pixels_.empty(); }

    /// The pixel at any place: the picture is repeated mirrored beyond its edges, and so are its channels.
    uint16_t at(int x, int y, int c) const;

private:
    int width_ = 0, height_ = 0, channels_ = 0;
    std::vector<uint16_t> pixels_;  // x fastest, then y, then the channel; 0 to 65535
};

/// Throws `std::runtime_error` that names the file where it cannot be read.
Picture load_picture(const std::string &file);

}  // namespace warptile::bench
