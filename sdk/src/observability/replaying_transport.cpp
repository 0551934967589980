#include <exception>
#include <ostream>
#include <utility>
#include <variant>

#include <tally/recording.h>

#include "har/recording_index.h"
#include "print/value_line.h"

namespace [[gnu::visibility("default")]] tally {

namespace {

using FailureKind = TransportFailure::Kind;

/// The failure that recordingTransport() has recorded. Others are a broken connection.
TransportFailure failureOf(const std::string& recorded) {
  for (const FailureKind kind :
       {FailureKind::forbidden, FailureKind::couldNotResolve, FailureKind::couldNotConnect, FailureKind::tls,
        FailureKind::connection, FailureKind::truncated, FailureKind::malformed, FailureKind::tooLarge,
        FailureKind::timeout, FailureKind::canceled}) {
    const std::string prefix = std::string{toString(kind)} + ": ";
    if (!recorded.starts_with(prefix)) continue;
    const bool sent = kind != FailureKind::forbidden && kind != FailureKind::couldNotResolve &&
                      kind != FailureKind::couldNotConnect && kind != FailureKind::tls;
    return {.kind = kind, .mayHaveBeenSent = sent, .message = recorded.substr(prefix.size())};
  }
  return {.kind = FailureKind::connection, .message = recorded};
}

class ReplayingTransport final : public Transport {
 public:
  ReplayingTransport(const std::string& file, detail::ReplayOrder order) : recording_(file, order) {}

  TransportResult send(const HttpRequest& request, const SendLimits& /*limits*/) override {
    try {
      auto found = recording_.next({.method = std::string{toString(request.method)},
                                    .url = request.url,
                                    .requestHeaders = request.headers,
                                    .requestBody = request.body});
      if (auto* exchange = std::get_if<detail::Exchange>(&found)) return resultOf(std::move(*exchange));
      return notSent(std::get<detail::NotRecorded>(found).message);
    } catch (const std::exception& problem) {
      return notSent(problem.what());
    }
  }

  [[nodiscard]] bool inProcess() const noexcept override { return true; }

 private:
  static TransportFailure notSent(std::string why) {
    return {.kind = FailureKind::forbidden, .mayHaveBeenSent = false, .message = std::move(why)};
  }
  static TransportResult resultOf(detail::Exchange&& exchange) {
    if (exchange.status == 0) return failureOf(exchange.failure);
    return HttpResponse{.status = exchange.status,
                        .headers = std::move(exchange.responseHeaders),
                        .body = std::move(exchange.responseBody)};
  }

  detail::RecordingIndex recording_;
};

}  // namespace

std::shared_ptr<Transport> replayingTransport(const std::string& file, ReplayingOptions options) {
  using detail::ReplayOrder;
  return std::make_shared<ReplayingTransport>(file, options.strict ? ReplayOrder::strict : ReplayOrder::any);
}

std::ostream& operator<<(std::ostream& out, const ReplayingOptions& value) {
  return out << detail::ValueLine{"ReplayingOptions"}.add("strict", value.strict);
}

}  // namespace tally
