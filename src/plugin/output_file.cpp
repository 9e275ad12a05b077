#include "plugin/output_file.h"

#include "machine/error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace warptile {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string &parameter, const std::string &path, const std::string &why) {
    throw Error(parameter + ": cannot write '" + path + "': " + why + "; give another path");
}

}  // namespace

void check_writable(const std::string &parameter, const std::string &path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        fail(parameter, path, "it is a folder");
    }
    if (fs::exists(path, ignored)) {
        if (access(path.c_str(), W_OK) != 0) {
            fail(parameter, path, std::strerror(errno));
        }
        return;
    }
    const fs::path parent = fs::path(path).parent_path();
    const std::string folder = parent.empty() ? "." : parent.string();
    if (!fs::is_directory(folder, ignored)) {
        fail(parameter, path, "there is no folder '" + folder + "'");
    }
    if (access(folder.c_str(), W_OK | X_OK) != 0) {
        fail(parameter, path, "its folder: " + std::string(std::strerror(errno)));
    }
}

void write_file(const std::string &parameter, const std::string &path, const std::string &text) {
    std::error_code ignored;
    const bool was_there = fs::exists(path, ignored);
    std::ofstream file(path);
    file << text;
    file.close();
    if (!file) {
        const std::string why = std::strerror(errno);
        if (!was_there) {
            fs::remove(path, ignored);
        }
        fail(parameter, path, why);
    }
}

}  // namespace warptile
