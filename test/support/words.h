// What texts say: messages, schedules and PTX are compared by the words that matter in them.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "machine/error.h"

namespace warptile {

inline void expect_words(const std::string &text, const std::vector<std::string> &words) {
    for (const std::string &word : words) {
        EXPECT_NE(text.find(word), std::string::npos) << "\"" << word << "\" is not in: " << text;
    }
}

/// How often `what` stands in the text.
inline size_t count(const std::string &text, const std::string &what) {
    size_t n = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
        n++;
    }
    return n;
}

/// The error that an action ends with; a failure of the test where it ends without.
template<typename Action>
std::string error_of(const Action &action) {
    try {
        action();
    } catch (const Error &error) {
        return error.what();
    }
    ADD_FAILURE() << "no error";
    return "";
}

}  // namespace warptile
