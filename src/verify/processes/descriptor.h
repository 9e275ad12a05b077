// A file descriptor that closes itself, and a write that is not cut short by signals.
#pragma once

#include <string>
#include <utility>

namespace warptile {

class Descriptor {
public:
    Descriptor() = default;

    explicit Descriptor(int number) : number(number) {}

    Descriptor(Descriptor &&other) noexcept : number(std::exchange(other.number, -1)) {}

    Descriptor &operator=(Descriptor &&other) noexcept {
        std::swap(number, other.number);
        return *this;
    }

    ~Descriptor();

    int get() const { return number; }

private:
    int number = -1;
};

// Writes the whole of `text`; false where the other side is gone or the descriptor cannot be written to.
bool write_all(int descriptor, const std::string &text);

}  // namespace warptile
