# warptile_add_generator(TARGET SOURCES a.cpp ... [LINK_LIBRARIES lib ...])
#
# Makes the executable TARGET from Halide generators and WarpTile's generator main, which understands `-s NAME` as
# well as `autoscheduler=NAME`. What it makes can be named in add_halide_library(... FROM TARGET ...).
function(warptile_add_generator TARGET)
    cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;LINK_LIBRARIES")
    if(NOT ARG_SOURCES OR ARG_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "Usage: warptile_add_generator(TARGET SOURCES a.cpp ... [LINK_LIBRARIES lib ...])")
    endif()
    add_executable(${TARGET} ${ARG_SOURCES})
    target_link_libraries(${TARGET} PRIVATE WarpTile::generator_main Halide::Halide ${ARG_LINK_LIBRARIES})
endfunction()
