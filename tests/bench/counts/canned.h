#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>

#include <tally/client.h>

#include "bench/counts/counting.h"

namespace tally::bench {

inline void check(bool right, const char* what) {
  if (!right) throw std::runtime_error{what};
}

/// A clock that only waits move.
class StandingClock final : public Clock {
 public:
  [[nodiscard]] Instant now() const override { return now_; }
  bool sleepUntil(Instant time, StopToken /*stop*/) override {
    now_ = std::max(now_, time);
    return true;
  }
  bool waitUntil(Instant time, StopToken /*stop*/) override { return time <= now_; }

 private:
  Instant now_{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
};

using Respond = std::function<HttpResponse(const HttpRequest&)>;

/// Responds in this process. Its work is not counted.
class CannedTransport final : public Transport {
 public:
  explicit CannedTransport(Respond respond) : respond_(std::move(respond)) {}

  TransportResult send(const HttpRequest& request, const SendLimits& /*limits*/) override {
    const Uncounted uncounted;
    return respond_(request);
  }
  [[nodiscard]] bool inProcess() const noexcept override { return true; }

 private:
  Respond respond_;
};

/// A response of the service with this body.
[[nodiscard]] HttpResponse responseOf(int status, std::string body);

/// The record that the path of the request names.
[[nodiscard]] HttpResponse namedRecord(const HttpRequest& request);

/// Options for a client that gets these responses.
[[nodiscard]] ClientOptions cannedOptions(Respond respond);

}  // namespace tally::bench
