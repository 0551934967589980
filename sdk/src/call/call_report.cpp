#include "call/call_report.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <variant>

#include "http/redaction.h"
#include "text/header_in.h"
#include "text/make_room.h"
#include "time/saturating.h"
#include "wire.h"

namespace tally::detail {

namespace {

const HttpResponse* responseIn(const TransportResult& answer) {
  return std::get_if<HttpResponse>(&answer);
}

std::string_view orEmpty(const std::string* text) {
  return text == nullptr ? std::string_view{} : *text;
}

std::string_view requestIdIn(const TransportResult& answer) {
  const HttpResponse* response = responseIn(answer);
  return orEmpty(response == nullptr ? nullptr : response->header(header::requestId));
}

int statusIn(const TransportResult& answer) {
  const HttpResponse* response = responseIn(answer);
  return response == nullptr ? 0 : response->status;
}

const Error* pointerTo(const std::optional<Error>& error) {
  return error ? &*error : nullptr;
}

Error withTrail(const Error& error, std::vector<Attempt> trail) {
  Error::Details details = error.details();
  details.trail = std::move(trail);
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

CallReport::CallReport(const Call& call, Observer* observer, Instant now)
    : call_(call), observer_(observer), began_(now), since_(now), exceptions_(exceptions()) {}

/// The effect to report if an exception ends the call after an attempt with that outcome (null: success). A
/// GET has none.
Effect CallReport::effectOf(const std::optional<Error>& error) const noexcept {
  if (call_.request.method == Method::get) return Effect::none;
  return error ? error->effect() : Effect::unknown;
}

void CallReport::turnCame(Instant now) {
  tell(EventKind::turn, now, {.duration = saturatingSince(since_, now)});
}

void CallReport::pacing(Instant now) {
  since_ = now;
  tell(EventKind::pace, now);
}

void CallReport::paced(Instant now) {
  tell(EventKind::paced, now, {.duration = saturatingSince(since_, now)});
}

void CallReport::sending(Instant now) {
  ++attempt_;
  since_ = now;
  underWay_ = true;
  effect_ = effectOf(std::nullopt);
  tell(EventKind::attempt, now);
}

void CallReport::answered(Instant now, const TransportResult& answer, const std::optional<Error>& error) {
  effect_ = effectOf(error);
  if (!error && observer_ == nullptr && call_.options.trail == nullptr) return;
  const std::string requestId = withoutKey(std::string{requestIdIn(answer)}, call_.request);
  const Event event{.duration = saturatingSince(since_, now),
                    .status = statusIn(answer),
                    .error = pointerTo(error),
                    .requestId = requestId};
  if (error || call_.options.trail != nullptr) keep(event);
  underWay_ = false;
  tell(EventKind::answer, now, event);
}

void CallReport::keep(const Event& answer) {
  trail_.push_back({.sent = since_,
                    .took = answer.duration,
                    .status = answer.status,
                    .requestId = std::string{answer.requestId},
                    .problem = answer.error == nullptr ? "" : answer.error->message()});
}

void CallReport::waiting(Instant now, Instant until) {
  since_ = now;
  tell(EventKind::wait, now, {.duration = saturatingSince(now, until)});
}

void CallReport::retrying(Instant now) {
  tell(EventKind::retry, now, {.duration = saturatingSince(since_, now)});
}

/// Reports the end last, after everything that may throw.
std::optional<Error> CallReport::ended(Instant now, const std::optional<Error>& error) {
  std::vector<Attempt>* const wanted = call_.options.trail;
  if (wanted != nullptr) makeRoom(*wanted, trail_.size());
  std::optional<Error> result;
  if (error) result = withTrail(*error, wanted == nullptr ? std::move(trail_) : trail_);
  if (wanted != nullptr) std::ranges::move(trail_, std::back_inserter(*wanted));
  tell(EventKind::end, now, {.duration = saturatingSince(began_, now), .error = pointerTo(error)});
  return result;
}

void CallReport::abandoned(Instant now) noexcept {
  const Error& error = effect_ == Effect::none ? exceptions_.withoutEffect : exceptions_.withUnknownEffect;
  if (underWay_) tell(EventKind::answer, now, {.duration = saturatingSince(since_, now), .error = &error});
  tell(EventKind::end, now, {.duration = saturatingSince(began_, now), .error = &error});
}

void CallReport::tell(EventKind kind, Instant now, Event event) {
  if (observer_ == nullptr) return;
  event.kind = kind;
  event.time = now;
  event.operation = call_.operation;
  event.object = call_.object;
  event.attempt = attempt_;
  event.traceparent = orEmpty(headerIn(call_.request.headers, "traceparent"));
  event.tracestate = orEmpty(headerIn(call_.request.headers, "tracestate"));
  observer_->on(event);
}

}  // namespace tally::detail
