#include "schedule/shared_layout.h"

#include <algorithm>
#include <numeric>

#include "dag/saturating.h"

namespace warptile {

namespace {

int widest(const ElementBytes &elements, const std::vector<Member> &members) {
    int bytes = 1;
    for (size_t i = 0; i < members.size(); i++) {
        for (const int element : elements[i]) {
            bytes = std::max(bytes, members[i].placement == Placement::Block ? element : 1);
        }
    }
    return bytes;
}

/// The product of `storage` from dimension `first` on; 0 where a size is left to Halide.
int64_t points(const std::vector<int64_t> &storage, size_t first) {
    return product({storage.begin() + static_cast<std::ptrdiff_t>(std::min(first, storage.size())), storage.end()});
}

}  // namespace

void pad_shared_storage(const ElementBytes &elements, std::vector<Member> &members) {
    const int64_t unit = widest(elements, members);
    for (size_t i = 0; i < members.size(); i++) {
        std::vector<int64_t> &storage = members[i].storage;
        const int64_t row = points(storage, 1);
        if (members[i].placement != Placement::Block || storage.empty() || storage[0] * row == 0) {
            continue;
        }
        for (const int element : elements[i]) {
            const int64_t step = unit / std::gcd(unit, saturating_multiply(row, element));
            storage[0] = (storage[0] + step - 1) / step * step;
        }
    }
}

int64_t padded_row(int64_t points, const std::vector<int> &elements) {
    constexpr int64_t kWord = 4;
    const int64_t bytes = elements.empty() ? kWord : *std::max_element(elements.begin(), elements.end());
    const int64_t unit = std::max<int64_t>(1, kWord / bytes);
    const int64_t units = (points + unit - 1) / unit;
    return (units % 2 ? units : units + 1) * unit;
}

int spread_row(int64_t points, const std::vector<int> &elements) {
    constexpr int64_t kFewBytes = 16;
    const int64_t bytes = elements.empty() ? 1 : *std::max_element(elements.begin(), elements.end());
    const int64_t unit = std::max<int64_t>(1, kFewBytes / bytes);
    const int64_t units = (points + unit - 1) / unit;
    return static_cast<int>((units % 2 ? units : units + 1) * unit);
}

std::vector<size_t> unpadded_members(const ElementBytes &elements, const std::vector<Member> &members) {
    const int64_t unit = widest(elements, members);
    std::vector<size_t> unpadded;
    for (size_t i = 0; i < members.size(); i++) {
        const int64_t known = points(members[i].storage, 0);
        for (const int element : elements[i]) {
            const bool fits = element == unit || (known > 0 && saturating_multiply(known, element) % unit == 0);
            if (members[i].placement == Placement::Block && !fits) {
                unpadded.push_back(i);
            }
        }
    }
    return unpadded;
}

}  // namespace warptile
