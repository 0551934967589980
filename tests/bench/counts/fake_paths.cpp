#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <tally/fake/service.h>
#include <tally/tally.h>

#include "bench/counts/canned.h"
#include "bench/counts/paths.h"

namespace tally::bench {

namespace {

constexpr std::size_t records = 100;

/// Requests to a service, one for each of its records, with all limits on. They are sent in turn, and time
/// passes as for a client.
class Requests {
 public:
  Requests(Method method, const std::string& action, const std::string& body) {
    const std::string key = service_.addAccount().liveKey;
    for (std::size_t n = 0; n < records; ++n)
      requests_.push_back({.method = method,
                           .url = "https://service.test/v1/payment_records/" +
                                  service_.insert<PaymentRecord>(key).id.str() + action,
                           .headers = {{"Authorization", "Bearer " + key},
                                       {"User-Agent", "tally"},
                                       {"Content-Type", "application/x-www-form-urlencoded"}},
                           .body = body});
  }

  void send(std::size_t count) {
    for (std::size_t n = 0; n < count; ++n) {
      const auto result = transport_->send(requests_[next_], {.deadline = Instant::max()});
      const auto* response = std::get_if<HttpResponse>(&result);
      check(response != nullptr && response->status == 200, "a request failed");
      next_ = (next_ + 1) % records;
    }
  }

 private:
  fake::Service service_{};
  std::shared_ptr<Transport> transport_ = service_.transport();
  std::vector<HttpRequest> requests_{};
  std::size_t next_ = 0;
};

Perform sending(const std::shared_ptr<Requests>& requests) {
  return [requests](std::size_t count) { requests->send(count); };
}

}  // namespace

Perform fakeRetrieve() {
  return sending(std::make_shared<Requests>(Method::get, "", ""));
}

Perform fakeReport() {
  return sending(std::make_shared<Requests>(Method::post, "/report_payment_attempt_failed",
                                            "failed_at=1767225600&metadata[order]=100003"));
}

}  // namespace tally::bench
