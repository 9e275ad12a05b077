// One forked child: what it is to do, what it has said so far, and how it ended.
#pragma once

#include "verify/processes/child.h"
#include "verify/processes/descriptor.h"

#include <chrono>
#include <functional>
#include <string>

#include <sys/types.h>

namespace warptile {

// What a child does.
struct ChildJob {
    std::function<void(int pipe)> body;  // runs in the child and writes to the pipe
    bool is_program = false;  // all that it writes is its answer, and its exit status says how it went; else it answers
                              // by `write_answer`
};

// Sends what `work` returns or throws to the parent.
void write_answer(int pipe, const std::function<std::string()> &work);

// What `work` returns or throws, in this process.
ChildResult call_here(const std::function<std::string()> &work);

class ChildProcess {
public:
    // Starts the child. `error()` is not empty where none could be made.
    ChildProcess(const ChildJob &job, double time_limit_s, bool keep_output);

    // Kills the child if it is still there.
    ~ChildProcess();

    ChildProcess(const ChildProcess &) = delete;
    ChildProcess &operator=(const ChildProcess &) = delete;

    const std::string &error() const { return start_error; }

    // Whether more may come through the pipe, and the pipe to wait at.
    bool is_open() const { return open; }

    int descriptor() const { return read_end.get(); }

    std::chrono::steady_clock::time_point ends_by() const { return deadline; }

    // Takes what the child has written, and kills it at its time limit; true when it is gone and `result()` stands.
    bool advance();

    ChildResult result() const;

private:
    void drain();
    bool is_whole() const;
    bool reap(int flags);
    void kill_and_reap();
    std::string how_it_ended() const;

    const bool is_program;
    std::string start_error;
    Descriptor read_end;
    pid_t pid = -1;
    std::chrono::steady_clock::time_point deadline;
    std::string said;
    int status = 0;
    bool open = true, reaped = false, status_known = false, timed_out = false;
};

}  // namespace warptile
