#include "tools/bench/roofline.h"

#include <algorithm>

namespace warptile::bench {

double Ceilings::copy_seconds(double bytes) const {
    if (bytes <= copies.front().bytes) {
        return copies.front().seconds;
    }
    for (size_t i = 1; i < copies.size(); i++) {
        const CopySpeed &below = copies[i - 1], &above = copies[i];
        if (bytes <= above.bytes) {
            const double along = (bytes - below.bytes) / (above.bytes - below.bytes);
            return below.seconds + along * (above.seconds - below.seconds);
        }
    }
    return bytes / memory_bytes_per_second();
}

double Ceilings::fastest_bytes_per_second() const {
    double fastest = 0;
    for (const CopySpeed &copy : copies) {
        fastest = std::max(fastest, copy.bytes_per_second());
    }
    return fastest;
}

double Ceilings::seconds(const Counters &counters) const {
    return std::max(copy_seconds(counters.compulsory_bytes), counters.operations / operations_per_second);
}

}  // namespace warptile::bench
