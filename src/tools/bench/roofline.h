// The ceilings of a card, as measured in the run, and how long a pipeline would take if it reached them. "Share of the
// roofline" is that time over the measured one; docs/bench.md says it in words.
#pragma once

#include "tools/bench/counters.h"

#include <string>
#include <vector>

namespace warptile::bench {

/// A plain copy, called again and again: `bytes` are those read plus those written.
struct CopySpeed {
    double bytes = 0;
    double seconds = 0;

    double bytes_per_second() const { return bytes / seconds; }
};

struct Ceilings {
    std::vector<CopySpeed> copies;     // ascending by bytes
    double operations_per_second = 0;  // 32-bit multiply-adds, each two operations
    std::string error;                 // why they were not measured; else empty

    bool measured() const { return !copies.empty() && operations_per_second > 0; }

    /// What it takes to copy as much: between two measured sizes on the line through them; below the least as long as
    /// that one, since a launch has its price; above the largest at its speed.
    double copy_seconds(double bytes) const;

    /// Of the largest copy: the memory's. And of the fastest: the cache's, where a copy fits in it.
    double memory_bytes_per_second() const { return copies.back().bytes_per_second(); }

    double fastest_bytes_per_second() const;

    /// The least time for a pipeline: that of a copy of its compulsory bytes, or of its operations, whichever is
    /// longer.
    double seconds(const Counters &counters) const;
};

nlohmann::ordered_json to_json(const Ceilings &ceilings);
Ceilings ceilings_from_json(const nlohmann::ordered_json &json);

}  // namespace warptile::bench
