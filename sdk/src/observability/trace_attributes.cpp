#include "observability/trace_attributes.h"

#include <algorithm>
#include <charconv>

#include "text/url.h"

namespace tally::detail {

namespace {

constexpr int firstErrorStatus = 400;

struct Server {
  std::string_view address{};
  std::int64_t port = 0;
};

std::int64_t portIn(std::string_view text, std::int64_t otherwise) {
  std::int64_t port = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), port);
  return problem == std::errc{} ? port : otherwise;
}

/// The host of an absolute URL, an IPv6 address without brackets, and its port.
Server serverOf(std::string_view url) {
  const bool isPlain = url.starts_with("http://");
  const std::size_t scheme = std::min(url.find("://"), url.size());
  std::string_view host = url.substr(0, endOfAuthority(url));
  host.remove_prefix(std::min(scheme + 3, host.size()));
  host.remove_prefix(host.rfind('@') + 1);  // npos + 1 is 0
  const std::size_t bracket = host.starts_with('[') ? std::min(host.find(']'), host.size()) : 0;
  const std::size_t colon = std::min(host.find(':', bracket), host.size());
  const std::string_view port = host.substr(std::min(colon + 1, host.size()));
  host = bracket == 0 ? host.substr(0, colon) : host.substr(1, bracket - 1);
  return {host, portIn(port, isPlain ? 80 : 443)};
}

/// As a word: `could_not_connect`.
std::string wordOf(std::string_view text) {
  std::string word{text};
  std::ranges::replace(word, ' ', '_');
  return word;
}

std::string typeOf(const Error& error) {
  return wordOf(error.failure() ? toString(*error.failure()) : toString(error.kind()));
}

}  // namespace

bool isError(const Event& attempt) noexcept {
  return attempt.error != nullptr || attempt.status >= firstErrorStatus;
}

void TraceAttributes::addRequest(const Event& attempt) {
  const Server server = serverOf(attempt.url);
  add("http.request.method", toString(attempt.method));
  add("server.address", server.address);
  add("server.port", server.port);
}

void TraceAttributes::addUrl(const Event& attempt) {
  url_ = withoutCredentials(attempt.url.substr(0, attempt.url.find('?')));
  add("url.full", url_);
  if (attempt.attempt > 1) add("http.request.resend_count", attempt.attempt - 1);
}

void TraceAttributes::addOutcome(const Event& attempt) {
  if (attempt.status != 0) add("http.response.status_code", attempt.status);
  if (!isError(attempt)) return;
  error_ = attempt.status >= firstErrorStatus ? std::to_string(attempt.status) : typeOf(*attempt.error);
  add("error.type", error_);
}

void TraceAttributes::addRequestId(const Event& attempt) {
  if (!attempt.requestId.empty()) add("tally.request_id", attempt.requestId);
}

void TraceAttributes::addObject(const Event& event) {
  if (!event.object.empty()) add("tally.object", event.object);
}

void TraceAttributes::addEnd(const Event& call) {
  add("tally.attempts", call.attempt);
  if (call.error == nullptr) return;
  error_ = wordOf(toString(call.error->kind()));
  add("error.type", error_);
  add("tally.effect", toString(call.error->effect()));
}

void TraceAttributes::add(std::string_view name, std::string_view value) {
  attributes_.at(size_++) = {name, value};
}

void TraceAttributes::add(std::string_view name, std::int64_t value) {
  attributes_.at(size_++) = {name, value};
}

}  // namespace tally::detail
