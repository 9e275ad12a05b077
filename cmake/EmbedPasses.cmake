# Run as a script (cmake -P): writes the C++ source OUTPUT with the text of each lowering pass in PASSES_DIR, so that a
# printed schedule makes the pass by the very text that the library was compiled from. schedule/guard_loads.h and
# schedule/launch_in_parts.h declare what it defines.
set(source "// Made by cmake/EmbedPasses.cmake from src/schedule/*.inc.\n")
foreach(pass "guard_loads kGuardLoads" "launch_in_parts kLaunchInParts")
    string(REPLACE " " ";" pass "${pass}")
    list(GET pass 0 name)
    list(GET pass 1 constant)
    file(READ "${PASSES_DIR}/${name}.inc" text)
    string(APPEND source
           "#include \"schedule/${name}.h\"\n\nconst char *const warptile::${constant} = R\"PASS(${text})PASS\";\n")
endforeach()
file(WRITE "${OUTPUT}" "${source}")
