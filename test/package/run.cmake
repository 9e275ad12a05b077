# Run as a script (cmake -P) by the test `package`: installs WarpTile from BUILD_DIR into a folder of its own, then
# configures, builds and runs this folder's project against that with the same GENERATOR, CXX and Halide_DIR.
function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${WORK_DIR}/installed")
run("${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${WORK_DIR}/build"
    "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_BUILD_TYPE=Release"
    "-DCMAKE_PREFIX_PATH=${WORK_DIR}/installed" "-DHalide_DIR=${Halide_DIR}")
run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build")
run("${WORK_DIR}/build/use_scale")
