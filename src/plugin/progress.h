// Where the analysis is, in memory that it shares with the process that watches it: if it dies or does not end, the
// parent knows in which phase and at which Func, and what it was costs that Func alone.
#pragma once

#include <memory>
#include <string>

namespace warptile {

/// Made before the child is; the child writes, the parent reads once the child is gone.
class Progress {
public:
    enum class Phase { Start, Dag, Search, Verify };

    Progress();

    /// The analysis begins with something new: a Func (its node id, and its name to be read by people), or a phase.
    void begin(Phase phase, int node = -1, const std::string &func = "");

    /// From now on each beginning has so many seconds of the processor's time until the next, or the process is killed:
    /// unlike the clock on the wall they are as many on a machine that is busy. To be called in a child.
    void limit_cpu_seconds(int seconds);

    Phase phase() const { return at_->phase; }

    int node() const { return at_->node; }

    std::string func() const { return at_->func; }

private:
    struct At {
        Phase phase = Phase::Start;
        int node = -1;
        char func[256] = "";
    };

    std::shared_ptr<At> at_;
    int seconds_ = 0;
};

}  // namespace warptile
