# Install rules, and the CMake package by which another project finds WarpTile::WarpTile (the plugin) and
# WarpTile::generator_main. Nothing of Halide is installed: the other project brings its own Halide 21.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/WarpTile")
set(installed_targets "")
foreach(target IN ITEMS autoschedule_warptile warptile_generator_main)
    if(TARGET ${target})
        list(APPEND installed_targets ${target})
    endif()
endforeach()
if(NOT installed_targets)
    return()
endif()

install(TARGETS ${installed_targets} EXPORT WarpTileTargets
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT WarpTileTargets NAMESPACE WarpTile:: DESTINATION "${package_dir}")
configure_package_config_file(cmake/WarpTileConfig.cmake.in WarpTileConfig.cmake INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(WarpTileConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    "${CMAKE_CURRENT_BINARY_DIR}/WarpTileConfig.cmake"
    "${CMAKE_CURRENT_BINARY_DIR}/WarpTileConfigVersion.cmake"
    cmake/WarpTileGenerator.cmake
    DESTINATION "${package_dir}")
install(TARGETS autoschedule_plain LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(TARGETS ${WARPTILE_TOOLS} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/licenses/WarpTile")
