#include "verify/child.h"

#include "verify/descriptor.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warptile {

namespace {

using Clock = std::chrono::steady_clock;
using End = ChildResult::End;

// A child answers with one byte, the length of what follows as 8 bytes, and the bytes themselves, so that an answer
// is known to be whole whether or not the pipe's end or the child's exit status can be seen (a host that ignores
// SIGCHLD loses the status; a process that another thread forks meanwhile may hold the pipe open).
constexpr char answer_ok = 'o', answer_failed = 'f';
constexpr size_t header_size = 1 + sizeof(uint64_t);

// The descriptor at which a program finds its input.
constexpr int program_input = 3;

// How often a child is looked at whose pipe says nothing.
constexpr int tick_ms = 50;

constexpr int exit_cannot_run = 127;

struct Job {
    std::function<void(int pipe)> body; // runs in the child and writes to the pipe
    bool is_program = false;            // all that it writes is its answer, its exit status says how it went
};

ChildResult call(const std::function<std::string()> &work) {
    ChildResult result;
    try {
        result.bytes = work();
        result.end = End::ok;
    } catch (const std::exception &e) {
        result.message = e.what();
    } catch (...) {
        result.message = "an exception that is not a std::exception";
    }
    return result;
}

void answer(int pipe, const std::function<std::string()> &work) {
    const ChildResult result = call(work);
    const std::string &text = result.ok() ? result.bytes : result.message;
    const uint64_t length = text.size();
    std::string header(header_size, result.ok() ? answer_ok : answer_failed);
    std::memcpy(&header[1], &length, sizeof length);
    write_all(pipe, header);
    write_all(pipe, text);
}

// The child must leave no trace: it dies with the parent, dumps no core, writes nothing, and has none of the host's
// signal handlers (they would run on a copy of the host's state).
void settle_child(pid_t parent, bool keep_output) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(exit_cannot_run);
    const rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    prctl(PR_SET_DUMPABLE, 0);
    for (int signal :
         {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGPIPE, SIGALRM, SIGCHLD}) {
        std::signal(signal, SIG_DFL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(null, STDIN_FILENO);
    if (!keep_output)
        dup2(null, STDERR_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
}

// Nothing may leave this frame but the process: above it is a copy of the host's stack.
[[noreturn]] void run_and_leave(const Job &job, int pipe) noexcept {
    job.body(pipe);
    _exit(EXIT_SUCCESS);
}

std::string signal_name(int signal) {
    const char *abbreviation = sigabbrev_np(signal);
    return abbreviation ? std::string("SIG") + abbreviation : "signal " + std::to_string(signal);
}

// One attempt at a job: the child, and what it has said so far.
class Attempt {
public:
    // `error()` is not empty where no child could be made.
    Attempt(const Job &job, double time_limit_s, bool keep_output) : is_program(job.is_program) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) {
            start_error = std::string("cannot make a pipe: ") + std::strerror(errno);
            return;
        }
        read_end = Descriptor(ends[0]);
        Descriptor write_end(ends[1]);
        if (keep_output) {
            std::cout.flush(); // else the child, whose stdout is kept, would print what waits in the buffer again
            std::fflush(stdout);
        }
        const pid_t parent = getpid();
        pid = fork();
        if (pid == 0) {
            settle_child(parent, keep_output);
            run_and_leave(job, write_end.get());
        }
        if (pid < 0)
            start_error = std::string("cannot fork: ") + std::strerror(errno);
        fcntl(read_end.get(), F_SETFL, O_NONBLOCK);
        deadline =
            Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(time_limit_s));
    }

    Attempt(const Attempt &) = delete;
    Attempt &operator=(const Attempt &) = delete;

    ~Attempt() {
        if (pid > 0 && !reaped)
            kill_and_reap();
    }

    const std::string &error() const { return start_error; }

    int descriptor() const { return read_end.get(); }

    Clock::time_point ends_by() const { return deadline; }

    // Whether more may come through the pipe.
    bool is_open() const { return open; }

    // Takes what the child has written; true when the attempt is over and `result()` can be asked.
    bool advance() {
        drain();
        if (whole())
            return reap(0); // it has only to leave
        if (reap(WNOHANG)) {
            drain(); // it may have written between the read and its end
            return true;
        }
        if (Clock::now() < deadline)
            return false;
        timed_out = true;
        kill_and_reap();
        return true;
    }

    ChildResult result() const {
        ChildResult r;
        if (timed_out) {
            r.end = End::timed_out;
        } else if (is_program && status_known && WIFEXITED(status)) {
            r.end = WEXITSTATUS(status) == EXIT_SUCCESS ? End::ok : End::failed;
            (r.ok() ? r.bytes : r.message) = said;
        } else if (!is_program && whole()) {
            r.end = said[0] == answer_ok ? End::ok : End::failed;
            (r.ok() ? r.bytes : r.message) = said.substr(header_size);
        } else {
            r.end = End::crashed;
            r.message = how_it_ended();
        }
        return r;
    }

private:
    // Reads until there is nothing to read now.
    void drain() {
        char buffer[1 << 16];
        while (open) {
            const ssize_t n = read(read_end.get(), buffer, sizeof buffer);
            if (n > 0) {
                said.append(buffer, size_t(n));
            } else if (n == 0) {
                open = false;
            } else if (errno != EINTR) {
                open = errno == EAGAIN || errno == EWOULDBLOCK;
                return;
            }
        }
    }

    bool whole() const {
        if (is_program || said.size() < header_size)
            return false;
        uint64_t length = 0;
        std::memcpy(&length, &said[1], sizeof length);
        return said.size() == header_size + length;
    }

    // True once the child is gone. Its status stays unknown where the host ignores SIGCHLD or waited for it itself.
    bool reap(int flags) {
        if (reaped)
            return true;
        pid_t got;
        do {
            got = waitpid(pid, &status, flags);
        } while (got < 0 && errno == EINTR);
        reaped = got != 0;
        status_known = got == pid;
        return reaped;
    }

    void kill_and_reap() {
        kill(pid, SIGKILL);
        reap(0);
    }

    std::string how_it_ended() const {
        if (!status_known)
            return "ended without an answer (the host process took its exit status)";
        if (WIFSIGNALED(status))
            return "killed by " + signal_name(WTERMSIG(status));
        return "exited with status " + std::to_string(WEXITSTATUS(status)) + " without an answer";
    }

    const bool is_program;
    std::string start_error;
    Descriptor read_end;
    pid_t pid = -1;
    Clock::time_point deadline;
    std::string said;
    int status = 0;
    bool open = true, reaped = false, status_known = false, timed_out = false;
};

// All the jobs, a few at a time.
class Pool {
public:
    Pool(const std::vector<Job> &jobs, double time_limit_s, int at_once, bool keep_output)
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
                if (running[k].attempt->advance()) {
                    finish(running[k].job, running[k].attempt->result());
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
        std::unique_ptr<Attempt> attempt;
    };

    // False where no more children can be made until one of those running is gone.
    bool start_next() {
        const size_t job = waiting.front();
        auto attempt = std::make_unique<Attempt>(jobs[job], time_limit_s, keep_output);
        if (!attempt->error().empty()) {
            if (!running.empty())
                return false;
            results[job].end = End::failed;
            results[job].message = attempt->error();
        } else {
            running.push_back({job, std::move(attempt)});
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
            if (r.attempt->is_open()) {
                polls.push_back({r.attempt->descriptor(), POLLIN, 0});
            } else {
                wake = std::min(wake, Clock::now() + std::chrono::milliseconds(1)); // it is about to leave
            }
            wake = std::min(wake, r.attempt->ends_by());
        }
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(wake - Clock::now()).count();
        poll(polls.data(), polls.size(), int(std::max<long>(left + 1, 0)));
    }

    const std::vector<Job> &jobs;
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

} // namespace

std::vector<ChildResult> run_in_children(const std::vector<std::function<std::string()>> &works, double time_limit_s,
                                         int at_once, ChildMode mode) {
    if (mode.in_process) {
        std::vector<ChildResult> results;
        for (const auto &work : works)
            results.push_back(call(work));
        return results;
    }
    std::vector<Job> jobs;
    for (const auto &work : works)
        jobs.push_back({[&work](int pipe) { answer(pipe, work); }});
    return Pool(jobs, time_limit_s, at_once, mode.keep_output).run();
}

ChildResult run_in_child(const std::function<std::string()> &work, double time_limit_s, ChildMode mode) {
    return run_in_children({work}, time_limit_s, 1, mode)[0];
}

ChildResult run_program(const std::vector<std::string> &argv, const std::string &input, double time_limit_s) {
    const std::vector<Job> jobs = {{[&](int pipe) { become(argv, input, pipe); }, true}};
    return Pool(jobs, time_limit_s, 1, false).run()[0];
}

std::string program_input_path() {
    return "/proc/self/fd/" + std::to_string(program_input);
}

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

} // namespace warptile
