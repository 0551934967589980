#include "call_report.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <variant>

#include "header_in.h"
#include "redaction.h"
#include "wire.h"

namespace tally::detail {

namespace {

const HttpResponse* responseIn(const Answer& answer) {
  return std::get_if<HttpResponse>(&answer);
}

std::string_view orEmpty(const std::string* text) {
  return text == nullptr ? std::string_view{} : *text;
}

std::string_view requestIdIn(const Answer& answer) {
  const HttpResponse* response = responseIn(answer);
  return orEmpty(response == nullptr ? nullptr : response->header(header::requestId));
}

int statusIn(const Answer& answer) {
  const HttpResponse* response = responseIn(answer);
  return response == nullptr ? 0 : response->status;
}

const Error* pointerTo(const std::optional<Error>& error) {
  return error ? &*error : nullptr;
}

}  // namespace

void CallReport::turnCame(Instant now) {
  tell(EventKind::turn, now, {.duration = now - since_});
}

void CallReport::pacing(Instant now) {
  since_ = now;
  tell(EventKind::pace, now);
}

void CallReport::paced(Instant now) {
  tell(EventKind::paced, now, {.duration = now - since_});
}

void CallReport::sending(Instant now) {
  ++attempt_;
  since_ = now;
  tell(EventKind::attempt, now);
}

void CallReport::answered(Instant now, const Answer& answer, const std::optional<Error>& error) {
  if (!error && observer_ == nullptr && call_.options.trail == nullptr) return;
  const std::string requestId = withoutKey(std::string{requestIdIn(answer)}, call_.request);
  const Event event{.duration = now - since_,
                    .status = statusIn(answer),
                    .error = pointerTo(error),
                    .requestId = requestId};
  if (error || call_.options.trail != nullptr) keep(event);
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
  tell(EventKind::wait, now, {.duration = until - now});
}

void CallReport::retrying(Instant now) {
  tell(EventKind::retry, now, {.duration = now - since_});
}

std::optional<Error> CallReport::ended(Instant now, const std::optional<Error>& error) {
  tell(EventKind::end, now, {.duration = now - began_, .error = pointerTo(error)});
  if (call_.options.trail != nullptr) std::ranges::copy(trail_, std::back_inserter(*call_.options.trail));
  if (!error) return std::nullopt;
  Error::Details details = error->details();
  details.trail = std::move(trail_);
  return Error{std::move(details)};
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
