#include "net/response_writer.h"

#include <gtest/gtest.h>

namespace tally::fake::detail {

namespace {

TEST(ResponseWriter, WritesStatusHeadersAndBody) {
  EXPECT_EQ(write({.status = 200, .headers = {{"A", "b"}}, .body = "{}"}, {}),
            "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 2\r\n\r\n{}");
  EXPECT_EQ(write({.status = 429, .headers = {}, .body = {}}, {.close = true}),
            "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}

TEST(ResponseWriter, OmitsForbiddenBodies) {
  EXPECT_EQ(write({.status = 405, .headers = {}, .body = "abc"}, {.bodiless = true}),
            "HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 3\r\n\r\n");
  EXPECT_EQ(write({.status = 304, .headers = {}, .body = "abc"}, {}), "HTTP/1.1 304 Not Modified\r\n\r\n");
}

TEST(ResponseWriter, KeepsTheContentLengthOfANotModifiedResponse) {
  EXPECT_EQ(write({.status = 304, .headers = {{"Content-Length", "13"}}, .body = {}}, {}),
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 13\r\n\r\n");
  EXPECT_EQ(write({.status = 204, .headers = {{"Content-Length", "13"}}, .body = {}}, {}),
            "HTTP/1.1 204 No Content\r\n\r\n");
}

TEST(ResponseWriter, SanitizesHeaders) {
  EXPECT_EQ(write({.status = 200,
                   .headers = {{"CONTENT-LENGTH", "9"}, {"connection", "x"}, {"A\r\nB", "c\nD: e"}},
                   .body = {}},
                  {}),
            "HTTP/1.1 200 OK\r\nA  B: c D: e\r\nContent-Length: 0\r\n\r\n");
}

}  // namespace

}  // namespace tally::fake::detail
