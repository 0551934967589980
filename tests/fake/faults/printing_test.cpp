#include <sstream>

#include <tally/fake/fault_rule.h>
#include <tally/fake/logged_request.h>

#include <gtest/gtest.h>

namespace tally::fake {

namespace {

template <class T>
std::string printed(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST(Printing, ShowsALoggedRequestAndItsResult) {
  LoggedRequest request{.time = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1},
                        .operation = "files.retrieve",
                        .object = "file_1",
                        .method = "GET",
                        .request = {.headers = {{"Authorization", "Bearer sk_secret"}}, .body = "secret"},
                        .status = 200};
  EXPECT_EQ(printed(request), "2026-01-01T00:00:00Z GET files.retrieve of file_1: 200");
  request.status = 429;
  request.errorCode = "rate_limit";
  request.limit = "file_reads";
  EXPECT_EQ(printed(request),
            "2026-01-01T00:00:00Z GET files.retrieve of file_1: 429 rate_limit, refused by file_reads");
}

TEST(Printing, ShowsARequestWithoutAnOperationOrAResponse) {
  const LoggedRequest request{.object = "a\nb", .method = "BREW\x1B", .fault = Fault::reset};
  EXPECT_EQ(printed(request), R"(1970-01-01T00:00:00Z BREW\x1b (no operation) of a\nb: no response, reset)");
}

TEST(Printing, MarksARequestAsProcessedOnlyIfItHasNoResponse) {
  LoggedRequest request{.operation = "payouts.create",
                        .method = "POST",
                        .status = 200,
                        .processed = true,
                        .fault = Fault::garbledBody};
  EXPECT_EQ(printed(request), "1970-01-01T00:00:00Z POST payouts.create: 200, garbled body");
  request.status = 0;
  request.fault = Fault::responseLost;
  EXPECT_EQ(printed(request),
            "1970-01-01T00:00:00Z POST payouts.create: no response, response lost, processed");
}

TEST(LoggedRequest, HasNoNumberBeforeItIsLogged) {
  EXPECT_EQ(LoggedRequest{}.number, 0U);
}

TEST(Printing, ShowsAFaultAndAFaultRule) {
  EXPECT_EQ(printed(Fault::responseLost), "response lost");
  EXPECT_EQ(printed(FaultRule{.operation = "files.list", .times = 2, .fault = Fault::responseLost}),
            "files.list: response lost (2 times left)");
}

}  // namespace

}  // namespace tally::fake
