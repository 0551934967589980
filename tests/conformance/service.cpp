#include "service.h"

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>

#include <tally/curl_transport.h>
#include <tally/fake/http_server.h>

#include "over.h"

namespace tally::conformance {

namespace {

/// Of the machine's own time; only what hangs takes so long.
constexpr std::chrono::minutes longest{2};

/// The URL without its scheme and host.
std::string_view targetOf(std::string_view url) {
  const std::size_t scheme = url.find("://");
  return scheme == std::string_view::npos ? url : url.substr(url.find('/', scheme + 3));
}

/// libcurl has the machine's own clock, and does not see time leap past the end of an attempt.
class OnVirtualTime final : public Transport {
 public:
  OnVirtualTime(std::shared_ptr<Transport> inner, std::shared_ptr<const Clock> clock)
      : inner_(std::move(inner)), clock_(std::move(clock)) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    auto answer = inner_->send(request, limits);
    if (clock_->now() <= limits.until) return answer;
    return TransportFailure{TransportFailure::Kind::timeout, true, "no response in time"};
  }

  [[nodiscard]] bool inProcess() const noexcept override { return inner_->inProcess(); }

 private:
  std::shared_ptr<Transport> inner_;
  std::shared_ptr<const Clock> clock_;
};

fake::HttpServerOptions serverOptions(bool answersTakeTime) {
  constexpr std::size_t enough = std::size_t{4} * 1'024 * 1'024;  // for the worst input of the suite
  return {.bodyLimit = enough, .answersTakeTime = answersTakeTime};
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
  if (!wire_) return fake::Service::handle(request);
  HttpRequest sent = request;
  sent.url = baseUrlOf(wire_->inNoTime.port()).append(targetOf(request.url));
  auto answer = wire_->transport->send(sent, {.until = wire_->clock->now() + longest, .stop = {}});
  auto* response = std::get_if<HttpResponse>(&answer);
  return response == nullptr ? HttpResponse{} : std::move(*response);
}

ClientOptions Service::clientOptions(std::string_view key) {
  ClientOptions options = fake::Service::clientOptions(key);
  if (!wire_) return options;
  options.baseUrl = baseUrlOf(wire_->inTime.port());
  options.transport = std::make_shared<OnVirtualTime>(curlTransport(clock(), curlOptions()), clock());
  return options;
}

}  // namespace tally::conformance
