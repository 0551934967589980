#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <tally/client.h>

namespace tally::test {

/// A clock that skips waits and records them.
class TestClock final : public Clock {
 public:
  [[nodiscard]] Instant now() const override { return now_; }

  bool sleepUntil(Instant time, std::stop_token stop) override {
    if (onSleep) onSleep();
    if (stop.stop_requested()) return false;
    if (time > now_) {
      sleeps.push_back(time - now_);
      now_ = time;
    }
    return true;
  }

  bool waitUntil(Instant time, std::stop_token) override { return time <= now_; }

  void advance(std::chrono::nanoseconds duration) { now_ += duration; }

  std::vector<std::chrono::nanoseconds> sleeps{};
  std::function<void()> onSleep{};

 private:
  Instant now_{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
};

/// A transport that returns prepared responses in order and records the requests.
class CannedTransport final : public Transport {
 public:
  TransportResult send(const HttpRequest& request, const SendLimits& sendLimits) override {
    requests.push_back(request);
    limits.push_back(sendLimits);
    if (onSend) onSend();
    if (responses.empty()) throw std::logic_error{"no response was prepared for " + request.url};
    TransportResult response = std::move(responses.front());
    responses.pop_front();
    return response;
  }

  [[nodiscard]] bool inProcess() const noexcept override { return true; }

  std::deque<TransportResult> responses{};
  std::vector<HttpRequest> requests{};
  std::vector<SendLimits> limits{};
  std::function<void()> onSend{};
};

inline const std::string* find(const std::vector<Header>& headers, std::string_view name) {
  for (const Header& header : headers)
    if (header.name == name) return &header.value;
  return nullptr;
}

inline HttpResponse ok(std::string body) {
  return {.status = 200, .headers = {}, .body = std::move(body)};
}

inline HttpResponse refused(int status, const std::string& code, std::vector<Header> headers = {}) {
  return {.status = status,
          .headers = std::move(headers),
          .body = R"({"error":{"type":"invalid_request_error","code":")" + code + R"(","message":"No."}})"};
}

inline HttpResponse lockTimeout() {
  return refused(429, "lock_timeout");
}

inline TransportFailure notSent() {
  return {TransportFailure::Kind::connection, false, "could not connect"};
}

inline TransportFailure lostResponse() {
  return {TransportFailure::Kind::connection, true, "connection reset"};
}

/// The JSON of a payment record.
inline std::string recordJson(const std::string& id) {
  const auto amount = [](int value) { return R"({"currency":"usd","value":)" + std::to_string(value) + "}"; };
  return R"({"id":")" + id + R"(","object":"payment_record","amount_requested":)" + amount(1000) +
         R"(,"amount_canceled":)" + amount(0) + R"(,"amount_failed":)" + amount(1000) +
         R"(,"amount_guaranteed":)" + amount(0) + R"(,"amount_refunded":)" + amount(0) +
         R"(,"created":1730000000,"customer_details":null,"customer_presence":"on_session","description":"Tea",)"
         R"("latest_payment_attempt_record":"par_1","livemode":false,"metadata":{"order":"42"},)"
         R"("payment_method_details":{"type":"custom","billing_details":null,"payment_method":null,)"
         R"("custom":{"display_name":"Till","type":"custom"}},)"
         R"("processor_details":{"type":"custom","custom":{"payment_reference":"ref_1"}},"shipping_details":null})";
}

inline std::string pageJson(const std::vector<std::string>& ids, bool hasMore, const std::string& more = "") {
  std::string data;
  for (const std::string& id : ids)
    data += (data.empty() ? "" : ",") + recordJson(id);
  return R"({"object":"list","data":[)" + data + R"(],"has_more":)" + (hasMore ? "true" : "false") +
         R"(,"url":"/v1/payment_records")" + more + "}";
}

/// A client on a TestClock and a CannedTransport.
struct Harness {
  explicit Harness(ClientOptions options = {}) : client(complete(std::move(options))) {}

  std::shared_ptr<TestClock> clock = std::make_shared<TestClock>();
  std::shared_ptr<CannedTransport> transport = std::make_shared<CannedTransport>();
  Client client;

  void respond(TransportResult given) { transport->responses.push_back(std::move(given)); }

 private:
  ClientOptions complete(ClientOptions options) const {
    if (options.apiKey.empty() && !options.apiKeyProvider) options.apiKey = "sk_test_1";
    if (options.baseUrl.empty()) options.baseUrl = "https://service.test";
    options.clock = clock;
    options.transport = transport;
    if (!options.jitterSeed) options.jitterSeed = 7;
    return options;
  }
};

}  // namespace tally::test
