#include "verify/processes/child.h"

#include "verify/processes/child_process.h"

#include <algorithm>
#include <memory>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

namespace warptile {

namespace {

using Clock = std::chrono::steady_clock;
using End = ChildResult::End;

// How often a child is looked at whose pipe says nothing.
constexpr int tick_ms = 50;

// The descriptor at which a program finds its input.
constexpr int program_input = 3;

// The exit status of a program that could not be started, as a shell gives it.
constexpr int exit_cannot_run = 127;

// All the jobs, a few at a time.
class Pool {
public:
    Pool(const std::vector<ChildJob> &jobs, double time_limit_s, int at_once, bool keep_output)
        : jobs(jobs), time_limit_s(time_limit_s), at_once(size_t(std::max(at_once, 1))), keep_output(keep_output),
          results(jobs.size()) {
        for (size_t i = 0; i < jobs.size(); i++)
            waiting.push_back(i);
    }

    std::vector<ChildResult> run() {
        while (!waiting.empty() || !running.empty()) {
            while (!waiting.empty() && running.size() < at_once && start_next()) {
            }
            wait();
            for (size_t k = 0; k < running.size();) {
                if (running[k].child->advance()) {
                    finish(running[k].job, running[k].child->result());
                    running.erase(running.begin() + ptrdiff_t(k));
                } else {
                    k++;
                }
            }
        }
        return std::move(results);
    }

private:
    struct Running {
        size_t job;
        std::unique_ptr<ChildProcess> child;
    };

    // False where no more children can be made until one of those running is gone.
    bool start_next() {
        const size_t job = waiting.front();
        auto child = std::make_unique<ChildProcess>(jobs[job], time_limit_s, keep_output);
        if (!child->error().empty()) {
            if (!running.empty())
                return false;
            results[job].end = End::failed;
            results[job].message = child->error();
        } else {
            running.push_back({job, std::move(child)});
        }
        waiting.erase(waiting.begin());
        return true;
    }

    void finish(size_t job, ChildResult result) {
        result.attempts = results[job].attempts;
        if (result.end == End::timed_out && result.attempts == 1) {
            results[job].attempts = 2;
            waiting.insert(waiting.begin(), job);
            return;
        }
        if (result.end == End::timed_out) {
            result.message = "killed at the time limit of " + std::to_string(time_limit_s) + " s, twice";
        }
        results[job] = std::move(result);
    }

    // Sleeps until a child has written something, or it is time to look at them all.
    void wait() const {
        if (running.empty())
            return;
        std::vector<pollfd> polls;
        Clock::time_point wake = Clock::now() + std::chrono::milliseconds(tick_ms);
        for (const Running &r : running) {
            if (r.child->is_open()) {
                polls.push_back({r.child->descriptor(), POLLIN, 0});
            } else {
                wake = std::min(wake, Clock::now() + std::chrono::milliseconds(1));  // it is about to leave
            }
            wake = std::min(wake, r.child->ends_by());
        }
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(wake - Clock::now()).count();
        poll(polls.data(), polls.size(), int(std::max<long>(left + 1, 0)));
    }

    const std::vector<ChildJob> &jobs;
    const double time_limit_s;
    const size_t at_once;
    const bool keep_output;
    std::vector<size_t> waiting;
    std::vector<Running> running;
    std::vector<ChildResult> results;
};

// Puts the program's input at `program_input` and its output into `pipe`, and becomes the program.
void become(const std::vector<std::string> &argv, const std::string &input, int pipe) {
    const int file = memfd_create("input", 0);
    if (file < 0)
        _exit(exit_cannot_run);
    write_all(file, input);
    lseek(file, 0, SEEK_SET);
    dup2(pipe, STDOUT_FILENO);
    dup2(pipe, STDERR_FILENO);
    if (file != program_input)
        dup2(file, program_input);
    std::vector<char *> arguments;
    for (const std::string &a : argv)
        arguments.push_back(const_cast<char *>(a.c_str()));
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    _exit(exit_cannot_run);
}

}  // namespace

std::vector<ChildResult> run_in_children(const std::vector<std::function<std::string()>> &works, double time_limit_s,
                                         int at_once, ChildMode mode) {
    if (mode.in_process) {
        std::vector<ChildResult> results;
        for (const auto &work : works)
            results.push_back(call_here(work));
        return results;
    }
    std::vector<ChildJob> jobs;
    for (const auto &work : works)
        jobs.push_back({[&work](int pipe) { write_answer(pipe, work); }});
    return Pool(jobs, time_limit_s, at_once, mode.keep_output).run();
}

ChildResult run_in_child(const std::function<std::string()> &work, double time_limit_s, ChildMode mode) {
    return run_in_children({work}, time_limit_s, 1, mode)[0];
}

ChildResult run_program(const std::vector<std::string> &argv, const std::string &input, double time_limit_s) {
    const std::vector<ChildJob> jobs = {{[&](int pipe) { become(argv, input, pipe); }, true}};
    return Pool(jobs, time_limit_s, 1, false).run()[0];
}

std::string program_input_path() { return "/proc/self/fd/" + std::to_string(program_input); }

std::string to_string(ChildResult::End end) {
    switch (end) {
    case End::ok:
        return "ok";
    case End::failed:
        return "failed";
    case End::crashed:
        return "crashed";
    case End::timed_out:
        return "timed out";
    }
    return "unknown";
}

}  // namespace warptile
