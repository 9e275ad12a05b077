// What building found, as warptile-bench inspect says it.
#include "tools/bench/building/inspection.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace warptile::bench {
namespace {

void expect_line(const std::string &text, const std::string &line) {
    EXPECT_NE(text.find(line), std::string::npos) << "'" << line << "' is not in\n" << text;
}

BuiltVariant built(const std::string &name, const std::string &error = "") {
    BuiltVariant variant;
    variant.name = name;
    variant.error = error;
    return variant;
}

/// Apps with each thing that there is to find.
Manifest made_up() {
    Manifest manifest;
    BuiltVariant fine = built("WarpTile");
    fine.schedule_seconds = 1.25;
    fine.code_kernels = 2;
    fine.spilled_bytes = 0;
    fine.kernels = {{"f", 0, 0, 0, 10, 4096}, {"g", 0, 0, 0, 5, 0}};
    manifest.app("fine", "").variants = {fine, built("Li2018", "no schedule | at all")};
    BuiltVariant slow = fine;
    slow.kernels.push_back({"sum", 2, 0, 0, 900, 1});
    slow.spilled_bytes = 48;
    slow.remark = "plain kernels for 1 parts";
    slow.warnings = {"Warning: one thread computes sum"};
    manifest.app("slow", "").variants = {slow};
    manifest.app("dies", "").variants = {built("WarpTile", "Segmentation fault (signal 11)")};
    manifest.app("hangs", "").variants = {built("WarpTile", "no end after 60 s")};
    manifest.app("refuses", "").variants = {built("WarpTile", "the Func 'f' calls a C function")};
    BuiltVariant empty = built("WarpTile");
    empty.code_kernels = 0;
    manifest.app("empty", "").variants = {empty};
    BuiltVariant broken = fine;
    broken.code_error = "Unresolved extern function 'f'";
    manifest.app("broken", "").variants = {broken};
    return manifest;
}

TEST(Inspection, NamesWhatIsFoundOfEachApp) {
    const std::string text = inspection(made_up(), "WarpTile");
    expect_line(text, "| fine | schedule | 2 |  | 0 | 15.0 | 1.2 |  |\n");
    expect_line(text,
                "| slow | fall back | 2 | sum.update(1) | 48 | 915.0 | 1.2 | plain kernels for 1 parts; Warning: one");
    expect_line(text, "| dies | crash | – |  | – | – | – | Segmentation fault (signal 11) |\n");
    expect_line(text, "| hangs | hang | – |");
    expect_line(text, "| refuses | refuse | – |");
    expect_line(text, "| empty | fall back | 0 |  | – | – | – | no kernel in its code |\n");
    expect_line(text,
                "| broken | broken | 2 |  | 0 | 15.0 | 1.2 | its code does not assemble: Unresolved extern function");
    expect_line(
        text,
        "- WarpTile: broken 1, crash 1, fall back 2, hang 1, refuse 1, schedule 1, spill 1, one thread alone 1\n");
    expect_line(text, "- Li2018 was not built of\n    - fine: no schedule | at all\n");
    EXPECT_THROW(inspection(made_up(), "Nobody"), std::invalid_argument);
}

TEST(Inspection, TheManifestKeepsWhatItIsMadeFrom) {
    const fs::path bundle = fs::path(testing::TempDir()) / "inspected";
    fs::create_directories(bundle);
    write_manifest(made_up(), bundle);
    EXPECT_EQ(to_json(read_manifest(bundle)), to_json(made_up()));
    EXPECT_EQ(inspection(read_manifest(bundle), "WarpTile"), inspection(made_up(), "WarpTile"));
}

}  // namespace
}  // namespace warptile::bench
