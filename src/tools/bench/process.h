// Programs and workers that may crash or hang without taking the bench with them. A command is run to its end; a
// worker is a forked copy of this process that answers requests, one line each, until it is dropped.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace warptile::bench {

struct CommandResult {
    bool succeeded = false;
    bool timed_out = false;
    double seconds = 0;      // wall time
    std::string error;       // empty where it succeeded, else its error in one line, or how it ended
    std::string error_text;  // all that it wrote to its error output, 64 KB at most
};

/// The one line of `text` that says what is wrong: what Halide's generator main or its runtime reports as an error,
/// with line breaks made spaces; else the first line that is not blank. Cut to a readable length.
std::string error_line(const std::string &text);

/// Runs `argv` and waits for it, `timeout` seconds at most. Its standard output is discarded.
CommandResult run_command(const std::vector<std::string> &argv, double timeout);

/// A worker's side of the conversation: returns the next request, or nothing when there are no more.
using NextRequest = std::function<std::optional<std::string>()>;
using Reply = std::function<void(const std::string &)>;

class Worker {
public:
    /// Starts a process that runs `work` and exits. What `work` throws becomes the worker's error.
    explicit Worker(const std::function<void(const NextRequest &, const Reply &)> &work);
    Worker(const Worker &) = delete;
    Worker &operator=(const Worker &) = delete;
    ~Worker();

    /// Sends a line. Never fails: a dead worker shows at the next `reply`.
    void request(const std::string &line);

    /// The worker's next line, or nothing if it died or said nothing for `timeout` seconds; it is then gone, and
    /// `error()` says why.
    std::optional<std::string> reply(double timeout);

    const std::string &error() const { return error_; }

private:
    pid_t pid_ = -1;
    int requests_ = -1, replies_ = -1, errors_ = -1;
    std::string unread_, error_;

    void finish(const std::string &reason);
};

}  // namespace warptile::bench
