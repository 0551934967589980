#include "conformance/support/service.h"

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>

#include <tally/curl_transport.h>
#include <tally/fake/http_server.h>

#include "conformance/support/exchanges.h"
#include "conformance/support/over.h"

namespace tally::conformance {

namespace {

/// Of real time; only a hang takes that long.
constexpr std::chrono::minutes longest{2};

/// The URL without scheme and host.
std::string_view targetOf(std::string_view url) {
  const std::size_t scheme = url.find("://");
  return scheme == std::string_view::npos ? url : url.substr(url.find('/', scheme + 3));
}

/// libcurl uses the real clock, so it does not notice when virtual time passes the deadline of an attempt.
class OnVirtualTime final : public Transport {
 public:
  OnVirtualTime(std::shared_ptr<Transport> inner, std::shared_ptr<const Clock> clock)
      : inner_(std::move(inner)), clock_(std::move(clock)) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    auto result = inner_->send(request, limits);
    if (clock_->now() <= limits.deadline) return result;
    return TransportFailure{TransportFailure::Kind::timeout, true, "no response in time"};
  }

  [[nodiscard]] bool inProcess() const noexcept override { return inner_->inProcess(); }

 private:
  std::shared_ptr<Transport> inner_;
  std::shared_ptr<const Clock> clock_;
};

fake::HttpServerOptions serverOptions(bool responsesTakeTime) {
  constexpr std::size_t enough = std::size_t{4} * 1'024 * 1'024;  // for the largest input of the suite
  return {.bodyLimit = enough, .responsesTakeTime = responsesTakeTime, .latencyTakesRealTime = false};
}

}  // namespace

struct Service::Wire {
  explicit Wire(fake::Service& service)
      : inNoTime(service, serverOptions(false)), inTime(service, serverOptions(true)) {}

  fake::HttpServer inNoTime;
  fake::HttpServer inTime;
  std::shared_ptr<Clock> clock = systemClock();
  std::shared_ptr<Transport> transport = curlTransport(clock, curlOptions());
};

bool overAWire() {
  return over() != Over::nothing;
}

bool throughAFront() {
  return over() == Over::tls;
}

Service::Service(const fake::ServiceOptions& options)
    : fake::Service(options), wire_(overAWire() ? std::make_unique<Wire>(*this) : nullptr) {}

Service::~Service() = default;

HttpResponse Service::handle(const HttpRequest& request) {
  const bool faulty = recording() && !faults().pending().empty();
  HttpResponse response = respond(request);
  record(request, response, faulty);
  return response;
}

HttpResponse Service::respond(const HttpRequest& request) {
  if (!wire_) return fake::Service::handle(request);
  HttpRequest sent = request;
  sent.url = baseUrlOf(wire_->inNoTime.port()).append(targetOf(request.url));
  auto result = wire_->transport->send(sent, {.deadline = wire_->clock->now() + longest, .stop = {}});
  auto* response = std::get_if<HttpResponse>(&result);
  return response == nullptr ? HttpResponse{} : std::move(*response);
}

ClientOptions Service::clientOptions(std::string_view key) {
  ClientOptions options = fake::Service::clientOptions(key);
  if (wire_) {
    options.baseUrl = baseUrlOf(wire_->inTime.port());
    options.transport = std::make_shared<OnVirtualTime>(curlTransport(clock(), curlOptions()), clock());
  }
  options.transport = recorded(std::move(options.transport), *this);
  return options;
}

}  // namespace tally::conformance
