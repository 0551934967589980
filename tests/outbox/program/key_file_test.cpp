#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domain_keys.h"
#include "temporary_folder.h"

namespace tally::test {
namespace {

using detail::EventLog;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class KeyFile : public testing::Test {
 protected:
  void write(const std::string& text) const { folder.write("key", text); }
  /// What is logged meanwhile.
  std::string refreshed() {
    out.str("");
    file.refresh(log);
    return out.str();
  }
  [[nodiscard]] std::string key() const { return std::string{file.key().reveal()}; }

  TemporaryFolder folder{};
  std::ostringstream out{};
  EventLog log{out};
  detail::KeyFile file{{.domain = "shop", .file = folder.write("key", "sk_test_old\n")}};
};

TEST_F(KeyFile, AdoptsANewKeyOnceTwoReadsAgree) {
  EXPECT_EQ(refreshed(), "");
  write("sk_test_ne");  // it is being written
  EXPECT_EQ(refreshed(), "");
  write("sk_test_new \n");
  EXPECT_EQ(refreshed(), "");
  EXPECT_EQ(key(), "sk_test_old");
  EXPECT_THAT(refreshed(), EndsWith(" event=key_changed domain=shop\n"));
  EXPECT_EQ(key(), "sk_test_new");
  EXPECT_EQ(refreshed(), "");
}

TEST_F(KeyFile, KeepsTheOldKeyAndLogsOnceIfTheNewContentIsUnusable) {
  for (const std::string text : {"", "two\nkeys", "sk_live_other"}) {
    write(text);
    const std::string first = refreshed() + refreshed();
    EXPECT_THAT(first, HasSubstr(" event=key_unreadable domain=shop reason="));
    EXPECT_EQ(refreshed() + refreshed(), "");
    EXPECT_THAT(first, testing::Not(HasSubstr("sk_live_other")));
    EXPECT_EQ(key(), "sk_test_old");
  }
}

}  // namespace
}  // namespace tally::test
