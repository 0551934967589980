#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <tally/clock.h>
#include <tally/transport.h>

namespace tally::detail {

/// A recorded request, and what came of it.
struct Exchange {
  Instant startedAt{};
  std::chrono::nanoseconds duration{0};  // until the response was complete, or the failure known
  std::string method{};                  // as in HTTP
  std::string url{};                     // absolute, or without scheme and host
  std::vector<Header> requestHeaders{};
  std::string requestBody{};
  int status = 0;  // 0: no response
  std::vector<Header> responseHeaders{};
  std::string responseBody{};
  std::string failure{};                   // why there was no complete response
  std::string fault{};                     // the fault injected on the way, such as `response_lost`
  std::optional<HttpResponse> upstream{};  // what the service really responded, if a fault replaced it

  bool operator==(const Exchange&) const = default;
};

}  // namespace tally::detail
