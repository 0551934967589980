#include "observed/har_recording.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "har/recorded_target.h"
#include "request/request_head.h"
#include "time/saturating.h"

namespace tally::fake::detail {

namespace {

/// Faults that leave the response as it is.
constexpr std::array<std::string_view, 4> harmless{"", "latency", "headers", "slow_body"};

/// Empty if the fault hides the response of the service.
std::optional<HttpResponse> responseIn(tally::detail::Exchange& exchange) {
  if (exchange.upstream) return std::move(exchange.upstream);
  const bool replaced = std::ranges::find(harmless, exchange.fault) == harmless.end();
  if (exchange.status == 0 || !exchange.failure.empty() || replaced) return std::nullopt;
  return HttpResponse{.status = exchange.status,
                      .headers = std::move(exchange.responseHeaders),
                      .body = std::move(exchange.responseBody)};
}

Instant inRange(Instant time) {
  return std::clamp(time, Instant{-farthestTime}, Instant{farthestTime});
}

Recorded recordedOf(tally::detail::Exchange exchange, std::uint64_t number) {
  Recorded recorded{.number = number,
                    .start = inRange(exchange.startedAt),
                    .end = inRange(tally::detail::saturatingAdd(exchange.startedAt, exchange.duration)),
                    .response = responseIn(exchange)};
  recorded.request = {.method = exchange.method == "POST" ? Method::post : Method::get,
                      .url = std::string{tally::detail::recordedTarget(exchange.url)},
                      .headers = std::move(exchange.requestHeaders),
                      .body = std::move(exchange.requestBody)};
  recorded.hadPrefix = targetOf(exchange.url).path.size() > targetOf(recorded.request.url).path.size();
  if (exchange.method != "GET" && exchange.method != "POST")
    recorded.otherMethod = std::move(exchange.method);
  return recorded;
}

}  // namespace

HarRecording::HarRecording(const std::string& file) : in_(file, std::ios::binary) {
  if (!in_) throw std::runtime_error{"can't read '" + file + "': " + std::generic_category().message(errno)};
  if (in_.tellg() < 0)
    throw std::runtime_error{"can't read '" + file + "' twice: it is a pipe; save the recording in a file"};
  reader_.emplace(in_);
}

std::optional<Recorded> HarRecording::next() {
  auto exchange = reader_->next();
  if (!exchange) return std::nullopt;
  return recordedOf(*std::move(exchange), reader_->count());
}

void HarRecording::rewind() {
  in_.clear();
  in_.seekg(0);
  reader_.emplace(in_);
}

}  // namespace tally::fake::detail
