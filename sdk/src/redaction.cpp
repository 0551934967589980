#include "redaction.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "header_in.h"

namespace tally::detail {

namespace {

constexpr std::string_view placeholder = "[key]";

void redact(std::string& text, std::string_view key) {
  for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + placeholder.size()))
    text.replace(at, key.size(), placeholder);
}

}  // namespace

std::string_view keyOf(const HttpRequest& request) {
  const std::string* value = headerIn(request.headers, "Authorization");
  return value == nullptr ? std::string_view{} : std::string_view{*value}.substr(value->find(' ') + 1);
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
  return Error{std::move(details)};
}

std::string withoutKey(std::string text, const HttpRequest& request) {
  if (const std::string_view key = keyOf(request); !key.empty()) redact(text, key);
  return text;
}

}  // namespace tally::detail
