# The target warptile_options: how every source of the project is compiled.
add_library(warptile_options INTERFACE)
target_compile_options(warptile_options INTERFACE
    -Wall -Wextra $<$<BOOL:${WARPTILE_WARNINGS_AS_ERRORS}>:-Werror>
    # Halide may have been built without RTTI; code without it works with either kind. Exceptions stay on.
    -fno-rtti)
target_include_directories(warptile_options INTERFACE "${PROJECT_SOURCE_DIR}/src")
