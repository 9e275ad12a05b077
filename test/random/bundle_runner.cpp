#include "bundle_runner.h"

namespace warptile::fuzz {

const char *const bundle_makefile_text = R"make(CXX ?= g++
run_bundle: main.cpp pipelines.inc $(wildcard *.o)
	$(CXX) -std=c++17 -O1 -o $@ main.cpp $(wildcard *.o) -ldl -lpthread
)make";

// The layout of the data files is that of `write_data` in bundle.cpp.
const char *const bundle_runner_text =
    R"cpp(// Runs pipelines that were compiled elsewhere, each in a process of its own, and compares their outputs.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "HalideRuntime.h"

#define PIPELINE(name) extern "C" int name##_argv(void **);
#include "pipelines.inc"
#undef PIPELINE

struct Entry { const char *name; int (*run)(void **); };
static const std::vector<Entry> entries = {
#define PIPELINE(name) {#name, name##_argv},
#include "pipelines.inc"
#undef PIPELINE
};

static std::string halide_message;
static void keep_message(void *, const char *text) { halide_message = text; }

struct Reader {
    std::ifstream in;
    explicit Reader(const std::string &path) : in(path, std::ios::binary) {}
    template<typename T> T get() { T t{}; in.read(reinterpret_cast<char *>(&t), sizeof(T)); return t; }
};

struct Random {  // SplitMix64, as where the expected outputs were made
    uint64_t state;
    uint64_t next() {
        state += 0x9e3779b97f4a7c15ull;
        uint64_t z = state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    int between(int lo, int hi) { return lo + int(next() % uint64_t(hi - lo + 1)); }
};

static uint16_t half_of(int whole) {  // exact for small whole numbers
    if (whole == 0) return 0;
    int m = std::abs(whole), e = 0;
    while ((m >> (e + 1)) != 0) e++;
    return uint16_t((whole < 0 ? 0x8000 : 0) | ((e + 15) << 10) | ((m << (10 - e)) & 0x3ff));
}

static double half_to_double(uint16_t h) {
    const int e = (h >> 10) & 31, m = h & 0x3ff;
    const double v = e == 31 ? INFINITY : e ? std::ldexp(1024 + m, e - 25) : std::ldexp(m, -24);
    return h & 0x8000 ? -v : v;
}

struct Argument {
    int kind = 0;  // 0 input buffer, 1 int32, 2 float32, 3 output buffer
    int32_t whole = 0;
    float real = 0;
    halide_buffer_t buffer{};
    std::vector<halide_dimension_t> dims;
    std::vector<char> data, expected;
    void *pointer() { return kind == 1 ? (void *)&whole : kind == 2 ? (void *)&real : (void *)&buffer; }
};

static double element(const char *at, halide_type_t t) {
    if (t.bits == 16) { uint16_t h; std::memcpy(&h, at, 2); return half_to_double(h); }
    if (t.bits == 32) { float f; std::memcpy(&f, at, 4); return f; }
    double d; std::memcpy(&d, at, 8); return d;
}

static void read_buffer(Reader &r, Argument &a) {
    const int code = r.get<int32_t>(), bits = r.get<int32_t>(), dims = r.get<int32_t>();
    size_t elements = 1;
    for (int d = 0; d < dims; d++) {
        const int min = r.get<int32_t>(), extent = r.get<int32_t>();
        a.dims.push_back(halide_dimension_t(min, extent, int(elements)));
        elements *= size_t(extent);
    }
    a.buffer.type = halide_type_t(halide_type_code_t(code), uint8_t(bits));
    a.buffer.dimensions = dims;
    a.buffer.dim = a.dims.data();
    const size_t bytes = size_t(a.buffer.type.bytes());
    a.data.assign(elements * bytes + 64, 0x7f);
    a.buffer.host = reinterpret_cast<uint8_t *>(a.data.data());
    if (a.kind == 3) {
        a.expected.resize(elements * bytes);
        r.in.read(a.expected.data(), std::streamsize(a.expected.size()));
        return;
    }
    Random random{r.get<uint64_t>()};
    const int lo = r.get<int32_t>(), hi = r.get<int32_t>();
    for (size_t i = 0; i < elements; i++) {
        char *at = a.data.data() + i * bytes;
        const int v = random.between(lo, hi);
        if (code == halide_type_float && bits == 16) { const uint16_t h = half_of(v); std::memcpy(at, &h, 2); }
        else if (code == halide_type_float && bits == 32) { const float f = float(v); std::memcpy(at, &f, 4); }
        else if (code == halide_type_float) { const double f = v; std::memcpy(at, &f, 8); }
        else { const int64_t w = v; std::memcpy(at, &w, bytes); }
    }
    a.buffer.flags = halide_buffer_flag_host_dirty;
}

static std::string compare(Argument &a, double tolerance) {
    const halide_type_t t = a.buffer.type;
    const size_t bytes = size_t(t.bytes()), n = a.expected.size() / bytes;
    double largest = 0;
    for (size_t i = 0; t.code == halide_type_float && i < n; i++)
        largest = std::max(largest, std::abs(element(a.expected.data() + i * bytes, t)));
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < n; i++) {
        const char *w = a.expected.data() + i * bytes, *g = a.data.data() + i * bytes;
        const bool same = std::memcmp(w, g, bytes) == 0 ||
            (t.code == halide_type_float && std::abs(element(w, t) - element(g, t)) <= tolerance * largest);
        if (!same && wrong++ == 0) first = i;
    }
    if (wrong == 0) return "";
    char text[200];
    if (t.code == halide_type_float)
        std::snprintf(text, sizeof text, "%zu of %zu elements differ, first %zu: %g instead of %g, largest %g", wrong, n, first,
                      element(a.data.data() + first * bytes, t), element(a.expected.data() + first * bytes, t), largest);
    else {
        int64_t g = 0, w = 0;
        std::memcpy(&g, a.data.data() + first * bytes, bytes);
        std::memcpy(&w, a.expected.data() + first * bytes, bytes);
        std::snprintf(text, sizeof text, "%zu of %zu elements differ, first %zu: %lld instead of %lld (bits)", wrong, n, first,
                      (long long)g, (long long)w);
    }
    return text;
}

static int run_one(const Entry &entry, const std::string &folder) {
    alarm(120);
    halide_set_error_handler(keep_message);
    Reader r(folder + "/" + entry.name + ".data");
    if (!r.in) { std::printf("%s: no data file\n", entry.name); return 1; }
    const int sizes = r.get<int32_t>(), arguments = r.get<int32_t>();
    const double tolerance = r.get<double>();
    int failures = 0;
    for (int s = 0; s < sizes; s++) {
        std::vector<Argument> args(static_cast<size_t>(arguments));
        std::vector<void *> pointers;
        for (Argument &a : args) {
            a.kind = r.get<int32_t>();
            if (a.kind == 1) a.whole = int32_t(r.get<double>());
            else if (a.kind == 2) a.real = float(r.get<double>());
            else read_buffer(r, a);
            pointers.push_back(a.pointer());
        }
        halide_message.clear();
        int error = entry.run(pointers.data());
        for (Argument &a : args)
            if (error == 0 && a.kind == 3) error = halide_copy_to_host(nullptr, &a.buffer);
        if (error != 0) {
            std::printf("%s, size %d: error %d: %s\n", entry.name, s, error, halide_message.c_str());
            return 1;
        }
        for (Argument &a : args) {
            if (a.kind == 3) {
                const std::string text = compare(a, tolerance);
                if (!text.empty()) { failures++; std::printf("%s, size %d: %s\n", entry.name, s, text.c_str()); }
            }
            if (a.kind == 0 || a.kind == 3) halide_device_free(nullptr, &a.buffer);
        }
    }
    return failures ? 1 : 0;
}

int main(int argc, char **argv) {
    const std::string self = argv[0], folder = self.find('/') == std::string::npos ? "." : self.substr(0, self.rfind('/'));
    const size_t at_once = 6;
    size_t next = 0;
    int passed = 0, failed = 0;
    std::map<pid_t, size_t> running;
    while (next < entries.size() || !running.empty()) {
        if (next < entries.size() && running.size() < at_once) {
            if (argc > 1 && std::strcmp(argv[1], entries[next].name) != 0) { next++; continue; }
            std::fflush(stdout);
            const pid_t child = fork();
            if (child == 0) {
                const int rc = run_one(entries[next], folder);
                std::fflush(stdout);
                _exit(rc);
            }
            running[child] = next++;
            continue;
        }
        if (running.empty()) break;
        int status = 0;
        const pid_t child = wait(&status);
        const auto it = running.find(child);
        if (it == running.end()) continue;
        const bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        good ? passed++ : failed++;
        if (WIFSIGNALED(status)) std::printf("%s: killed by signal %d\n", entries[it->second].name, WTERMSIG(status));
        running.erase(it);
    }
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}
)cpp";

}  // namespace warptile::fuzz
