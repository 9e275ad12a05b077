#include "plugin/progress.h"

#include <algorithm>
#include <csignal>
#include <new>

#include <sys/mman.h>
#include <sys/time.h>

namespace warptile {

Progress::Progress() {
    void *const page = mmap(nullptr, sizeof(At), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {  // the parent then learns nothing
        at_ = std::make_shared<At>();
    } else {
        at_ = {new (page) At, [](At *at) { munmap(at, sizeof(At)); }};
    }
}

void Progress::begin(Phase phase, int node, const std::string &func) {
    at_->phase = phase;
    at_->node = node;
    const size_t length = std::min(func.size(), sizeof(at_->func) - 1);
    std::copy_n(func.begin(), length, at_->func);
    at_->func[length] = '\0';
    if (seconds_ > 0) {
        itimerval left{};
        left.it_value.tv_sec = phase == Phase::Verify ? 0 : seconds_;  // trials have limits of their own
        setitimer(ITIMER_PROF, &left, nullptr);
    }
}

void Progress::limit_cpu_seconds(int seconds) {
    std::signal(SIGPROF, SIG_DFL);
    seconds_ = seconds;
}

}  // namespace warptile
