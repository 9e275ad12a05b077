# NVIDIA's own occupancy arithmetic, the header cuda_occupancy.h: CudaOccupancy_FOUND and the target
# CudaOccupancy::CudaOccupancy. The header stands alone: nothing else of CUDA is needed to compile it.
warptile_cuda_roots(roots)
find_path(CudaOccupancy_INCLUDE_DIR cuda_occupancy.h
    PATHS ${roots} PATH_SUFFIXES include targets/x86_64-linux/include targets/sbsa-linux/include NO_DEFAULT_PATH)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CudaOccupancy REQUIRED_VARS CudaOccupancy_INCLUDE_DIR)

if(CudaOccupancy_FOUND AND NOT TARGET CudaOccupancy::CudaOccupancy)
    add_library(CudaOccupancy::CudaOccupancy INTERFACE IMPORTED)
    set_target_properties(CudaOccupancy::CudaOccupancy PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${CudaOccupancy_INCLUDE_DIR}")
endif()
