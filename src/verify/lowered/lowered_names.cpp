#include "verify/lowered/lowered_names.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace warptile {

LoweredStage stage_of(const std::string &loop) {
    for (size_t dot = loop.find(".s"); dot != std::string::npos; dot = loop.find(".s", dot + 1)) {
        size_t end = dot + 2;
        while (end < loop.size() && std::isdigit(static_cast<unsigned char>(loop[end])))
            end++;
        if (end > dot + 2 && end < loop.size() && loop[end] == '.') {
            return {loop.substr(0, dot), std::stoi(loop.substr(dot + 2, end - dot - 2))};
        }
    }
    return {};
}

std::vector<std::string> funcs_in(std::string name, std::vector<std::string> known) {
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    std::stable_sort(known.begin(), known.end(), [](const auto &a, const auto &b) { return a.size() > b.size(); });
    std::vector<std::pair<size_t, std::string>> found;
    for (const std::string &func : known) {
        const std::string part = func + ".";
        for (size_t at = name.find(part); at != std::string::npos; at = name.find(part, at + 1)) {
            if (at > 0 && name[at - 1] != '_')
                continue;
            found.emplace_back(at, func);
            name.replace(at, func.size(), func.size(), ' ');  // a shorter name that ends alike is not meant
            break;
        }
    }
    if (found.empty())
        return {name.substr(0, name.find('.'))};
    std::sort(found.begin(), found.end());
    std::vector<std::string> funcs;
    for (const auto &[at, func] : found)
        funcs.push_back(func);
    return funcs;
}

}  // namespace warptile
