# Run as a script (cmake -P): writes the C++ source OUTPUT with the texts of SOURCE_DIR that a printed schedule repeats, so
# that it makes each lowering pass, and each change of a definition, by the very text that the library was compiled from.
# The header beside each declares what this defines.
set(source "// Made by cmake/EmbedPasses.cmake from src/*/*.inc.\n")
foreach(pass "schedule/guard_loads schedule/guard_loads kGuardLoads"
             "schedule/add_in_place schedule/add_in_place kAddInPlace"
             "schedule/launch_in_parts schedule/launch_in_parts kLaunchInParts"
             "dag/choice dag/halide_choice kChoice"
             "schedule/stand_in schedule/stand_in kStandIn")
    string(REPLACE " " ";" pass "${pass}")
    list(GET pass 0 text_name)
    list(GET pass 1 header)
    list(GET pass 2 constant)
    file(READ "${SOURCE_DIR}/${text_name}.inc" text)
    string(APPEND source
           "#include \"${header}.h\"\n\nconst char *const warptile::${constant} = R\"PASS(${text})PASS\";\n")
endforeach()
file(WRITE "${OUTPUT}" "${source}")
