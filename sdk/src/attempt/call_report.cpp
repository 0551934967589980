#include "attempt/call_report.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <string>
#include <utility>
#include <variant>

#include "http/redaction.h"
#include "text/find_header.h"
#include "text/reserve_more.h"
#include "time/saturating.h"
#include "wire.h"

namespace tally::detail {

namespace {

const HttpResponse* responseIn(const TransportResult& result) {
  return std::get_if<HttpResponse>(&result);
}

std::string_view orEmpty(const std::string* text) {
  return text == nullptr ? std::string_view{} : *text;
}

std::string_view requestIdIn(const TransportResult& result) {
  const HttpResponse* response = responseIn(result);
  return orEmpty(response == nullptr ? nullptr : response->header(header::requestId));
}

int statusIn(const TransportResult& result) {
  const HttpResponse* response = responseIn(result);
  return response == nullptr ? 0 : response->status;
}

const Error* pointerTo(const std::optional<Error>& error) {
  return error ? &*error : nullptr;
}

std::uint64_t nextNumber() noexcept {
  static std::atomic<std::uint64_t> calls = 0;
  return calls.fetch_add(1, std::memory_order_relaxed) + 1;
}

Error withAttempts(const Error& error, std::vector<Attempt> attempts) {
  Error::Details details = error.details();
  details.attempts = std::move(attempts);
  return Error{std::move(details)};
}

}  // namespace

/// What an observer receives for calls ended by exceptions.
struct CallReport::Exceptions {
  Error withoutEffect{{.kind = ErrorKind::exception, .message = "an exception ended the call"}};
  Error withUnknownEffect{{.kind = ErrorKind::exception,
                           .effect = Effect::unknown,
                           .message = "an exception ended the call after a request was sent"}};
};

const CallReport::Exceptions& CallReport::exceptions() {
  static const Exceptions all;
  return all;
}

CallReport::CallReport(const Description& call, Observer* observer, Instant now)
    : call_(call), observer_(observer), began_(now), since_(now), exceptions_(exceptions()) {}

/// The effect to report if an exception ends the call after an attempt with that outcome (null: success). A
/// GET has none.
Effect CallReport::effectOf(const std::optional<Error>& error) const noexcept {
  if (call_.request.method == Method::get) return Effect::none;
  return error ? error->effect() : Effect::unknown;
}

void CallReport::turnCame(Instant now) {
  tell(EventKind::dequeued, now, {.duration = saturatingSince(since_, now)});
}

void CallReport::pacing(Instant now) {
  since_ = now;
  tell(EventKind::throttled, now);
}

void CallReport::paced(Instant now) {
  tell(EventKind::unthrottled, now, {.duration = saturatingSince(since_, now)});
}

void CallReport::sending(Instant now) {
  ++attempt_;
  since_ = now;
  inFlight_ = true;
  effect_ = effectOf(std::nullopt);
  tell(EventKind::attemptStarted, now);
}

void CallReport::arrived(const TransportResult& result) {
  requestId_.clear();
  if (observer_ == nullptr && call_.options.attempts == nullptr) return;
  requestId_ = withoutKey(std::string{requestIdIn(result)}, call_.request);
}

void CallReport::responded(Instant now, const TransportResult& result, const std::optional<Error>& error) {
  effect_ = effectOf(error);
  if (!error && observer_ == nullptr && call_.options.attempts == nullptr) return;
  const Event event{.duration = saturatingSince(since_, now),
                    .status = statusIn(result),
                    .error = pointerTo(error),
                    .requestId = error ? error->requestId() : requestId_};
  const bool unsent = error && wasRefusedUnsent(*error);
  if (!unsent && (error || call_.options.attempts != nullptr)) keep(event);
  inFlight_ = false;
  tell(EventKind::attemptEnded, now, event);
  if (unsent) --attempt_;
}

void CallReport::keep(const Event& result) {
  attempts_.push_back({.sent = since_,
                       .duration = result.duration,
                       .status = result.status,
                       .requestId = std::string{result.requestId},
                       .failure = result.error == nullptr ? "" : result.error->message()});
}

void CallReport::waiting(Instant now, Instant until) {
  since_ = now;
  tell(EventKind::backoffStarted, now, {.duration = saturatingSince(now, until)});
}

void CallReport::retrying(Instant now) {
  tell(EventKind::backoffEnded, now, {.duration = saturatingSince(since_, now)});
}

/// Reports the end last, after everything that may throw.
std::optional<Error> CallReport::ended(Instant now, const std::optional<Error>& error) {
  std::vector<Attempt>* const wanted = call_.options.attempts;
  if (wanted != nullptr) reserveMore(*wanted, attempts_.size());
  std::optional<Error> result;
  if (error) result = withAttempts(*error, wanted == nullptr ? std::move(attempts_) : attempts_);
  if (wanted != nullptr) std::ranges::move(attempts_, std::back_inserter(*wanted));
  tell(EventKind::callEnded, now, {.duration = saturatingSince(began_, now), .error = pointerTo(error)});
  return result;
}

Error CallReport::detached(Instant now, const Error& error) {
  keep({.duration = saturatingSince(since_, now), .error = &error});
  if (std::vector<Attempt>* const wanted = call_.options.attempts)
    wanted->insert(wanted->end(), attempts_.begin(), attempts_.end());
  return withAttempts(error, attempts_);
}

const Error& CallReport::abandoned(Instant now) noexcept {
  const Error& error = effect_ == Effect::none ? exceptions_.withoutEffect : exceptions_.withUnknownEffect;
  aborted(now, error);
  return error;
}

void CallReport::aborted(Instant now, const Error& error) noexcept {
  if (inFlight_)
    tell(EventKind::attemptEnded, now, {.duration = saturatingSince(since_, now), .error = &error});
  tell(EventKind::callEnded, now, {.duration = saturatingSince(began_, now), .error = &error});
}

Event CallReport::upcoming(Instant now) {
  Event event;
  fill(event, EventKind::attemptStarted, now);
  ++event.attempt;
  return event;
}

void CallReport::fill(Event& event, EventKind kind, Instant now) {
  if (number_ == 0) number_ = nextNumber();
  event.kind = kind;
  event.time = now;
  event.operation = call_.operation;
  event.object = call_.object;
  event.attempt = attempt_;
  event.traceparent = orEmpty(findHeader(call_.request.headers, "traceparent"));
  event.tracestate = orEmpty(findHeader(call_.request.headers, "tracestate"));
  event.call = number_;
  event.method = call_.request.method;
  event.url = call_.request.url;
}

void CallReport::tell(EventKind kind, Instant now, Event event) {
  if (observer_ == nullptr) return;
  fill(event, kind, now);
  observer_->on(event);
}

}  // namespace tally::detail
