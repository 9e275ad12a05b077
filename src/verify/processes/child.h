// Work done in a forked child, its answer brought back through a pipe.
//
// A schedule that is only a candidate may throw, overflow the stack inside Halide's lowering, abort in LLVM or never
// end. In a child each of these costs one candidate and not the process, and neither the parent's Funcs nor Halide's
// counters of unique names are touched. The host process may be anything (a generator, Python, a compiler service):
// no signal handler is installed in it, only our own children are waited for, and nothing is written to its terminal.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace warptile {

// What became of one piece of work.
struct ChildResult {
    enum class End {
        ok,         // it returned; `bytes` is what it returned
        failed,     // it threw; `message` is the exception's
        crashed,    // a signal or an exit ended it; `message` names which
        timed_out,  // it was killed at the time limit, each time that it was tried
    };
    End end = End::failed;
    std::string bytes;
    std::string message;
    int attempts = 1;  // 2 where the first attempt was killed at the time limit: the caller should announce it

    bool ok() const { return end == End::ok; }
};

// For debugging: how the work is run.
struct ChildMode {
    bool in_process = false;   // no fork, so no protection and no time limit, but a debugger sees everything
    bool keep_output = false;  // the child's stdout and stderr go to the parent's stderr instead of nowhere
};

// Runs `work` in a child, for at most `time_limit_s` seconds of wall time. A child that is killed at the limit is tried
// once more: a fork of a process with other threads can hang on a lock that another thread held.
ChildResult run_in_child(const std::function<std::string()> &work, double time_limit_s, ChildMode mode = {});

// Runs all of `works`, at most `at_once` of them side by side, each in a child of its own. Results are in the order of
// `works` and do not depend on which child ended first.
std::vector<ChildResult> run_in_children(const std::vector<std::function<std::string()>> &works, double time_limit_s,
                                         int at_once, ChildMode mode = {});

// Runs the program `argv[0]` (a path) with the given arguments in the same way. `bytes` is all that it wrote to stdout
// and stderr; an exit status other than 0 is `failed` with that text as `message`. `input` can be read by the program
// as the file `program_input_path()`.
ChildResult run_program(const std::vector<std::string> &argv, const std::string &input, double time_limit_s);
std::string program_input_path();

// "ok", "failed", "crashed", "timed out".
std::string to_string(ChildResult::End end);

}  // namespace warptile
