#include <cstdlib>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "output.h"

namespace tally::test {
namespace {

/// A terminal in place of the standard error of this process.
class Terminal {
 public:
  Terminal() {
    (void)grantpt(controller_);
    (void)unlockpt(controller_);
    const int terminal = open(ptsname(controller_), O_RDWR | O_NOCTTY);
    dup2(terminal, STDERR_FILENO);
    close(terminal);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() {
    restore();
    close(controller_);
    close(before_);
  }

  /// What has been written to it. Restores the standard error, since only a terminal that nobody has open
  /// shows that no more will come: a read may return a part.
  std::string text() {
    restore();
    std::string all;
    char bytes[1'024];
    for (ssize_t size = 0; (size = read(controller_, bytes, sizeof bytes)) > 0;)
      all.append(bytes, static_cast<std::size_t>(size));
    return all;
  }

 private:
  void restore() { dup2(before_, STDERR_FILENO); }

  int before_ = dup(STDERR_FILENO);
  int controller_ = posix_openpt(O_RDWR | O_NOCTTY);
};

int timesIn(std::string_view text, std::string_view part) {
  int times = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++times;
  return times;
}

TEST(Display, ShowsAProblemOnceWhateverTheRequest) {
  Terminal terminal;
  {
    detail::Display display;
    for (const char* id : {"req_1", "req_2", "req_3"})
      display.show(
          {.waiting = 5,
           .total = 5,
           .problem =
               std::string{"payment_records.report_failed: server error: Down. [status 500, request "} + id +
               "]"});
    display.show({.waiting = 5, .total = 5, .problem = "connection failure"});
  }
  const std::string text = terminal.text();
  EXPECT_EQ(timesIn(text, "server error"), 1) << text;
  EXPECT_THAT(text, testing::HasSubstr("req_1"));
  EXPECT_EQ(timesIn(text, "connection failure"), 1) << text;
}

}  // namespace
}  // namespace tally::test
