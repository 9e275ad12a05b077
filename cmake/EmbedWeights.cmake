# Run as a script (cmake -P): writes the C++ source OUTPUT with the text of each weights file in WEIGHTS_DIR, so that
# the plugin is one file. machine/builtin_weights.h declares what it defines.
file(GLOB files "${WEIGHTS_DIR}/*.json")
list(SORT files)
set(entries "")
foreach(file IN LISTS files)
    get_filename_component(name "${file}" NAME_WE)
    file(READ "${file}" text)
    string(APPEND entries "        {\"${name}\", R\"WEIGHTS(${text})WEIGHTS\"},\n")
endforeach()
file(WRITE "${OUTPUT}.new"
"// Made by cmake/EmbedWeights.cmake from weights/*.json.
#include \"machine/builtin_weights.h\"

namespace warptile {

const std::vector<BuiltinWeights> &builtin_weights() {
    static const std::vector<BuiltinWeights> all = {
${entries}    };
    return all;
}

} // namespace warptile
")
file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}" ONLY_IF_DIFFERENT)
file(REMOVE "${OUTPUT}.new")
