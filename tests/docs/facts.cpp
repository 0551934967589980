// Prints what tables of the pages show about the program, for tables.py: for each kind of error, how it
// prints and whether the call can be made again, then all metrics with all values of their labels.

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <tally/metrics_observer.h>

namespace tally::docs {

namespace {

std::vector<ErrorKind> errorKinds() {
  std::vector<ErrorKind> kinds;
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::exception); ++kind)
    kinds.push_back(static_cast<ErrorKind>(kind));
  return kinds;
}

Error errorOf(ErrorKind kind, Effect effect = Effect::none, std::string_view reason = {}) {
  Error::Details details{.kind = kind, .effect = effect};
  if (!reason.empty()) details.rateLimitedReason = OpenEnum<RateLimitedReason>{std::string{reason}};
  return Error{details};
}

std::string_view whenToRepeat(const Error& error) {
  if (error.isRetryable()) return "later";
  return error.isPermanent() ? "never" : "neither";
}

void send(MetricsObserver& metrics, EventKind kind, const Error* error = nullptr, int status = 0) {
  metrics.on({.kind = kind, .operation = "operation", .status = status, .error = error});
}

std::string allMetrics() {
  MetricsObserver metrics;
  for (const EventKind kind : {EventKind::attemptStarted, EventKind::dequeued, EventKind::unthrottled,
                               EventKind::backoffEnded, EventKind::attemptEnded, EventKind::callEnded})
    send(metrics, kind);
  for (const ErrorKind kind : errorKinds())
    for (const Effect effect : {Effect::none, Effect::unknown}) {
      const Error error = errorOf(kind, effect);
      send(metrics, EventKind::attemptEnded, &error);
      send(metrics, EventKind::callEnded, &error);
    }
  for (const int status : {200, 400, 401, 403, 404, 409, 500, 503})
    send(metrics, EventKind::attemptEnded, nullptr, status);
  for (const std::string_view reason : EnumTexts<RateLimitedReason>::values) {
    const Error error = errorOf(ErrorKind::rateLimited, Effect::none, reason);
    send(metrics, EventKind::attemptEnded, &error, 429);
  }
  return metrics.prometheusText();
}

}  // namespace

}  // namespace tally::docs

int main() {
  using namespace tally::docs;
  for (const tally::ErrorKind kind : errorKinds())
    std::cout << "error " << whenToRepeat(errorOf(kind)) << ' ' << toString(kind) << '\n';
  std::cout << allMetrics();
}
