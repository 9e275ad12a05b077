// Wrappers of Funcs: the overload of `in` that a directive calls is the one that the printed text calls.

#include <gtest/gtest.h>

#include "schedule/directives/apply.h"
#include "schedule/directives/print.h"
#include "test/support/words.h"

namespace warptile {
namespace {

using Halide::Func;
using Halide::Var;

/// The wrapper of `f` for the first `consumers` of its two consumers: Halide's name of it, and the text that makes it.
std::pair<std::string, std::string> wrapper(size_t consumers) {
    Var x("x");
    Func f("wrapped_f"), g("wrapped_g"), h("wrapped_h"), out("wrapped_out");
    f(x) = x;
    g(x) = f(x) + 1;
    h(x) = f(x) + 2;
    out(x) = g(x) + h(x);
    Directive in;
    in.op = Op::In;
    in.func = "f";
    in.local = "f_tile";
    std::vector<Directive> calls;
    for (int i = 0; i < 3; i++) {
        Directive fetch;
        fetch.op = Op::FetchFunc;
        fetch.local = std::string(1, "fgh"[i]);
        fetch.numbers = {i};
        calls.push_back(fetch);
        if (i > 0 && in.names.size() < consumers) {
            in.names.push_back(fetch.local);
        }
    }
    calls.push_back(in);
    const std::string name = apply_directives(calls, {out}).at(0);
    // Only what Halide adds to the names of f and g tells the kinds of wrapper apart: `$0` may stand anywhere.
    return {name.substr(std::string("wrapped_f").size()), print(calls)};
}

TEST(Wrappers, AreMadeAsTheTextMakesThem) {
    expect_words(wrapper(0).first, {"_global_wrapper"});
    expect_words(wrapper(1).first, {"_in_wrapped_g"});
    expect_words(wrapper(2).first, {"_wrapper"});
    EXPECT_EQ(count(wrapper(2).first, "_global"), 0u);
    expect_words(wrapper(0).second, {"f_tile = f.in();"});
    expect_words(wrapper(1).second, {"f_tile = f.in(g);"});
    expect_words(wrapper(2).second, {"f_tile = f.in({g, h});"});
}

}  // namespace
}  // namespace warptile
