// PTX has no operators: what is not a word, a quoted text or white space is a sign of one character.
#include "ptx_tokens.h"

#include <algorithm>
#include <cctype>

namespace warptile::emulator {

namespace {

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' || c == '.';
}

/// Where the comment, quoted text or word that starts at `at` ends.
size_t end_of(const std::string &text, size_t at) {
    if (text.compare(at, 2, "//") == 0) {
        return std::min(text.find('\n', at), text.size());
    }
    if (text.compare(at, 2, "/*") == 0) {
        const size_t end = text.find("*/", at + 2);
        return end == std::string::npos ? text.size() : end + 2;
    }
    if (text[at] == '"') {
        return std::min(text.find('"', at + 1), text.size() - 1) + 1;
    }
    size_t end = at;
    while (end < text.size() && (is_word(text[end]) || text.compare(end, 2, "::") == 0)) {
        end += is_word(text[end]) ? 1 : 2;
    }
    return std::max(end, at + 1);
}

}  // namespace

std::vector<Token> tokens_of(const std::string &text) {
    std::vector<Token> tokens;
    int line = 1;
    for (size_t at = 0; at < text.size() && text[at] != '\0';) {
        const size_t end = end_of(text, at);
        const bool comment = text.compare(at, 2, "//") == 0 || text.compare(at, 2, "/*") == 0;
        if (!comment && !std::isspace(static_cast<unsigned char>(text[at]))) {
            tokens.push_back({text.substr(at, end - at), line});
        }
        line += static_cast<int>(
            std::count(text.begin() + static_cast<long>(at), text.begin() + static_cast<long>(end), '\n'));
        at = end;
    }
    return tokens;
}

}  // namespace warptile::emulator
