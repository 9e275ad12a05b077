// What the names in lowered code tell: which stage a loop is of, and which Funcs an allocation holds.
#pragma once

#include <string>
#include <vector>

namespace warptile {

// The part of a loop's name before ".s0.", and the number behind the "s". Loops that are no stage's have neither.
struct LoweredStage {
    std::string func;
    int stage = 0;
};

LoweredStage stage_of(const std::string &loop);

// The Funcs stored in the allocation `name`: "by.0" holds "by", "allocgroup__a.0__b.1" holds those of `known` that it
// names.
std::vector<std::string> funcs_in(std::string name, std::vector<std::string> known);

}  // namespace warptile
