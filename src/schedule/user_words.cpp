#include "schedule/user_words.h"

#include "dag/user_name.h"

#include <cctype>
#include <map>

namespace warptile {

namespace {

/// A Func of the pipeline, through all copies and partial results.
FuncRef origin(const Plan &plan, FuncRef ref) {
    while (ref >= plan.funcs) {
        ref = plan.derived[static_cast<size_t>(ref - plan.funcs)].source;
    }
    return ref;
}

/// What Halide calls the Funcs that a plan makes, without suffixes, and the users' names of what they are made from.
/// A Func of the pipeline that has such a name itself is not among them.
std::map<std::string, std::string> names_of_derived(const Plan &plan) {
    std::vector<std::string> bases;
    for (const std::string &name : plan.names) {
        bases.push_back(user_name(name));
    }
    std::map<std::string, std::string> users;
    for (const Derived &d : plan.derived) {
        const std::string source = bases[static_cast<size_t>(d.source)];
        std::string base = source + "_intm";
        if (d.kind == Derived::Kind::Staged) {
            base = d.consumers.empty()       ? source + "_global_wrapper"
                   : d.consumers.size() == 1 ? source + "_in_" + bases[static_cast<size_t>(d.consumers[0])]
                                             : source + "_wrapper";
        }
        users[base] = user_name_of(plan, d.source);
        bases.push_back(base);
    }
    for (const std::string &name : plan.names) {
        users.erase(user_name(name));
    }
    return users;
}

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

}  // namespace

std::string user_name_of(const Plan &plan, FuncRef ref) {
    return user_name(plan.names[static_cast<size_t>(origin(plan, ref))]);
}

std::string in_users_words(const std::string &text, const Plan &plan) {
    std::map<std::string, std::string> users = names_of_derived(plan);
    for (const std::string &name : plan.names) {
        users[user_name(name)] = user_name(name);
    }
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
        const auto known = users.find(user_name(word));
        result += known == users.end() ? word : known->second;
        at = end;
    }
    return result;
}

}  // namespace warptile
