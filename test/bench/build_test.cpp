// Building bundles from a generator that fails, that never ends, and that has no parameters for a size.
#include "tools/bench/building/bundle.h"
#include "tools/bench/building/estimates.h"
#include "tools/bench/building/generators.h"
#include "tools/bench/process.h"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warptile::bench {
namespace {

BuildOptions fake_options(const std::string &folder) {
    BuildOptions options;
    options.bundle = fs::path(testing::TempDir()) / folder;
    fs::remove_all(options.bundle);
    options.source = WARPTILE_SOURCE_DIR;
    options.halide = HALIDE_PREFIX;
    options.generators = find_generators({fs::path(WARPTILE_SOURCE_DIR) / "test/bench/fakes/fake_generator.sh"}, {});
    options.plain = {"none", {"mode=plain"}, true};
    options.timeout = 2;
    options.jobs = 3;
    return options;
}

const BuiltVariant &variant(const BuiltApp &app, const std::string &name) {
    for (const BuiltVariant &built : app.variants) {
        if (built.name == name) {
            return built;
        }
    }
    throw std::runtime_error("no variant " + name);
}

TEST(Build, AProgramIsAskedForItsGenerators) {
    const std::vector<GeneratorSource> found =
        find_generators({fs::path(WARPTILE_SOURCE_DIR) / "test/bench/fakes/fake_generator.sh"}, {});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].name, "fake");
    EXPECT_THROW(find_generators({"/bin/true"}, {}), std::runtime_error);
    EXPECT_THROW(find_generators({"/no/such/generator"}, {}), std::runtime_error);
}

TEST(Build, AListNamesAppsAndTheirArguments) {
    const fs::path list = fs::path(testing::TempDir()) / "apps.list";
    std::ofstream(list)
        << "# two apps of one program\n\nsmall bin/g scale k=1 +no_asserts\n    +sse41 --estimate in=3,4\n"
           "\nlarge\t/opt/g scale\n";
    const std::vector<GeneratorSource> apps = read_list(list);
    ASSERT_EQ(apps.size(), 2u);
    EXPECT_EQ(apps[0].name, "small");
    EXPECT_EQ(apps[0].program, fs::path(testing::TempDir()) / "bin/g");
    EXPECT_EQ(apps[0].generator, "scale");
    EXPECT_EQ(apps[0].arguments, (std::vector<std::string>{"k=1", "--estimate", "in=3,4"}));
    EXPECT_EQ(apps[0].features, "-no_asserts-sse41");
    EXPECT_EQ(apps[1].name, "large");
    EXPECT_EQ(apps[1].program, "/opt/g");
    EXPECT_EQ(find_generators({list}, {"large"}).size(), 1u);
    EXPECT_THROW(find_generators({list}, {"huge"}), std::runtime_error);
    std::ofstream(list) << "small bin/g\n";
    EXPECT_THROW(read_list(list), std::runtime_error);
}

TEST(Build, EstimatesGoToTheAppsThatTheyAreFor) {
    std::vector<GeneratorSource> apps{{"one", "g", "g", {}, {}}, {"two", "g", "g", {"k=1"}, {}}};
    const fs::path file = fs::path(testing::TempDir()) / "estimates.txt";
    std::ofstream(file) << "# of all\ngain=0.5\nthree: in=7\n";
    give_estimates(apps, {"two: in=0,64,0,48", file.string()});
    EXPECT_EQ(apps[0].arguments, (std::vector<std::string>{"--estimate", "gain=0.5"}));
    EXPECT_EQ(apps[1].arguments,
              (std::vector<std::string>{"k=1", "--estimate", "in=0,64,0,48", "--estimate", "gain=0.5"}));
    for (const char *const wrong : {"in", "=3", "in=", ": in=3", "three: in=3"}) {
        EXPECT_THROW(give_estimates(apps, {wrong}), std::invalid_argument) << wrong;
    }
}

TEST(Build, ListsOfNamesAreReadAsHalideAndAsOurMainWriteThem) {
    const std::string mark = "available Generators are:";
    const std::vector<std::string> two{"a", "b"};
    EXPECT_EQ(names_listed("Error: …; available Generators are:\n    a\n    b\n\ngengen\n  [-g …", mark), two);
    EXPECT_EQ(names_listed("x.generator: error: …; available Generators are: a b\n", mark), two);
    EXPECT_TRUE(names_listed("available Generators are:\n    <none>\n", mark).empty());
    EXPECT_TRUE(names_listed("usage: true", mark).empty());
}

TEST(Build, AFailureAndATimeLimitCostOneVariantEach) {
    BuildOptions options = fake_options("failures");
    options.variants = {{"good", {}}, {"broken", {"mode=broken"}}, {"slow", {"mode=slow"}}};
    const Manifest manifest = build_bundle(options);
    ASSERT_EQ(manifest.apps.size(), 1u);
    const BuiltApp &app = manifest.apps[0];
    EXPECT_EQ(variant(app, "good").error, "");
    EXPECT_EQ(variant(app, "broken").error, "Func f cannot be scheduled like this");
    EXPECT_EQ(variant(app, "slow").error, "no end after 2 s");
    EXPECT_LT(variant(app, "slow").build_seconds, 10);
    EXPECT_TRUE(app.plain && app.plain->error.empty());
    EXPECT_TRUE(fs::exists(options.bundle / "pipelines/fake__good.o.gz"));
    EXPECT_FALSE(fs::exists(options.bundle / "pipelines/fake__broken.o.gz"));
    EXPECT_FALSE(fs::exists(options.bundle / "pipelines/fake__slow.registration.cpp"));
    // What was built is in the manifest, and built again it takes the place of the old.
    EXPECT_EQ(to_json(read_manifest(options.bundle)), to_json(manifest));
    options.variants = {{"slow", {}}};
    const Manifest again = build_bundle(options);
    EXPECT_EQ(again.apps.at(0).variants.size(), 3u);
    EXPECT_EQ(variant(again.apps[0], "slow").error, "");
}

TEST(Build, TheSameCodeIsBuiltOnce) {
    BuildOptions options = fake_options("once");
    options.variants = {{"whole", {"mode=a"}}, {"other", {"mode=b"}}, {"same", {"mode=a"}}};
    options.once = true;
    const Manifest manifest = build_bundle(options);
    ASSERT_EQ(manifest.apps.at(0).variants.size(), 2u);
    EXPECT_EQ(manifest.apps[0].variants[0].name, "whole");
    EXPECT_EQ(manifest.apps[0].variants[1].name, "other");
    EXPECT_FALSE(fs::exists(options.bundle / "pipelines/fake__same.o.gz"));
    EXPECT_TRUE(manifest.apps[0].plain) << "the reference is never left out";
    options.once = false;
    EXPECT_EQ(build_bundle(options).apps.at(0).variants.size(), 3u);
}

TEST(Build, WhatWarpTileTellsOfItsPlanIsTheRemark) {
    BuildOptions options = fake_options("notices");
    options.variants = {{"WarpTile", {"autoscheduler=WarpTile"}}, {"other", {}}};
    const Manifest manifest = build_bundle(options);
    ASSERT_EQ(manifest.apps.size(), 1u);
    EXPECT_EQ(variant(manifest.apps[0], "WarpTile").remark, "'f': is slow; 'g': is on the host");
    EXPECT_EQ(variant(manifest.apps[0], "other").remark, "");
}

TEST(Build, ASizeThatAGeneratorLacksIsLeftOut) {
    BuildOptions options = fake_options("sizes");
    options.variants = {{"good", {}}};
    options.sizes = {"", "192x320"};
    const Manifest manifest = build_bundle(options);
    ASSERT_EQ(manifest.apps.size(), 1u);
    EXPECT_EQ(manifest.apps[0].size, "");
}

TEST(Build, ErrorsBecomeOneLine) {
    EXPECT_EQ(error_line("Warning: w\nUnhandled exception: Error: a b\n  c\n\ngengen\n  [-g …]\n"), "a b c");
    EXPECT_EQ(error_line("blur.generator: error: no target\n"), "no target");
    EXPECT_EQ(error_line("\n\nfirst line\nsecond\n"), "first line");
    EXPECT_EQ(error_line(""), "");
}

TEST(Build, HostTargetsHaveNoGpu) {
    EXPECT_EQ(host_target("x86-64-linux-avx2-cuda-cuda_capability_80"), "x86-64-linux-avx2");
}

}  // namespace
}  // namespace warptile::bench
