# Run as a script (cmake -P): writes the C++ source OUTPUT with the texts of SOURCE_DIR that a printed schedule repeats, so
# that it makes each lowering pass, and each change of a definition, by the very text that the library was compiled from.
# The header beside each declares what this defines.
set(source "// Made by cmake/EmbedPasses.cmake from the .inc files of src/.\n")
foreach(pass "schedule/passes/guard_loads kGuardLoads"
             "schedule/passes/add_in_place kAddInPlace"
             "schedule/passes/keep_stored kKeepStored"
             "schedule/passes/launch_in_parts kLaunchInParts"
             "schedule/passes/room_elsewhere kRoomElsewhere"
             "schedule/directives/bound_names kBoundNames"
             "dag/halide/choice kChoice"
             "schedule/directives/stand_in kStandIn")
    string(REPLACE " " ";" pass "${pass}")
    list(GET pass 0 name)
    list(GET pass 1 constant)
    file(READ "${SOURCE_DIR}/${name}.inc" text)
    string(APPEND source
           "#include \"${name}.h\"\n\nconst char *const warptile::${constant} = R\"PASS(${text})PASS\";\n")
endforeach()
file(WRITE "${OUTPUT}" "${source}")
