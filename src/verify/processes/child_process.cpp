#include "verify/processes/child_process.h"

#include <Halide.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>

#include <fcntl.h>
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

// Of a child. Only what is used of it becomes memory.
constexpr size_t stack_size = size_t(1) << 29;

// In the child the pipe stands above the descriptors that mean something: the standard ones and a program's input.
constexpr int lowest_pipe = 10;

// The child must leave no trace: it dies with the parent, dumps no core, writes nothing, and has none of the host's
// signal handlers (they would run on a copy of the host's state).
void settle_child(pid_t parent, bool keep_output) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
    // Where memory runs out, the candidate goes first and not the host.
    if (const Descriptor score(open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)); score.get() >= 0) {
        write_all(score.get(), "1000");
    }
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
[[noreturn]] void run_and_leave(const ChildJob &job, int pipe) noexcept {
    job.body(pipe);
    _exit(EXIT_SUCCESS);
}

std::string signal_name(int signal) {
    const char *abbreviation = sigabbrev_np(signal);
    return abbreviation ? std::string("SIG") + abbreviation : "signal " + std::to_string(signal);
}

}  // namespace

ChildResult call_here(const std::function<std::string()> &work) {
    ChildResult result;
    try {
        result.bytes = work();
        result.end = End::ok;
    } catch (const std::exception &e) {
        result.message = e.what();
    } catch (const Halide::Error &e) {  // which is no std::exception
        result.message = e.what();
    } catch (...) {
        result.message = "an exception of an unknown kind";
    }
    return result;
}

void write_answer(int pipe, const std::function<std::string()> &work) {
    ChildResult result;
    // What walks a user's expressions goes as deep as they do. Halide's own lowering takes a stack of its own, as large
    // as the one that it will have in the parent.
    const size_t usual = Halide::get_compiler_stack_size();
    Halide::set_compiler_stack_size(stack_size);
    Halide::Internal::run_with_large_stack([&] {
        Halide::set_compiler_stack_size(usual);
        result = call_here(work);
    });
    const std::string &text = result.ok() ? result.bytes : result.message;
    const uint64_t length = text.size();
    std::string header(header_size, result.ok() ? answer_ok : answer_failed);
    std::memcpy(&header[1], &length, sizeof length);
    write_all(pipe, header);
    write_all(pipe, text);
}

ChildProcess::ChildProcess(const ChildJob &job, double time_limit_s, bool keep_output) : is_program(job.is_program) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        start_error = std::string("cannot make a pipe: ") + std::strerror(errno);
        return;
    }
    read_end = Descriptor(ends[0]);
    const Descriptor write_end(ends[1]);
    if (keep_output) {
        std::cout.flush();  // else the child, whose stdout is kept, would print what waits in the buffer again
        std::fflush(stdout);
    }
    const pid_t parent = getpid();
    pid = fork();
    if (pid == 0) {
        const int pipe = fcntl(write_end.get(), F_DUPFD_CLOEXEC, lowest_pipe);
        settle_child(parent, keep_output);
        run_and_leave(job, pipe);
    }
    if (pid < 0)
        start_error = std::string("cannot fork: ") + std::strerror(errno);
    fcntl(read_end.get(), F_SETFL, O_NONBLOCK);
    deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(time_limit_s));
}

ChildProcess::~ChildProcess() {
    if (pid > 0 && !reaped)
        kill_and_reap();
}

bool ChildProcess::advance() {
    drain();
    if (is_whole())
        return reap(0);  // it has only to leave
    if (reap(WNOHANG)) {
        drain();  // it may have written between the read and its end
        return true;
    }
    if (Clock::now() < deadline)
        return false;
    timed_out = true;
    kill_and_reap();
    return true;
}

ChildResult ChildProcess::result() const {
    ChildResult r;
    if (timed_out) {
        r.end = End::timed_out;
    } else if (is_program && status_known && WIFEXITED(status)) {
        r.end = WEXITSTATUS(status) == EXIT_SUCCESS ? End::ok : End::failed;
        (r.ok() ? r.bytes : r.message) = said;
    } else if (is_whole()) {
        r.end = said[0] == answer_ok ? End::ok : End::failed;
        (r.ok() ? r.bytes : r.message) = said.substr(header_size);
    } else {
        r.end = End::crashed;
        r.message = how_it_ended();
    }
    return r;
}

// Reads until there is nothing to read now.
void ChildProcess::drain() {
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

bool ChildProcess::is_whole() const {
    if (is_program || said.size() < header_size)
        return false;
    uint64_t length = 0;
    std::memcpy(&length, &said[1], sizeof length);
    return said.size() == header_size + length;
}

// True once the child is gone. Its status stays unknown where the host ignores SIGCHLD or waited for it itself.
bool ChildProcess::reap(int flags) {
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

void ChildProcess::kill_and_reap() {
    kill(pid, SIGKILL);
    reap(0);
}

std::string ChildProcess::how_it_ended() const {
    if (!status_known)
        return "ended without an answer (the host process took its exit status)";
    if (WIFSIGNALED(status))
        return "killed by " + signal_name(WTERMSIG(status));
    return "exited with status " + std::to_string(WEXITSTATUS(status)) + " without an answer";
}

}  // namespace warptile
