// The runner against pipelines that crash, hang, corrupt memory or compute nonsense: each says so in its own row, and
// the others are none the worse for it.
#include "tools/bench/running/runner.h"

#include <gtest/gtest.h>

namespace warptile::bench {
namespace {

BuiltVariant host_variant(const std::string &name) {
    BuiltVariant variant;
    variant.name = name;
    variant.target = "x86-64-linux";
    return variant;
}

/// A bundle with the fakes as its pipelines, of this test alone: tests run side by side.
fs::path make_bundle(const Manifest &manifest) {
    const fs::path bundle = fs::path(testing::TempDir()) /
                            (std::string("fakes_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(bundle);
    fs::create_directories(bundle);
    fs::create_directory_symlink(FAKE_BUNDLE "/pipelines", bundle / "pipelines");
    write_manifest(manifest, bundle);
    return bundle;
}

/// Runs the fakes of these names, as the app `fake` of the bundle of fakes.
AppResult run_fakes(const std::vector<std::string> &names, int rounds = 2, const std::string &reference = "right") {
    Manifest manifest;
    BuiltApp &app = manifest.app("fake", "");
    app.plain = host_variant(reference);
    for (const std::string &name : names) {
        app.variants.push_back(host_variant(name));
    }
    RunOptions options;
    options.bundle = make_bundle(manifest);
    options.rounds = rounds;
    options.batch_milliseconds = 1;
    options.timeout = 2;
    return run_bundle(options, [](const Results &, const AppResult &) {}).apps.at(0);
}

void expect_failure(const Row &row, const std::string &at, const std::string &words) {
    EXPECT_EQ(row.failed_at, at) << row.variant << ": " << row.error;
    EXPECT_NE(row.error.find(words), std::string::npos) << row.variant << ": " << row.error;
    EXPECT_FALSE(row.agrees) << row.variant;
}

TEST(Runner, ARightPipelineIsTimedBesideOnesThatAreNot) {
    const AppResult app = run_fakes({"crashes", "right", "hangs", "leaves", "fails", "breaks_heap"});
    ASSERT_EQ(app.rows.size(), 6u);
    expect_failure(*app.row("crashes"), "run", "signal 11");
    expect_failure(*app.row("hangs"), "run", "no end after 2 s");
    expect_failure(*app.row("leaves"), "run", "exit status 0");
    expect_failure(*app.row("fails"), "run", "returned the error -7");
    expect_failure(*app.row("breaks_heap"), "run", "signal 6");
    const Row &right = *app.row("right");
    EXPECT_TRUE(right.agrees) << right.error;
    EXPECT_TRUE(right.timed());
    EXPECT_EQ(right.failed_at, "");
    EXPECT_FALSE(right.on_device);
}

TEST(Runner, WrongResultsAreNamed) {
    const AppResult app = run_fakes({"wrong", "not_a_number", "forgets", "right"});
    expect_failure(*app.row("wrong"), "result", "1 values wrong, the first at (6, 1)");
    expect_failure(*app.row("not_a_number"), "result", "1 of them not a number");
    expect_failure(*app.row("forgets"), "result", "the first at (52, 7)");
    EXPECT_TRUE(app.row("right")->agrees);
    EXPECT_FALSE(app.row("wrong")->counts());
}

TEST(Runner, CorruptedMemoryIsSeen) {
    const AppResult app = run_fakes({"writes_behind", "writes_before", "writes_input", "right"});
    expect_failure(*app.row("writes_behind"), "result", "wrote beyond 'output', 12 bytes behind it");
    expect_failure(*app.row("writes_before"), "result", "wrote beyond 'output', 8 bytes before it");
    expect_failure(*app.row("writes_input"), "result", "wrote into its input 'input'");
    EXPECT_TRUE(app.row("right")->agrees);
}

TEST(Runner, WhatGoesWrongOnlyLaterIsSeenAsWell) {
    const AppResult app = run_fakes({"wrong_later", "hangs_later", "right"});
    expect_failure(*app.row("wrong_later"), "result", "1 values wrong");
    expect_failure(*app.row("hangs_later"), "run", "no end after 2 s");
    EXPECT_TRUE(app.row("right")->agrees);
}

TEST(Runner, WithoutAReferenceVariantsAreComparedWithEachOther) {
    const AppResult app = run_fakes({"otherwise", "right", "crashes", "otherwise_too"}, 2, "crashes");
    EXPECT_NE(app.error.find("signal 11"), std::string::npos) << app.error;
    for (const char *const name : {"otherwise", "otherwise_too"}) {
        EXPECT_TRUE(app.row(name)->agrees) << app.row(name)->error;
        EXPECT_TRUE(app.row(name)->with_others);
        EXPECT_TRUE(app.row(name)->timed());
        EXPECT_EQ(app.row(name)->failed_at, "");
    }
    expect_failure(*app.row("right"), "result", "1 values wrong, the first at (16, 31)");
    expect_failure(*app.row("crashes"), "run", "signal 11");
}

TEST(Runner, AReferenceFromWhichAllDifferAlikeIsOverruled) {
    const AppResult app = run_fakes({"otherwise", "otherwise_too"});
    EXPECT_EQ(app.error.find("all variants differ from it alike: 1 values wrong"), 0u) << app.error;
    for (const Row &row : app.rows) {
        EXPECT_TRUE(row.agrees && row.with_others && row.timed()) << row.error;
    }
}

TEST(Runner, AlikeIsMeasuredByTheDifferenceFromTheReference) {
    const AppResult app = run_fakes({"otherwise", "much_otherwise"});
    EXPECT_EQ(app.error.find("all variants differ from it alike"), 0u) << app.error;
    for (const Row &row : app.rows) {
        EXPECT_TRUE(row.agrees && row.with_others) << row.error;
    }
}

TEST(Runner, AReferenceFromWhichEachDiffersInItsOwnWayIsNot) {
    const AppResult app = run_fakes({"otherwise", "wrong", "not_a_number"});
    EXPECT_EQ(app.error, "");
    for (const Row &row : app.rows) {
        expect_failure(row, "result", "1 values wrong");
        EXPECT_FALSE(row.with_others);
        EXPECT_TRUE(row.timed());
    }
}

TEST(Runner, AVariantAloneIsTimedAndComparedWithNothing) {
    const AppResult app = run_fakes({"right"}, 2, "crashes");
    EXPECT_NE(app.error, "");
    expect_failure(*app.row("right"), "result", "nothing to compare it with");
    EXPECT_TRUE(app.row("right")->timed());
    EXPECT_FALSE(app.row("right")->counts());
}

TEST(Runner, AFailedReferenceIsOneAppsFailure) {
    Manifest manifest;
    for (const char *const plain : {"crashes", "right"}) {
        BuiltApp &app = manifest.app("fake", plain == std::string("right") ? "" : "1x1");
        app.plain = host_variant(plain);
        app.variants = {host_variant("right")};
    }
    // The app at "1x1" has files of its own name, which are not there; its reference fails to load.
    RunOptions options;
    options.bundle = make_bundle(manifest);
    options.rounds = 0;
    const Results results = run_bundle(options, [](const Results &, const AppResult &) {});
    ASSERT_EQ(results.apps.size(), 2u);
    EXPECT_NE(results.apps[0].error, "");
    expect_failure(results.apps[0].rows.at(0), "run", "1x1");
    EXPECT_TRUE(results.apps[1].rows.at(0).agrees);
}

TEST(Runner, AVariantThatIsNotThereIsRefused) {
    Manifest manifest;
    manifest.app("fake", "").variants = {host_variant("right")};
    RunOptions options;
    options.bundle = make_bundle(manifest);
    options.variants = {"rihgt"};
    EXPECT_THROW(run_bundle(options, [](const Results &, const AppResult &) {}), std::runtime_error);
}

TEST(Runner, ABundleThatIsNoneIsRefused) {
    RunOptions options;
    options.bundle = FAKE_BUNDLE "/pipelines";
    EXPECT_THROW(run_bundle(options, [](const Results &, const AppResult &) {}), std::runtime_error);
}

}  // namespace
}  // namespace warptile::bench
