#include "verify/launch_limits.h"

namespace warptile {

std::vector<std::string> broken_limits(const TrialKernel &kernel, const LaunchLimits &limits) {
    std::vector<std::string> broken;
    const auto check = [&](const std::string &what, std::optional<int64_t> at_most, int64_t limit) {
        if (at_most && *at_most > limit) {
            broken.push_back("the kernel of " + kernel.func + " has " + what + " up to " + std::to_string(*at_most) +
                             ", the limit is " + std::to_string(limit));
        }
    };
    check("threads in a block", kernel.most_threads(), limits.threads);
    for (int d = 0; d < 3; d++) {
        const std::string axis(1, "xyz"[d]);
        check("threads along " + axis, kernel.threads[d].at_most, limits.thread_extents[d]);
        check("blocks along " + axis, kernel.blocks[d].at_most, limits.block_extents[d]);
    }
    check("bytes of shared memory", kernel.shared_bytes.at_most, limits.shared_bytes);
    return broken;
}

}  // namespace warptile
