#include "http/redaction.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "text/ascii.h"
#include "text/find_header.h"

namespace tally::detail {

namespace {

constexpr std::string_view placeholder = "[key]";

/// Linear in the size of `text`, however many keys it has.
void redact(std::string& text, std::string_view key) {
  std::size_t at = text.find(key);
  if (at == std::string::npos) return;
  std::string redacted;
  std::size_t begin = 0;
  for (; at != std::string::npos; at = text.find(key, begin)) {
    redacted.append(text, begin, at - begin) += placeholder;
    begin = at + key.size();
  }
  text = redacted.append(text, begin);
}

/// Replaces the beginning of a key at the end of a text, which may have been cut off inside the key.
void redactEnd(std::string& text, std::string_view key) {
  for (std::size_t size = std::min(key.size(), text.size()); size > 0; --size)
    if (text.ends_with(key.substr(0, size))) {
      text.replace(text.size() - size, size, placeholder);
      return;
    }
}

/// Some writers of JSON escape slashes. The last backslash may have been cut off from its slash.
void unescapeSlashes(std::string& json) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < json.size(); ++i)
    if (json[i] != '\\' || (i + 1 < json.size() && json[i + 1] != '/')) json[size++] = json[i];
  json.resize(size);
}

std::shared_ptr<const HttpResponse> redacted(const HttpResponse& response, std::string_view key) {
  auto copy = std::make_shared<HttpResponse>(response);
  for (Header& header : copy->headers) {
    redact(header.name, key);
    redact(header.value, key);
  }
  if (key.find('/') != std::string_view::npos) unescapeSlashes(copy->body);
  redact(copy->body, key);
  if (response.body.size() == mostOfKeptBody) redactEnd(copy->body, key);
  return copy;
}

}  // namespace

std::string_view keyOf(const HttpRequest& request) {
  const std::string* value = findHeader(request.headers, "Authorization");
  if (value == nullptr) return {};
  const std::string_view credentials = trimmed(*value);
  return trimmed(credentials.substr(credentials.find(' ') + 1));
}

Error withoutKey(const Error& error, const HttpRequest& request) {
  const std::string_view key = keyOf(request);
  if (key.empty()) return error;
  Error::Details details = error.details();
  for (std::string* text :
       {&details.type, &details.code, &details.message, &details.param, &details.requestId})
    redact(*text, key);
  if (details.rateLimitedReason) {
    std::string reason{details.rateLimitedReason->str()};
    redact(reason, key);
    details.rateLimitedReason = OpenEnum<RateLimitedReason>{std::move(reason)};
  }
  if (details.response) details.response = redacted(*details.response, key);
  return Error{std::move(details)};
}

std::string withoutKey(std::string text, const HttpRequest& request) {
  if (const std::string_view key = keyOf(request); !key.empty()) redact(text, key);
  return text;
}

}  // namespace tally::detail
