// What comes back from a child: answers, exceptions, crashes, hangs; and that none of it is left in the parent.
#include "verify/processes/child.h"

#include <Halide.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <dirent.h>
#include <iostream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

using namespace warptile;
using End = ChildResult::End;

namespace {

constexpr double generous_s = 60;

// A recursion deeper than any stack, which the compiler cannot turn into a loop.
int overflow_the_stack(int depth) {
    volatile char frame[1 << 16];
    frame[0] = char(depth);
    return depth == 1 << 30 ? 0 : overflow_the_stack(depth + 1) + frame[0];
}

std::string hang() {
    for (;;)
        pause();
}

int open_descriptors() {
    DIR *dir = opendir("/proc/self/fd");
    int count = 0;
    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

bool has_children() { return !(waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD); }

}  // namespace

TEST(Child, BringsBytesBack) {
    const std::string bytes("a\0b\n", 4);
    const ChildResult r = run_in_child([&] { return bytes; }, generous_s);
    EXPECT_EQ(r.end, End::ok);
    EXPECT_EQ(r.bytes, bytes);
    EXPECT_EQ(r.attempts, 1);
    EXPECT_TRUE(run_in_child([] { return std::string(); }, generous_s).ok());
}

TEST(Child, WorksOnACopyOfTheProcess) {
    int value = 1;
    const ChildResult r = run_in_child([&] { return std::to_string(++value); }, generous_s);
    EXPECT_EQ(r.bytes, "2");
    EXPECT_EQ(value, 1);
}

TEST(Child, ExceptionComesBackAsItsMessage) {
    const ChildResult r = run_in_child([]() -> std::string { throw std::runtime_error("no such loop"); }, generous_s);
    EXPECT_EQ(r.end, End::failed);
    EXPECT_EQ(r.message, "no such loop");
    EXPECT_EQ(run_in_child([]() -> std::string { throw 7; }, generous_s).end, End::failed);
    const ChildResult refused =
        run_in_child([]() -> std::string { throw Halide::CompileError("no such Func"); }, generous_s);
    EXPECT_EQ(refused.end, End::failed);
    EXPECT_EQ(refused.message, "no such Func");
}

TEST(Child, CrashesAreNamed) {
    const ChildResult aborted = run_in_child([]() -> std::string { std::abort(); }, generous_s);
    EXPECT_EQ(aborted.end, End::crashed);
    EXPECT_NE(aborted.message.find("SIGABRT"), std::string::npos) << aborted.message;

    const ChildResult overflown = run_in_child([] { return std::to_string(overflow_the_stack(0)); }, generous_s);
    EXPECT_EQ(overflown.end, End::crashed);
    EXPECT_NE(overflown.message.find("SIGSEGV"), std::string::npos) << overflown.message;

    const ChildResult left = run_in_child([]() -> std::string { _exit(3); }, generous_s);
    EXPECT_EQ(left.end, End::crashed);
    EXPECT_NE(left.message.find("status 3"), std::string::npos) << left.message;
}

TEST(Child, HangIsKilledAtTheLimitAfterOneMoreTry) {
    const auto start = std::chrono::steady_clock::now();
    const ChildResult r = run_in_child(hang, 0.2);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(r.end, End::timed_out);
    EXPECT_EQ(r.attempts, 2);
    EXPECT_GE(took.count(), 0.4);
    EXPECT_LT(took.count(), 10);
}

TEST(Child, ClosingThePipeIsNotAnAnswer) {
    const auto close_and_hang = []() -> std::string {
        for (int d = 3; d < 64; d++)
            close(d);
        return hang();
    };
    EXPECT_EQ(run_in_child(close_and_hang, 0.1).end, End::timed_out);
}

TEST(Child, ResultsAreInTheOrderOfTheWorks) {
    std::vector<std::function<std::string()>> works;
    for (int i = 0; i < 12; i++) {
        works.push_back([i]() -> std::string {
            usleep(useconds_t((12 - i) * 5000));  // the first end last
            if (i % 4 == 3)
                throw std::runtime_error("work " + std::to_string(i));
            return std::to_string(i);
        });
    }
    for (int at_once : {1, 3, 100}) {
        const std::vector<ChildResult> results = run_in_children(works, generous_s, at_once);
        ASSERT_EQ(results.size(), works.size());
        for (int i = 0; i < 12; i++) {
            const ChildResult &r = results[size_t(i)];
            EXPECT_EQ(r.end, i % 4 == 3 ? End::failed : End::ok);
            EXPECT_EQ(i % 4 == 3 ? r.message : r.bytes, (i % 4 == 3 ? "work " : "") + std::to_string(i));
        }
    }
    EXPECT_TRUE(run_in_children({}, generous_s, 4).empty());
}

TEST(Child, BigAnswersAreDrainedWhileTheyRun) {
    const auto big = [](char c) { return [c] { return std::string(20'000'000, c); }; };
    const std::vector<ChildResult> results = run_in_children({big('a'), big('b'), big('c')}, generous_s, 3);
    for (int i = 0; i < 3; i++)
        EXPECT_TRUE(results[size_t(i)].bytes == std::string(20'000'000, char('a' + i)));
}

TEST(Child, LeavesNothingBehind) {
    const int before = open_descriptors();
    std::vector<std::function<std::string()>> works;
    for (int i = 0; i < 50; i++) {
        works.push_back([i]() -> std::string {
            if (i % 5 == 0)
                std::abort();
            return "x";
        });
    }
    run_in_children(works, generous_s, 8);
    run_in_child(hang, 0.05);
    EXPECT_EQ(open_descriptors(), before);
    EXPECT_FALSE(has_children());
}

TEST(Child, WritesNothingToTheParentsOutput) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    std::cout << "parent ";
    std::printf("says ");
    run_in_child(
        [] {
            std::cout << "child" << std::endl;
            std::cerr << "child" << std::endl;
            std::printf("child\n");
            std::fflush(stdout);
            return std::string();
        },
        generous_s);
    std::cout.flush();
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "parent says ");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");

    testing::internal::CaptureStderr();
    ChildMode keep;
    keep.keep_output = true;
    run_in_child([] { return std::cerr << "seen", std::string(); }, generous_s, keep);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "seen");
}

TEST(Child, WorksInAHostThatIgnoresItsChildren) {
    const auto before = std::signal(SIGCHLD, SIG_IGN);
    const ChildResult fine = run_in_child([] { return std::string("fine"); }, generous_s);
    const ChildResult aborted = run_in_child([]() -> std::string { std::abort(); }, generous_s);
    std::signal(SIGCHLD, before);
    EXPECT_EQ(fine.bytes, "fine");
    EXPECT_EQ(aborted.end, End::crashed);
}

TEST(Child, DoesNotWaitForTheHostsOwnChildren) {
    const pid_t others = fork();
    if (others == 0)
        _exit(5);
    EXPECT_TRUE(run_in_child([] { return std::string("x"); }, generous_s).ok());
    int status = 0;
    EXPECT_EQ(waitpid(others, &status, 0), others);
    EXPECT_EQ(WEXITSTATUS(status), 5);
}

TEST(Child, ChildrenMayHaveChildren) {
    const ChildResult r = run_in_child(
        [] {
            const ChildResult inner = run_in_child([]() -> std::string { std::abort(); }, generous_s);
            return to_string(inner.end) + ": " + inner.message;
        },
        generous_s);
    EXPECT_EQ(r.bytes, "crashed: killed by SIGABRT");
}

TEST(Child, InProcessGivesTheSameResults) {
    ChildMode mode;
    mode.in_process = true;
    int value = 1;
    EXPECT_EQ(run_in_child([&] { return std::to_string(++value); }, generous_s, mode).bytes, "2");
    EXPECT_EQ(value, 2);
    const ChildResult r = run_in_child([]() -> std::string { throw std::runtime_error("x"); }, generous_s, mode);
    EXPECT_EQ(r.end, End::failed);
    EXPECT_EQ(r.message, "x");
}

TEST(Program, OutputAndStatusComeBack) {
    const ChildResult fine = run_program({"/bin/cat", program_input_path()}, "text", generous_s);
    EXPECT_EQ(fine.end, End::ok);
    EXPECT_EQ(fine.bytes, "text");
    const ChildResult bad = run_program({"/bin/sh", "-c", "echo wrong >&2; exit 2"}, "", generous_s);
    EXPECT_EQ(bad.end, End::failed);
    EXPECT_EQ(bad.message, "wrong\n");
    EXPECT_FALSE(run_program({"/no/such/program"}, "", generous_s).ok());
    EXPECT_EQ(run_program({"/bin/sh", "-c", "exec >&- 2>&-; sleep 100"}, "", 0.1).end, End::timed_out);
}
