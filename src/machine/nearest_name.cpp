#include "machine/nearest_name.h"

#include <algorithm>

namespace warptile {

namespace {

// The least number of characters to insert, delete or replace (Levenshtein), one row of the table at a time.
size_t edits_between(const std::string &a, const std::string &b) {
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= a.size(); i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.size(); j++) {
            const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row.back();
}

}  // namespace

std::string did_you_mean(const std::string &wrong, const std::vector<std::string> &known) {
    std::string best;
    size_t best_edits = std::max<size_t>(1, wrong.size() / 3) + 1;
    for (const std::string &name : known) {
        const size_t edits = edits_between(wrong, name);
        if (edits < best_edits) {
            best = name;
            best_edits = edits;
        }
    }
    return best.empty() ? "" : " (did you mean '" + best + "'?)";
}

std::string comma_list(const std::vector<std::string> &names) {
    std::string list;
    for (const std::string &name : names) {
        list += (list.empty() ? "" : ", ") + name;
    }
    return list;
}

}  // namespace warptile
