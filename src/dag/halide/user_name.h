// What a user calls the things that Halide has named: Halide makes names unique by a suffix ("blur$1"), and calls the
// Func around an input `in` "in_im" and a variable of an RDom `r` "r$x".
#pragma once

#include <string>
#include <vector>

namespace warptile {

struct Node;
struct FunctionDag;

/// "blur" for "blur$1".
std::string user_name(const std::string &name);

/// Of an RDom's variable: "r.x" for "r$x".
std::string user_rvar(const std::string &name);

/// Of a node; of the Func that Halide puts around an input, the input's.
std::string user_name(const FunctionDag &dag, const Node &node);

/// By `Node::func_index`.
std::vector<std::string> user_names(const FunctionDag &dag);

}  // namespace warptile
