// The autoscheduler's parameters: defaults, values, and an error for each mistake that names the parameter.
#include "plugin/parameters.h"
#include "test/support/words.h"

#include <gtest/gtest.h>

namespace warptile {
namespace {

void expect_error(const std::map<std::string, std::string> &given, const std::vector<std::string> &words) {
    expect_words(error_of([&] { parse_parameters(given); }), words);
}

TEST(Parameters, HaveDefaults) {
    const Parameters parameters = parse_parameters({});
    EXPECT_EQ(parameters.gpu, "");
    EXPECT_EQ(parameters.weights_path, "");
    EXPECT_EQ(parameters.max_registers, 64);
    EXPECT_TRUE(parameters.reassociate);
    EXPECT_EQ(parameters.plan_in, "");
    EXPECT_EQ(parameters.plan_out, "");
    EXPECT_EQ(parameters.cost_model, ModelName::Roofline);
    EXPECT_TRUE(parameters.space.streams);
}

TEST(Parameters, OfTheSearch) {
    const Parameters p = parse_parameters({{"cost_model", "jangda2020"}, {"without", "streams+beam"}});
    EXPECT_EQ(p.cost_model, ModelName::Jangda2020);
    EXPECT_FALSE(p.space.streams);
    EXPECT_FALSE(p.space.beam);
    EXPECT_TRUE(p.space.staging);
    EXPECT_EQ(parse_parameters({{"cost_model", "roofline"}}).cost_model, ModelName::Roofline);
    expect_error({{"cost_model", "fast"}}, {"cost_model=fast", "jangda2020 or roofline"});
    expect_error({{"without", "stream"}}, {"without=stream", "'stream'", "did you mean 'streams'", "warp_tiles"});
    expect_error({{"without", ""}}, {"without=", "what is left out"});
}

TEST(Parameters, TakeTheValuesGiven) {
    const Parameters parameters = parse_parameters({{"gpu", "h100"},
                                                    {"max_registers", "255"},
                                                    {"parallelism", "32"},
                                                    {"plan_in", "in.json"},
                                                    {"plan_out", "out.json"},
                                                    {"reassociate", "false"},
                                                    {"weights_path", "mine.json"}});
    EXPECT_EQ(parameters.gpu, "h100");
    EXPECT_EQ(parameters.weights_path, "mine.json");
    EXPECT_EQ(parameters.max_registers, 255);
    EXPECT_FALSE(parameters.reassociate);
    EXPECT_EQ(parameters.plan_in, "in.json");
    EXPECT_EQ(parameters.plan_out, "out.json");
    EXPECT_EQ(parse_parameters({{"max_registers", "16"}}).max_registers, 16);
}

TEST(Parameters, OfTheEnvironment) {
    const Parameters p =
        parse_parameters({}, " gpu=\"RTX 4090\"\treport='a b.json'\n max_registers=32 plan_in=a'\"'b ");
    EXPECT_EQ(p.gpu, "RTX 4090");
    EXPECT_EQ(p.report, "a b.json");
    EXPECT_EQ(p.max_registers, 32);
    EXPECT_EQ(p.plan_in, "a\"b");
    EXPECT_EQ(parse_parameters({}, "autoscheduler.gpu=h100").gpu, "h100");
    EXPECT_EQ(parse_parameters({}, " \n").gpu, "");
}

TEST(Parameters, OfTheEnvironmentGiveWayToThoseGiven) {
    const Parameters p = parse_parameters({{"gpu", "h100"}}, "gpu=v100 fallback=error");
    EXPECT_EQ(p.gpu, "h100");
    EXPECT_EQ(p.fallback, Fallback::Error);
    const Parameters file = parse_parameters({{"weights_path", "mine.json"}}, "gpu=v100");
    EXPECT_EQ(file.gpu, "") << "the card is chosen already";
    EXPECT_EQ(file.weights_path, "mine.json");
}

TEST(Parameters, OfTheEnvironmentAreRefusedByItsName) {
    const auto expect = [](const std::string &text, const std::vector<std::string> &words) {
        const std::string message = error_of([&] { parse_parameters({}, text); });
        expect_words(message, words);
        expect_words(message, {"WARPTILE_PARAMETERS"});
    };
    expect("gpus=h100", {"gpus=h100", "did you mean 'gpu'", "weights_path"});
    expect("max_registers=8", {"max_registers=8", "16 to 255"});
    expect("h100", {"'h100'", "NAME=VALUE"});
    expect("gpu=\"h100", {"quote", "not closed"});
    expect("gpu=h100 gpu=v100", {"gpu", "twice"});
}

TEST(Parameters, RefuseAnUnknownNameWithTheKnownOnes) {
    expect_error({{"max_register", "64"}},
                 {"autoscheduler.max_register=64", "did you mean 'max_registers'", "weights_path", "plan_in", "gpu"});
    expect_error({{"zzz", ""}}, {"no such parameter. It has cost_model, fallback, gpu"});
}

TEST(Parameters, RefuseAValueThatDoesNotFit) {
    for (const char *value : {"15", "256", "", "64x", "x", "6.4", "-64", "+64", " 64", "99999999999999999999"}) {
        expect_error({{"max_registers", value}}, {"autoscheduler.max_registers=" + std::string(value), "16 to 255"});
    }
    for (const char *value : {"0", "many", "-1"}) {
        expect_error({{"parallelism", value}}, {"autoscheduler.parallelism=" + std::string(value), "whole number"});
    }
    for (const char *value : {"", "no", "Error"}) {
        expect_error({{"fallback", value}}, {"autoscheduler.fallback=" + std::string(value), "error or warn"});
    }
    for (const char *value : {"", "1", "True", "yes"}) {
        expect_error({{"reassociate", value}}, {"autoscheduler.reassociate=" + std::string(value), "true or false"});
    }
    for (const char *name : {"gpu", "plan_in", "plan_out", "report", "weights_path"}) {
        expect_error({{name, ""}}, {"autoscheduler." + std::string(name) + "=:", "leave the parameter out"});
    }
}

}  // namespace
}  // namespace warptile
