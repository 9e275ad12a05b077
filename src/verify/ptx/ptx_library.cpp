#include "verify/ptx/ptx_library.h"

#include <stdexcept>

#if WARPTILE_HAS_NVPTXCOMPILER
#include <nvPTXCompiler.h>
#endif

namespace warptile {

#if WARPTILE_HAS_NVPTXCOMPILER

namespace {

class PtxCompiler {
public:
    explicit PtxCompiler(const std::string &ptx) {
        if (nvPTXCompilerCreate(&handle, ptx.size(), ptx.c_str()) != NVPTXCOMPILE_SUCCESS) {
            throw std::runtime_error("the PTX compiler library cannot be started");
        }
    }

    PtxCompiler(const PtxCompiler &) = delete;
    PtxCompiler &operator=(const PtxCompiler &) = delete;

    ~PtxCompiler() { nvPTXCompilerDestroy(&handle); }

    bool compile(const std::vector<std::string> &options) {
        std::vector<const char *> pointers;
        for (const std::string &o : options)
            pointers.push_back(o.c_str());
        return nvPTXCompilerCompile(handle, int(pointers.size()), pointers.data()) == NVPTXCOMPILE_SUCCESS;
    }

    std::string info_log() const { return log(nvPTXCompilerGetInfoLogSize, nvPTXCompilerGetInfoLog); }

    std::string error_log() const { return log(nvPTXCompilerGetErrorLogSize, nvPTXCompilerGetErrorLog); }

private:
    template<typename GetSize, typename GetText>
    std::string log(GetSize get_size, GetText get_text) const {
        size_t size = 0;
        if (get_size(handle, &size) != NVPTXCOMPILE_SUCCESS || size == 0)
            return "";
        std::string text(size + 1, '\0');
        get_text(handle, &text[0]);
        return text.c_str();
    }

    nvPTXCompilerHandle handle = nullptr;
};

}  // namespace

bool has_ptx_library() { return true; }

std::string compile_with_ptx_library(const std::string &ptx, const std::vector<std::string> &options) {
    PtxCompiler compiler(ptx);
    if (!compiler.compile(options)) {
        const std::string error = compiler.error_log();
        throw std::runtime_error(error.empty() ? "the PTX compiler library gave no reason" : error);
    }
    return compiler.info_log();
}

#else

bool has_ptx_library() { return false; }

std::string compile_with_ptx_library(const std::string &, const std::vector<std::string> &) {
    throw std::runtime_error("this build has no PTX compiler library");
}

#endif

}  // namespace warptile
