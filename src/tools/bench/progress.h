// A line that says how far a command is: rewritten in place on a terminal, one line a step elsewhere.
#pragma once

#include <mutex>
#include <string>

namespace warptile::bench {

class Progress {
public:
    explicit Progress(int steps) : steps_(steps) {}

    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;
    ~Progress();

    /// One step is done. May be called by several threads.
    void done(const std::string &text);

    /// Takes the line off the terminal, before something else is printed.
    void clear();

private:
    std::mutex mutex_;
    int steps_, done_ = 0;
};

}  // namespace warptile::bench
