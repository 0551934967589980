#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <rapidcheck.h>

#include "har/exchange.h"

namespace tally::detail {

inline rc::Gen<std::string> anyToken() {
  return rc::gen::nonEmpty(
      rc::gen::container<std::string>(rc::gen::elementOf(std::string{"aZ09-_/?=%&[]\"\\"})));
}

inline std::vector<Header> anyHeaders() {
  std::vector<Header> headers;
  const int count = *rc::gen::inRange(0, 3);
  for (int i = 0; i < count; ++i)
    headers.push_back({*anyToken(), *rc::gen::arbitrary<std::string>()});
  return headers;
}

/// Bytes of any kind, brackets and quotes among them.
inline std::string anyBody() {
  return *rc::gen::oneOf(rc::gen::arbitrary<std::string>(), anyToken(),
                         rc::gen::just(std::string{R"({"id":"pr_1","text":"a\"}],\u00fc"})"}));
}

inline Exchange anyExchange() {
  Exchange exchange{
      .startedAt = Instant{std::chrono::nanoseconds{
          *rc::gen::inRange<std::int64_t>(-1'000'000'000'000'000'000, 4'000'000'000'000'000'000)}},
      .duration = std::chrono::nanoseconds{*rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000'000)},
      .method = *anyToken(),
      .url = *anyToken(),
      .requestHeaders = anyHeaders(),
      .requestBody = anyBody(),
      .status = *rc::gen::inRange(0, 1'000),
      .responseHeaders = anyHeaders(),
      .responseBody = anyBody()};
  if (*rc::gen::arbitrary<bool>()) exchange.failure = *anyToken();
  if (*rc::gen::arbitrary<bool>()) exchange.fault = *anyToken();
  if (*rc::gen::arbitrary<bool>())
    exchange.upstream =
        HttpResponse{.status = *rc::gen::inRange(0, 1'000), .headers = anyHeaders(), .body = anyBody()};
  return exchange;
}

}  // namespace tally::detail
