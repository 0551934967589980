#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

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
  const std::string keysFarApart = "sk_test_one" + std::string(8'192, '\n') + "sk_test_two";
  for (const std::string& text :
       {std::string{}, std::string{"two\nkeys"}, std::string{"sk_live_other"}, keysFarApart}) {
    write(text);
    const std::string first = refreshed() + refreshed();
    EXPECT_THAT(first, HasSubstr(" event=key_unreadable domain=shop reason="));
    EXPECT_EQ(refreshed() + refreshed(), "");
    EXPECT_THAT(first, testing::Not(HasSubstr("sk_live_other")));
    EXPECT_EQ(key(), "sk_test_old");
  }
}

/// Opening it again would wait for the next writer, and with it the end of the worker.
TEST_F(KeyFile, ReadsAPipeOnce) {
  const std::string pipe = (folder.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), S_IRUSR | S_IWUSR), 0);
  std::jthread writer{[&] { std::ofstream{pipe} << "sk_test_piped\n"; }};
  detail::KeyFile piped{{.domain = "shop", .file = pipe}};
  piped.refresh(log);
  EXPECT_EQ(piped.key().reveal(), "sk_test_piped");
  EXPECT_EQ(out.str(), "");
}

class UnreliableBuffer : public std::stringbuf {
 public:
  bool isFull = false;

 private:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    return isFull ? 0 : std::stringbuf::xsputn(text, size);
  }
};

TEST(EventLog, ContinuesOnceTheDiskHasRoomAgain) {
  UnreliableBuffer disk;
  std::ostream out{&disk};
  EventLog log{out};
  disk.isFull = true;
  log.write("first", {});
  disk.isFull = false;
  log.write("second", {});
  EXPECT_THAT(disk.str(), EndsWith(" event=second\n"));
}

}  // namespace
}  // namespace tally::test
