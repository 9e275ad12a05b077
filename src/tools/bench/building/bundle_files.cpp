// The Makefile builds whatever pipelines are there, so that it needs no list of them. A reference gets a C interface in
// a file of its own, made here from its app's name, so that the runner needs to know no app.
#include "tools/bench/building/bundle_files.h"

#include <fstream>
#include <stdexcept>

namespace warptile::bench {
namespace {

const char *const makefile =
    R"(# Builds the bench and the pipelines of this bundle. Needs g++ 9 or later, make and gzip; the CUDA driver is found at
# run time by Halide's runtime.
CXX ?= g++
CXXFLAGS ?= -O2
flags := -std=c++17 $(CXXFLAGS) -fPIC -I. -Isrc -Iinclude -DWARPTILE_NO_IMAGE_LIBRARIES
objects := $(patsubst %.cpp,%.o,$(wildcard src/tools/bench/*.cpp src/tools/bench/*/*.cpp))
variants := $(patsubst %.registration.cpp,%.so,$(wildcard pipelines/*.registration.cpp))
references := $(patsubst %.cpp,%.so,$(wildcard pipelines/*__reference.cpp))

all: warptile-bench pipelines
pipelines: pipelines/runtime.so $(variants) $(references)
.PHONY: all pipelines

warptile-bench: $(objects)
	$(CXX) -rdynamic $^ -o $@ -ldl -lpthread
src/%.o: src/%.cpp
	$(CXX) $(flags) -c $< -o $@
pipelines/%.o: pipelines/%.o.gz
	gzip -dc $< > $@
pipelines/runtime.so: pipelines/runtime.o
	$(CXX) -shared $< -o $@ -ldl -lpthread
pipelines/%__reference.so: pipelines/%__reference.cpp
	$(CXX) $(flags) -shared $< -o $@
pipelines/%.so: pipelines/%.registration.cpp pipelines/%.o
	$(CXX) $(flags) -shared $^ -o $@
)";

const char *const reference_interface =
    R"(#include "apps/APP/reference.h"

extern "C" {

void warptile_reference(void **argv) { warptile::apps::call_with(warptile::apps::APP::reference, argv); }

double warptile_relative_tolerance() { return warptile::apps::APP::relative_tolerance; }

double warptile_integer_step() { return warptile::apps::APP::integer_step; }
}
)";

void write_file(const fs::path &path, const std::string &text) {
    std::ofstream(path) << text;
    if (!fs::exists(path)) {
        throw std::runtime_error("cannot write " + path.string());
    }
}

void copy_into(const fs::path &from, const fs::path &to) {
    if (!fs::exists(from)) {
        throw std::runtime_error("the bundle needs " + from.string() + ", which is not there");
    }
    fs::create_directories(to.parent_path());
    fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
}

void copy_headers(const fs::path &from, const fs::path &to) {
    if (!fs::exists(from)) {
        return;
    }
    for (const fs::directory_entry &file : fs::directory_iterator(from)) {
        if (file.path().extension() == ".h") {
            copy_into(file.path(), to / file.path().filename());
        }
    }
}

/// Where the headers of `library` are, of those places where a system or this project's own set-up puts them.
fs::path system_headers(const std::string &library) {
    for (const char *const prefix : {"/usr/include", "/usr/local/include"}) {
        if (fs::exists(fs::path(prefix) / library)) {
            return fs::path(prefix) / library;
        }
    }
    throw std::runtime_error("the bundle needs the headers of " + library + ", which are not in /usr/include");
}

}  // namespace

void copy_sources(const BuildOptions &options) {
    const fs::path include = options.bundle / "include";
    fs::remove_all(options.bundle / "src/tools/bench");  // its Makefile compiles whatever is there
    copy_into(options.source / "src/tools/bench", options.bundle / "src/tools/bench");
    for (const char *const header : {"HalideRuntime.h", "HalideBuffer.h"}) {
        copy_into(options.halide / "include" / header, include / header);
    }
    copy_into(options.halide / "share/tools/halide_image_io.h", include / "halide_image_io.h");
    for (const char *const library : {"nlohmann", "CLI"}) {
        copy_into(system_headers(library), include / library);
    }
    write_file(options.bundle / "Makefile", makefile);
}

bool copy_reference(const BuildOptions &options, const std::string &app) {
    if (options.references.empty() || !fs::exists(options.references / app / "reference.h")) {
        return false;
    }
    copy_headers(options.references / app, options.bundle / "apps" / app);
    copy_headers(options.references / "support", options.bundle / "apps/support");
    std::string text = reference_interface;
    for (size_t at = text.find("APP"); at != std::string::npos; at = text.find("APP", at)) {
        text.replace(at, 3, app);
    }
    write_file(options.bundle / "pipelines" / (app + "__reference.cpp"), text);
    return true;
}

}  // namespace warptile::bench
