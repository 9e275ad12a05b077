// The words of a PTX text with their lines.
#pragma once

#include <string>
#include <vector>

namespace warptile::emulator {

/// A word (`add.s32`, `%tid.x`, `0f3F800000`, `$L__BB0_2`, `shared::cta`), a quoted text, or one sign.
struct Token {
    std::string text;
    int line = 0;
};

std::vector<Token> tokens_of(const std::string &text);

}  // namespace warptile::emulator
