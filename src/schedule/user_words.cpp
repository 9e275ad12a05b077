#include "schedule/user_words.h"

#include "dag/halide/user_name.h"

#include <cctype>
#include <utility>

namespace warptile {

namespace {

/// What Halide calls the Func that `d` makes, without a suffix. `bases` are the names of the Funcs before it.
std::string name_of_derived(const Derived &d, const std::vector<std::string> &bases) {
    const std::string &source = bases[static_cast<size_t>(d.source)];
    if (d.kind == Derived::Kind::Partial) {
        return source + "_intm";
    }
    return d.consumers.empty()       ? source + "_global_wrapper"
           : d.consumers.size() == 1 ? source + "_in_" + bases[static_cast<size_t>(d.consumers[0])]
                                     : source + "_wrapper";
}

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

}  // namespace

UserWords::UserWords(const Plan &plan, std::vector<std::string> users) : names_(std::move(users)) {
    std::vector<std::string> bases;
    for (const std::string &name : plan.names) {
        bases.push_back(user_name(name));
    }
    if (names_.empty()) {
        names_ = bases;
    }
    for (const Derived &d : plan.derived) {
        bases.push_back(name_of_derived(d, bases));
        names_.push_back(names_[static_cast<size_t>(d.source)]);
    }
    for (size_t i = 0; i < bases.size(); i++) {  // the pipeline's own come first, and keep a name that looks derived
        said_.emplace(bases[i], names_[i]);
    }
}

std::string UserWords::in(const std::string &text) const {
    std::string result;
    for (size_t at = 0; at < text.size();) {
        size_t end = at;
        while (end < text.size() && is_of_name(text[end])) {
            end++;
        }
        if (end == at) {
            result += text[at++];
            continue;
        }
        const std::string word = text.substr(at, end - at);
        const auto known = said_.find(user_name(word));
        result += known == said_.end() ? word : known->second;
        at = end;
    }
    return result;
}

}  // namespace warptile
