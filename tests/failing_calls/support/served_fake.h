#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <tally/client.h>
#include <tally/fake/http_server.h>
#include <tally/fake/service.h>
#include <tally/payment_records.h>
#include <tally/result.h>

#include "failing_calls/support/trial.h"

namespace tally::test {

/// How a report ended, as its caller knows it.
struct ToldReport {
  std::string id{};
  std::optional<Effect> effect{};  // of an error
  bool isApplied = false;
};

[[nodiscard]] ToldReport toldOf(const std::string& id, const Result<PaymentRecord>& result);

/// A fake with an account and a virtual clock, without limits.
class Fake {
 public:
  [[nodiscard]] fake::Service& service() noexcept { return service_; }
  [[nodiscard]] const std::string& key() const noexcept { return key_; }
  [[nodiscard]] std::string newRecord() { return service_.insert<PaymentRecord>(key_).id.str(); }
  [[nodiscard]] std::vector<std::string> newRecords(std::size_t count);

  /// How many requests have applied a report to the object.
  [[nodiscard]] std::size_t timesApplied(const std::string& id) const;
  /// Checks that the outcomes that callers received are true. No request may be in progress.
  void check(Trial& trial, const std::vector<ToldReport>& reports) const;

  /// Options of a client in this process.
  [[nodiscard]] ClientOptions options() { return service_.clientOptions(key_); }

 private:
  fake::Service service_{{.limits = false, .requestLog = 1'000}};
  std::string key_ = service_.addAccount().sandboxKey;
};

/// The same behind an HTTP server, whose threads are on Side::server.
class ServedFake : public Fake {
 public:
  ServedFake();
  /// Afterwards, no request is in progress.
  void stop() { server_.reset(); }

  /// Options of a client over a connection. While calls fail, an attempt may take a second and a half.
  [[nodiscard]] ClientOptions options(const Trial& trial) const;

 private:
  std::optional<fake::HttpServer> server_{};
};

/// Checks that a report of this client takes effect now that no call fails any more.
void checkNextCall(Trial& trial, const Client& client, Fake& fake);

inline constexpr Timestamp failureTime{std::chrono::seconds{1'767'225'600}};

}  // namespace tally::test
