#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <tally/fake/service.h>
#include <tally/tally.h>

#include "sdk/support/any_report.h"

namespace tally::test {

/// A transport that can delay reports: the sender times out, and the report reaches the service when the test
/// says so.
class LateTransport final : public Transport {
 public:
  explicit LateTransport(fake::Service& service) : service_(service), inner_(service.transport()) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    if (beforeSend) beforeSend();
    if (request.method != Method::post) return inner_->send(request, limits);
    HttpRequest report = request;
    report.headers.push_back({std::string{numberHeader}, std::to_string(reports++)});
    if (holdBack == 0) return inner_->send(report, limits);
    --holdBack;
    late.push_back(std::move(report));
    return TransportFailure{TransportFailure::Kind::timeout, true, "no response in time"};
  }

  /// Delivers the first late report to the service.
  void arrive() {
    (void)service_.handle(late.front());
    late.pop_front();
  }

  /// The header with the number of a report, from 0.
  static constexpr std::string_view numberHeader = "Test-Number";

  int holdBack = 0;  // the number of next reports to delay
  std::deque<HttpRequest> late{};
  std::size_t reports = 0;  // handed over so far
  std::function<void()> beforeSend{};

 private:
  fake::Service& service_;
  std::shared_ptr<Transport> inner_;
};

/// The payment records of a client whose reports can be delayed.
inline PaymentRecords recordsOver(const std::shared_ptr<LateTransport>& transport, fake::Service& service,
                                  const std::string& key) {
  ClientOptions options = service.clientOptions(key);
  options.transport = transport;
  return Client{options}.paymentRecords();
}

}  // namespace tally::test
