#include <chrono>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/support.h"

// The generated files on disk.

namespace tally::codegen::test {

namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class Output : public testing::Test {
 protected:
  Output() { writeSmallApi(folder / "api"); }

  Outcome run(bool check = false) const {
    std::vector<std::string> arguments{"--api", folder / "api", "--out", folder / "out", "--unformatted"};
    if (check) arguments.emplace_back("--check");
    return generate(arguments);
  }

  [[nodiscard]] fs::path out(const std::string& path) const { return folder / "out" / path; }

  TempFolder folder{};
};

TEST_F(Output, IsReproducible) {
  EXPECT_EQ(run().status, 0);
  const auto first = tree(folder / "out");
  fs::remove_all(folder / "out");
  EXPECT_EQ(run().status, 0);
  EXPECT_EQ(tree(folder / "out"), first);
  EXPECT_EQ(first.size(), 28U);
}

TEST_F(Output, LeavesUpToDateFilesUntouched) {
  EXPECT_EQ(run().status, 0);
  const auto longAgo = fs::file_time_type{} + std::chrono::hours{1};
  fs::last_write_time(out("sdk/generated/src/wire.h"), longAgo);
  writeFile(out("sdk/generated/src/things.cpp"), "something else");
  EXPECT_EQ(run().status, 0);
  EXPECT_EQ(fs::last_write_time(out("sdk/generated/src/wire.h")), longAgo);
  EXPECT_NE(readFile(out("sdk/generated/src/things.cpp")), "something else");
}

TEST_F(Output, RemovesObsoleteFiles) {
  EXPECT_EQ(run().status, 0);
  writeFile(out("sdk/generated/src/thinks.cpp"),
            "// Generated from the API description, version 1.0.0. Do not edit.\n");
  writeFile(out("docs/reference/thinks.md"),
            "<!-- Generated from the API description, version 1.0.0. Do not edit. -->\n");
  EXPECT_EQ(run().status, 0);
  EXPECT_FALSE(fs::exists(out("sdk/generated/src/thinks.cpp")));
  EXPECT_FALSE(fs::exists(out("docs/reference/thinks.md")));
}

TEST_F(Output, KeepsFilesThatWereNotGenerated) {
  writeFile(out("fake/generated/notes.txt"), "mine\n");
  writeFile(out("sdk/other.cpp"), "// Generated from the API description\n");
  EXPECT_EQ(run().status, 0);
  EXPECT_TRUE(fs::exists(out("fake/generated/notes.txt")));
  EXPECT_TRUE(fs::exists(out("sdk/other.cpp")));
}

TEST_F(Output, LeavesNoTemporaryFiles) {
  EXPECT_EQ(run().status, 0);
  writeFile(out("sdk/generated/src/wire.h"), "something else");
  EXPECT_EQ(run().status, 0);
  EXPECT_EQ(tree(folder / "out").size(), 28U);
}

TEST_F(Output, PassesACheckWhenNothingDiffers) {
  EXPECT_EQ(run().status, 0);
  const Outcome outcome = run(true);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.errors, IsEmpty());
}

TEST_F(Output, IsComparedButNotChangedByACheck) {
  EXPECT_EQ(run().status, 0);
  fs::remove(out("docs/reference/assumptions.md"));
  writeFile(out("sdk/generated/src/wire.h"), "something else");
  writeFile(out("fake/generated/old.h"),
            "// Generated from the API description, version 1.0.0. Do not edit.\n");
  const auto before = tree(folder / "out");
  const Outcome outcome = run(true);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.errors,
              ElementsAre("docs/reference/assumptions.md: missing",
                          "sdk/generated/src/wire.h: differs from the output of tally-codegen",
                          "fake/generated/old.h: stale, no longer generated"));
  EXPECT_EQ(tree(folder / "out"), before);
}

TEST_F(Output, IsUnchangedWhenAFileIsInTheWay) {
  writeFile(out("fake/generated"), "a file where a folder should be");
  const auto before = tree(folder / "out");
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, 1);
  ASSERT_EQ(outcome.errors.size(), 1U);
  EXPECT_THAT(outcome.errors[0], testing::EndsWith("; nothing was changed"));
  EXPECT_EQ(tree(folder / "out"), before);
  EXPECT_FALSE(fs::exists(out("sdk")));
  EXPECT_FALSE(fs::exists(out("docs")));
}

TEST_F(Output, IsUnchangedWhenAPageThatWasNotGeneratedIsInTheWay) {
  writeFile(out("docs/reference/things.md"), "# Things\n\nWritten by hand.\n");
  const auto before = tree(folder / "out");
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.errors,
              ElementsAre(testing::EndsWith("things.md was not generated; nothing was changed")));
  EXPECT_EQ(tree(folder / "out"), before);
}

TEST_F(Output, IsUnchangedWhenTwoFilesHaveOnePlace) {
  fs::remove_all(folder / "api");
  writeSmallApi(folder / "api",
                {{"things.json", "/components/schemas/thing/x-resource/plural", R"("index")"}});
  writeFile(folder / "api" / "index.json", std::regex_replace(readFile(folder / "api" / "things.json"),
                                                              std::regex{R"("things\.)"}, R"("index.)"));
  fs::remove(folder / "api" / "things.json");
  for (const bool check : {false, true}) {
    const Outcome outcome = run(check);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.errors, ElementsAre("docs/reference/index.md: generated twice; rename the resource"));
    EXPECT_FALSE(fs::exists(out("docs")));
  }
}

TEST_F(Output, IsUnchangedWhenAFolderIsInTheWay) {
  EXPECT_EQ(run().status, 0);
  writeFile(out("docs/reference/assumptions.md"), "something else");
  fs::remove(out("sdk/generated/src/wire.h"));
  writeFile(out("sdk/generated/src/wire.h/keep"), "a folder where a file should be");
  const auto before = tree(folder / "out");
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.errors, ElementsAre(testing::HasSubstr("wire.h: can't be written: ")));
  EXPECT_EQ(tree(folder / "out"), before);
}

}  // namespace

}  // namespace tally::codegen::test
