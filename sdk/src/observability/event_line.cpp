#include "observability/event_line.h"

#include <ostream>

#include "text/readable.h"
#include "time/seconds_text.h"

namespace tally::detail {

namespace {

std::string& appendName(std::string& line, std::string_view name) {
  return line.append(" ").append(name).append("=");
}

void appendText(std::string& line, std::string_view name, std::string_view value) {
  if (!value.empty()) appendWord(appendName(line, name), value);
}

void appendNumber(std::string& line, std::string_view name, int value) {
  if (value != 0) appendDecimal(appendName(line, name), value);
}

void appendDuration(std::string& line, std::chrono::nanoseconds value) {
  if (value == value.zero()) return;
  appendSeconds(appendName(line, "duration"), value);
  line += 's';
}

/// The error of a `call_ended` event has the status and request ID of the last response.
int statusOf(const Event& event) {
  return event.status == 0 && event.error != nullptr ? event.error->status() : event.status;
}

std::string_view requestIdOf(const Event& event) {
  return event.requestId.empty() && event.error != nullptr ? event.error->requestId() : event.requestId;
}

void appendError(std::string& line, const Error& error) {
  appendText(line, "error", toString(error.kind()));
  if (error.failure()) appendText(line, "failure", toString(*error.failure()));
  appendText(line, "effect", toString(error.effect()));
  appendText(line, "code", error.code());
  if (error.rateLimitedReason()) appendText(line, "reason", error.rateLimitedReason()->str());
}

}  // namespace

std::string lineOf(const Event& event) {
  std::string line = "time=" + toString(event.time);
  appendText(line, "event", toString(event.kind));
  appendText(line, "operation", event.operation);
  appendText(line, "object", event.object);
  appendNumber(line, "attempt", event.attempt);
  appendDuration(line, event.duration);
  appendNumber(line, "status", statusOf(event));
  if (event.error != nullptr) appendError(line, *event.error);
  appendText(line, "request", requestIdOf(event));
  appendText(line, "traceparent", event.traceparent);
  return line;
}

void appendMessages(std::string& line, const Error& error) {
  appendText(line, "param", error.param());
  appendText(line, "message", error.message());
}

}  // namespace tally::detail

namespace [[gnu::visibility("default")]] tally {

std::ostream& operator<<(std::ostream& out, const Event& event) {
  return out << detail::lineOf(event);
}

}  // namespace tally
