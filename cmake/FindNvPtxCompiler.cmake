# NVIDIA's PTX compiler as a static library: NvPtxCompiler_FOUND and the target NvPtxCompiler::NvPtxCompiler.
# The header and the library are taken from one place, the first that has both (see warptile_cuda_roots).
warptile_cuda_roots(roots)
foreach(root IN LISTS roots)
    find_path(NvPtxCompiler_INCLUDE_DIR nvPTXCompiler.h
        PATHS "${root}" PATH_SUFFIXES include targets/x86_64-linux/include targets/sbsa-linux/include NO_DEFAULT_PATH)
    find_library(NvPtxCompiler_LIBRARY NAMES libnvptxcompiler_static.a
        PATHS "${root}" PATH_SUFFIXES lib64 lib targets/x86_64-linux/lib targets/sbsa-linux/lib NO_DEFAULT_PATH)
    if(NvPtxCompiler_INCLUDE_DIR AND NvPtxCompiler_LIBRARY)
        break()
    endif()
    unset(NvPtxCompiler_INCLUDE_DIR CACHE)
    unset(NvPtxCompiler_LIBRARY CACHE)
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(NvPtxCompiler REQUIRED_VARS NvPtxCompiler_LIBRARY NvPtxCompiler_INCLUDE_DIR)

if(NvPtxCompiler_FOUND AND NOT TARGET NvPtxCompiler::NvPtxCompiler)
    add_library(NvPtxCompiler::NvPtxCompiler STATIC IMPORTED)
    set_target_properties(NvPtxCompiler::NvPtxCompiler PROPERTIES
        IMPORTED_LOCATION "${NvPtxCompiler_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${NvPtxCompiler_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m")
endif()
