#include "output/clang_format.h"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/support.h"

namespace tally::codegen::output {

namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class ClangFormat : public testing::Test {
 protected:
  ClangFormat() { test::writeFile(root / ".clang-format", "BasedOnStyle: Google\nColumnLimit: 20\n"); }

  std::string failureOf(const std::string& program, const std::filesystem::path& folder) {
    try {
      format(files, program, folder);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return {};
  }

  TempFolder root{std::filesystem::temp_directory_path()};
  std::vector<emit::File> files{{"sdk/a.h", "int  a ;\n"}, {"docs/a.md", "a  b\n"}};
};

TEST_F(ClangFormat, FormatsOnlyCppFiles) {
  if (!test::hasFormatter()) GTEST_SKIP() << "there is no " TALLY_CODEGEN_CLANG_FORMAT;
  format(files, TALLY_CODEGEN_CLANG_FORMAT, root.path());
  EXPECT_EQ(files[0].text, "int a;\n");
  EXPECT_EQ(files[1].text, "a  b\n");
}

TEST_F(ClangFormat, UsesAStyleFileAboveTheRoot) {
  if (!test::hasFormatter()) GTEST_SKIP() << "there is no " TALLY_CODEGEN_CLANG_FORMAT;
  files[0].text = "int function(int first, int second);\n";
  format(files, TALLY_CODEGEN_CLANG_FORMAT, root / "not/there/yet");
  EXPECT_EQ(files[0].text, "int function(\n    int first,\n    int second);\n");
}

TEST_F(ClangFormat, ReportsAProgramThatCannotBeRun) {
  EXPECT_THAT(failureOf("no-such-program", root.path()), StartsWith("no-such-program: can't be run: "));
  EXPECT_THAT(failureOf("no-such-program", root.path()),
              EndsWith("; install it, name another one with --clang-format, or pass --unformatted"));
}

TEST_F(ClangFormat, FailsWhenTheProgramFails) {
  EXPECT_EQ(failureOf("false", root.path()), "false: failed; nothing was changed");
}

TEST_F(ClangFormat, FailsWhenTheRootHasNoStyleFile) {
  EXPECT_THAT(failureOf("true", "/"), HasSubstr("no .clang-format there or above; pass --unformatted"));
}

}  // namespace

}  // namespace tally::codegen::output
