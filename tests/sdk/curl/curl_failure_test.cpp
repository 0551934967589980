#include "curl/curl_failure.h"

#include <cerrno>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::detail {
namespace {

using testing::HasSubstr;

TEST(CurlFailure, NamesTheSystemError) {
  const TransportFailure failure =
      curlFailure({.code = CURLE_COULDNT_CONNECT, .systemError = ECONNREFUSED, .service = "api.example:443"});
  EXPECT_THAT(failure.message, HasSubstr(" to api.example:443: Connection refused; check baseUrl"));
}

TEST(CurlFailure, NamesNoSystemErrorIfThereIsNone) {
  const TransportFailure failure = curlFailure({.code = CURLE_COULDNT_CONNECT, .service = "api.example:443"});
  EXPECT_THAT(failure.message, HasSubstr(" to api.example:443; check baseUrl"));
}

}  // namespace
}  // namespace tally::detail
