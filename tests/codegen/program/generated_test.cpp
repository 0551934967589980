#include <algorithm>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/support.h"

// The output of the generator for the real description and for the kitchen sink.

namespace tally::codegen::test {

namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

fs::path realApi() {
  return repository() / "codegen" / "api";
}
fs::path kitchenSink() {
  return testFolder() / "kitchen_sink";
}

std::vector<std::string> kitchenSinkArguments(const fs::path& out) {
  return {"--api", realApi() / "root.json", kitchenSink() / "api", "--out", out};
}

/// Whether `longer` is `shorter` with lines added.
bool onlyAdds(const std::string& shorter, const std::string& longer) {
  const auto wanted = linesOf(shorter);
  auto next = wanted.begin();
  for (const std::string& line : linesOf(longer))
    if (next != wanted.end() && line == *next) ++next;
  return next == wanted.end();
}

TEST(GeneratedFiles, MatchTheDescription) {
  if (!hasFormatter()) GTEST_SKIP() << "there is no " TALLY_CODEGEN_CLANG_FORMAT;
  const Outcome outcome = generate({"--api", realApi(), "--out", repository(), "--check"});
  EXPECT_THAT(outcome.errors, IsEmpty()) << "run ./dev generate";
  EXPECT_EQ(outcome.status, 0);
}

// TALLY_UPDATE_GOLDEN=1 writes the golden files instead of comparing them.
TEST(KitchenSink, MatchesTheGoldenFiles) {
  if (!hasFormatter()) GTEST_SKIP() << "there is no " TALLY_CODEGEN_CLANG_FORMAT;
  const bool update = std::getenv("TALLY_UPDATE_GOLDEN") != nullptr;
  auto arguments = kitchenSinkArguments(kitchenSink() / "golden");
  if (!update) arguments.emplace_back("--check");
  const Outcome outcome = generate(arguments);
  EXPECT_THAT(outcome.errors, IsEmpty()) << "review each difference; TALLY_UPDATE_GOLDEN=1 accepts them";
  EXPECT_EQ(outcome.status, 0);
}

TEST(KitchenSink, LeavesTheFilesOfOtherResourcesUnchanged) {
  const TempFolder folder;
  ASSERT_EQ(generate({"--api", realApi(), "--out", folder / "before", "--unformatted"}).status, 0);
  ASSERT_EQ(generate({"--api", realApi(), kitchenSink() / "api", "--out", folder / "after", "--unformatted"})
                .status,
            0);
  const auto before = tree(folder / "before");
  const auto after = tree(folder / "after");
  std::vector<std::string> changed;
  for (const auto& [path, text] : before) {
    ASSERT_TRUE(after.contains(path)) << path;
    if (after.at(path) == text) continue;
    // A shared object gets its borrowing form with the first call that takes it.
    const bool differs = path == "docs/reference/assumptions.md" || path.ends_with("/amount.h") ||
                         path == "fake/generated/provenance.cpp";
    EXPECT_TRUE(differs || onlyAdds(text, after.at(path))) << path;
    changed.push_back(path);
  }
  EXPECT_THAT(
      changed,
      testing::ElementsAre(
          "docs/reference/assumptions.md", "docs/reference/index.md", "fake/generated/errors.cpp",
          "fake/generated/errors.h", "fake/generated/provenance.cpp", "fake/generated/resource_rules.cpp",
          "fake/generated/sources.cmake", "sdk/generated/include/tally/amount.h",
          "sdk/generated/include/tally/async_services.h", "sdk/generated/include/tally/error_codes.h",
          "sdk/generated/include/tally/limits.h", "sdk/generated/include/tally/services.h",
          "sdk/generated/sources.cmake", "sdk/generated/src/amount.cpp", "sdk/generated/src/operations.cpp",
          "sdk/generated/src/operations.h"));
  EXPECT_EQ(after.size(), before.size() + 9);
}

}  // namespace

}  // namespace tally::codegen::test
