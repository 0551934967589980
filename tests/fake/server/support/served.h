#pragma once

#include <chrono>
#include <string>
#include <thread>

#include <tally/fake/http_server.h>

#include "fake/server/support/peer.h"
#include "fake/support/requests.h"

namespace tally::test {

/// A service with one account and no limits, on a port.
struct Served {
  explicit Served(const fake::HttpServerOptions& options = {}) : server(one.service, options) {}

  [[nodiscard]] std::string listBytes(std::string_view headers = {}) const {
    return getBytes("/v1/payment_records", one.key, headers);
  }
  [[nodiscard]] std::string reportBytes(const std::string& id) const {
    return postBytes("/v1/payment_records/" + id + "/report_payment_attempt_failed", one.key,
                     "failed_at=1767225600");
  }

  OneAccount one{};
  fake::HttpServer server;
};

/// Waits up to half a minute until another thread makes the condition true. Returns whether it did.
template <class Condition>
bool comesTrue(const Condition& condition) {
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds{30};
  while (!condition() && std::chrono::steady_clock::now() < patience)
    std::this_thread::yield();
  return condition();
}

}  // namespace tally::test
