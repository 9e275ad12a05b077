# Where the wheels are that scripts/setup.sh installed into .venv: WARPTILE_WHEEL_HALIDE_DIR (the folder of
# HalideConfig.cmake), WARPTILE_WHEEL_CUDA_ROOTS (prefixes with include/, lib/ or bin/) and WARPTILE_WHEEL_PTXAS (the
# program, of the CUDA 12.9 that still knows Pascal and Volta). All empty without wheels.
set(WARPTILE_WHEEL_HALIDE_DIR "")
set(WARPTILE_WHEEL_CUDA_ROOTS "")
set(WARPTILE_WHEEL_PTXAS "")
if(WARPTILE_USE_WHEELS)
    file(GLOB WARPTILE_WHEEL_HALIDE_DIR "${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/halide/lib*/cmake/Halide")
    file(GLOB WARPTILE_WHEEL_CUDA_ROOTS "${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/nvidia/cu*")
    file(GLOB WARPTILE_WHEEL_PTXAS "${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/nvidia/cuda_nvcc/bin/ptxas")
    # Of the wheels' folders (cu13, cuda_nvcc, ...) the newest toolkit's comes first.
    list(SORT WARPTILE_WHEEL_CUDA_ROOTS COMPARE NATURAL)
endif()

# The prefixes to look in for a part of CUDA, best first: an installed toolkit, then the wheels.
function(warptile_cuda_roots RESULT)
    set(roots "")
    if(WARPTILE_USE_CUDA_TOOLKIT)
        list(APPEND roots ${CUDAToolkit_ROOT} $ENV{CUDAToolkit_ROOT} $ENV{CUDA_PATH} /usr/local/cuda /opt/cuda /usr)
    endif()
    list(APPEND roots ${WARPTILE_WHEEL_CUDA_ROOTS})
    set(${RESULT} "${roots}" PARENT_SCOPE)
endfunction()
