// Into what parts an expert schedule cuts a dimension whose usual size it knows: reductions are guarded where the parts
// do not fill the dimension, which hinders the compiler from loading ahead.
#pragma once

namespace warptile::apps {

/// The size of the parts, at most `limit`: the largest that divides `size`, unless that is less than half of `limit`.
inline int even_part(int size, int limit) {
    for (int part = limit; part > limit / 2; part--) {
        if (size % part == 0) {
            return part;
        }
    }
    return limit;
}

}  // namespace warptile::apps
