#include "bench/counts/canned.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "bench/support/records.h"

namespace tally::bench {

HttpResponse responseOf(int status, std::string body) {
  return {.status = status,
          .headers = {{"Date", "Thu, 01 Jan 2026 00:00:00 GMT"},
                      {"Content-Type", "application/json"},
                      {"Content-Length", std::to_string(body.size())},
                      {"Request-Id", "req_0123456789abcdef01234567"}},
          .body = std::move(body)};
}

HttpResponse namedRecord(const HttpRequest& request) {
  constexpr std::string_view before = "/payment_records/pr_";
  const auto at = request.url.find(before);
  check(at != std::string::npos, "no record in the path");
  return responseOf(200, recordJson(std::stoul(request.url.substr(at + before.size()))));
}

ClientOptions cannedOptions(Respond respond) {
  return {.apiKey = "sk_test_0123456789abcdef01234567",
          .baseUrl = "https://service.test",
          .maxNetworkRetries = 2,
          .transport = std::make_shared<CannedTransport>(std::move(respond)),
          .clock = std::make_shared<StandingClock>(),
          .jitterSeed = 7};
}

}  // namespace tally::bench
