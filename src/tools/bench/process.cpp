// Processes with time limits. Each child leads a process group of its own, so that a time limit ends what it started
// as well, and writes its errors to a nameless temporary file, in which a failure explains itself.
#include "tools/bench/process.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <poll.h>
#include <sstream>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace warptile::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

int checked(int result, const char *what) {
    if (result < 0) {
        throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
    }
    return result;
}

int nameless_file() { return checked(memfd_create("errors", MFD_CLOEXEC), "memfd_create"); }

std::string read_all(int file) {
    std::string text(65536, '\0');
    const ssize_t size = pread(file, text.data(), text.size(), 0);
    text.resize(size > 0 ? size_t(size) : 0);
    return text;
}

std::string in_one_line(const std::string &text) {
    constexpr size_t longest = 300;
    std::istringstream words(text);
    std::string line;
    for (std::string word; words >> word && line.size() < longest;) {
        line += (line.empty() ? "" : " ") + word;
    }
    return line.size() > longest ? line.substr(0, longest) + "…" : line;
}

std::string how_it_ended(int status) {
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        return std::string(strsignal(signal)) + " (signal " + std::to_string(signal) + ")";
    }
    return "exit status " + std::to_string(WEXITSTATUS(status));
}

std::string explain(int status, const std::string &error_text) {
    const std::string line = error_line(error_text);
    if (line.empty()) {
        return how_it_ended(status);
    }
    return WIFSIGNALED(status) ? line + " [" + how_it_ended(status) + "]" : line;
}

void kill_group(pid_t pid) {
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
}

/// Waits for `pid`. Returns its status, or nothing if it still ran after `timeout` seconds and was killed. One that
/// cannot be killed, since it hangs in a driver, is left alone after a while.
std::optional<int> wait_for(pid_t pid, double timeout) {
    constexpr double patience = 10;
    const Clock::time_point start = Clock::now();
    bool killed = false;
    int status = 0;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        const double seconds = seconds_since(start);
        if (seconds > timeout + patience) {
            return std::nullopt;
        }
        if (seconds > timeout && !killed) {
            kill_group(pid);
            killed = true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return killed ? std::nullopt : std::optional<int>(status);
}

std::string timed_out(double timeout) { return "no end after " + std::to_string(int(timeout)) + " s"; }

}  // namespace

std::string error_line(const std::string &text) {
    for (const char *const mark : {"Unhandled exception: ", "error: ", "Error: "}) {
        const size_t found = text.find(mark);
        if (found != std::string::npos) {
            // Halide prints how to call a generator behind some errors.
            const size_t begin = found + std::strlen(mark), usage = text.find("\ngengen\n", begin);
            const std::string line = in_one_line(text.substr(begin, usage - begin));
            return line.rfind("Error: ", 0) == 0 ? line.substr(7) : line;
        }
    }
    const size_t begin = text.find_first_not_of(" \t\r\n");
    return begin == std::string::npos ? "" : in_one_line(text.substr(begin, text.find('\n', begin) - begin));
}

CommandResult run_command(const std::vector<std::string> &argv, double timeout) {
    std::vector<char *> pointers;
    for (const std::string &argument : argv) {
        pointers.push_back(const_cast<char *>(argument.c_str()));
    }
    pointers.push_back(nullptr);
    const int error_file = nameless_file();
    const Clock::time_point start = Clock::now();
    const pid_t pid = checked(fork(), "fork");
    if (pid == 0) {
        setpgid(0, 0);
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        dup2(error_file, STDERR_FILENO);
        execvp(pointers[0], pointers.data());
        std::fprintf(stderr, "cannot run %s: %s\n", pointers[0], std::strerror(errno));
        _exit(127);
    }
    const std::optional<int> status = wait_for(pid, timeout);
    CommandResult result;
    result.seconds = seconds_since(start);
    result.succeeded = status == 0;
    result.timed_out = !status;
    result.error_text = read_all(error_file);
    if (!result.succeeded) {
        result.error = status ? explain(*status, result.error_text) : timed_out(timeout);
    }
    close(error_file);
    return result;
}

Worker::Worker(const std::function<void(const NextRequest &, const Reply &)> &work) {
    int to_worker[2], from_worker[2];
    checked(pipe2(to_worker, O_CLOEXEC), "pipe");
    checked(pipe2(from_worker, O_CLOEXEC), "pipe");
    errors_ = nameless_file();
    std::fflush(nullptr);
    pid_ = checked(fork(), "fork");
    if (pid_ != 0) {
        close(to_worker[0]);
        close(from_worker[1]);
        requests_ = to_worker[1];
        replies_ = from_worker[0];
        return;
    }

    setpgid(0, 0);
    close(to_worker[1]);
    close(from_worker[0]);
    dup2(errors_, STDERR_FILENO);
    dup2(errors_, STDOUT_FILENO);
    FILE *const in = fdopen(to_worker[0], "r");
    const auto next = [in]() -> std::optional<std::string> {
        char line[4096];
        return std::fgets(line, sizeof line, in) ? std::optional<std::string>(line) : std::nullopt;
    };
    const auto reply = [out = from_worker[1]](const std::string &line) {
        const std::string whole = line + "\n";
        if (write(out, whole.data(), whole.size()) != ssize_t(whole.size())) {
            _exit(1);
        }
    };
    int status = 0;
    try {
        work(next, reply);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        status = 1;
    }
    std::fflush(nullptr);
    _exit(status);  // not exit(): a driver's destructors have been seen to hang
}

Worker::~Worker() { finish("dropped"); }

void Worker::request(const std::string &line) {
    const std::string whole = line + "\n";
    const auto old = std::signal(SIGPIPE, SIG_IGN);
    const ssize_t written = requests_ < 0 ? 0 : write(requests_, whole.data(), whole.size());
    std::signal(SIGPIPE, old);
    (void)written;
}

std::optional<std::string> Worker::reply(double timeout) {
    const Clock::time_point start = Clock::now();
    while (pid_ > 0) {
        const size_t end = unread_.find('\n');
        if (end != std::string::npos) {
            const std::string line = unread_.substr(0, end);
            unread_.erase(0, end + 1);
            return line;
        }
        pollfd ready{replies_, POLLIN, 0};
        const double left = timeout - seconds_since(start);
        if (left <= 0 || poll(&ready, 1, int(left * 1000) + 1) == 0) {
            finish(timed_out(timeout));
            break;
        }
        char bytes[4096];
        const ssize_t size = read(replies_, bytes, sizeof bytes);
        if (size <= 0) {
            finish({});
            break;
        }
        unread_.append(bytes, size_t(size));
    }
    return std::nullopt;
}

/// Ends the worker. `reason` explains it; where it is empty the worker ended by itself and is asked.
void Worker::finish(const std::string &reason) {
    if (pid_ <= 0) {
        return;
    }
    if (!reason.empty()) {
        kill_group(pid_);
    }
    const std::optional<int> status = wait_for(pid_, 10);
    error_ = !reason.empty() ? reason : explain(status.value_or(0), read_all(errors_));
    pid_ = -1;
    for (const int file : {requests_, replies_, errors_}) {
        close(file);
    }
}

}  // namespace warptile::bench
