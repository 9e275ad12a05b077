#include "tools/bench/progress.h"

#include <cstdio>
#include <unistd.h>

namespace warptile::bench {

void Progress::done(const std::string &text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    done_++;
    const bool rewrite = isatty(STDERR_FILENO);
    std::fprintf(stderr, "%s[%d/%d] %.100s%s", rewrite ? "\r\033[K" : "", done_, steps_, text.c_str(),
                 rewrite ? "" : "\n");
    std::fflush(stderr);
}

void Progress::clear() {
    if (isatty(STDERR_FILENO)) {
        std::fprintf(stderr, "\r\033[K");
        std::fflush(stderr);
    }
}

Progress::~Progress() { clear(); }

}  // namespace warptile::bench
