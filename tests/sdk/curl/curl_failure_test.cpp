#include "curl/curl_failure.h"

#include <cerrno>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::detail {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

TEST(CurlFailure, NamesTheSystemError) {
  const TransportFailure failure =
      curlFailure({.code = CURLE_COULDNT_CONNECT, .systemError = ECONNREFUSED, .service = "api.example:443"});
  EXPECT_THAT(failure.message, HasSubstr(" to api.example:443: Connection refused; check baseUrl"));
}

TEST(CurlFailure, BlamesNeitherTheServiceNorAProxyIfTooManyFilesAreOpen) {
  for (const std::string_view peer : {"api.example", "proxy.example"}) {
    const TransportFailure failure =
        curlFailure({.code = CURLE_COULDNT_CONNECT,
                     .systemError = EMFILE,
                     .service = "api.example:443",
                     .detail = "Failed to connect to " + std::string{peer} + " port 443"});
    EXPECT_THAT(failure.message,
                EndsWith(": Too many open files; raise this program's limit with ulimit -n"));
  }
}

TEST(CurlFailure, NamesNoSystemErrorIfThereIsNone) {
  const TransportFailure failure = curlFailure({.code = CURLE_COULDNT_CONNECT, .service = "api.example:443"});
  EXPECT_THAT(failure.message, HasSubstr(" to api.example:443; check baseUrl"));
}

}  // namespace
}  // namespace tally::detail
