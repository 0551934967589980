#include "program/command_line.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/run.h"
#include "support/support.h"

namespace tally::codegen::test {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(CommandLine, AcceptsSeveralFilesAfterTheApiOption) {
  const CommandLine line = parse({"--api", "a", "b/c.json", "--out", "d", "--check", "--templates", "e"});
  EXPECT_THAT(line.api, ElementsAre("a", "b/c.json"));
  EXPECT_EQ(line.out, "d");
  EXPECT_EQ(line.templates, "e");
  EXPECT_TRUE(line.check);
}

TEST(CommandLine, RequestsACheckOnlyIfTheOptionIsGiven) {
  EXPECT_FALSE(parse({"--api", "a", "--out", "d"}).check);
}

TEST(CommandLine, IsRefusedWithAnExplanationWhenInvalid) {
  const auto refusal = [](const std::vector<std::string>& arguments) {
    const Outcome outcome = generate(arguments);
    EXPECT_EQ(outcome.status, 1);
    return outcome.errors;
  };
  EXPECT_THAT(refusal({}), ElementsAre("tally-codegen: --api is missing; see tally-codegen --help"));
  EXPECT_THAT(refusal({"--api", "a"}),
              ElementsAre("tally-codegen: --out is missing; see tally-codegen --help"));
  EXPECT_THAT(refusal({"--api", "--out", "a"}),
              ElementsAre("tally-codegen: --api needs a value; see tally-codegen --help"));
  EXPECT_THAT(refusal({"--verbose"}),
              ElementsAre("tally-codegen: unknown argument '--verbose'; see tally-codegen --help"));
  for (const char* argument : {"--chekc", "--check=yes"})
    EXPECT_THAT(refusal({argument}), ElementsAre("tally-codegen: unknown argument '" + std::string{argument} +
                                                 "'; did you mean '--check'? See tally-codegen --help"));
}

TEST(CommandLine, CanRequestTheHelpOrTheVersion) {
  const Outcome help = generate({"--help"});
  EXPECT_EQ(help.status, 0);
  for (const char* option :
       {"--api", "--out", "--check", "--clang-format", "--unformatted", "--templates", "--help", "--version"})
    EXPECT_THAT(help.out, HasSubstr(option));
  const Outcome version = generate({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.out, testing::MatchesRegex("tally-codegen [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST(CommandLine, FailsIfTheHelpCanNotBeWritten) {
  std::ofstream full{"/dev/full"};
  std::ostringstream errors;
  EXPECT_EQ(run({"--help"}, full, errors), 1);
  EXPECT_THAT(errors.str(), HasSubstr("can't write to standard output"));
}

}  // namespace

}  // namespace tally::codegen::test
