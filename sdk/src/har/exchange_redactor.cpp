#include "har/exchange_redactor.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "json/raw_json_reader.h"
#include "redact/part_redactor.h"
#include "redact/redacted_json.h"
#include "text/ascii.h"
#include "text/base64.h"
#include "text/find_header.h"

namespace tally::detail {

namespace {

/// A shorter text, such as a security code, would be found by chance in amounts and times.
constexpr std::size_t shortestSecret = 8;

/// `Authorization`, whose credentials are recorded under a name.
struct Credentials {
  std::string_view scheme{};  // with the space after it
  std::string_view text{};
};

Credentials credentialsOf(std::string_view value) {
  const std::size_t begin = std::min(value.find_first_not_of(' ', value.find(' ')), value.size());
  return {.scheme = value.substr(0, begin), .text = trimmed(value.substr(begin))};
}

bool hasScheme(const Credentials& credentials, std::string_view name) {
  return equalIgnoringCase(credentials.scheme.substr(0, credentials.scheme.find(' ')), name);
}

bool isUrlHeader(std::string_view name) {
  constexpr std::string_view names[] = {"Location", "Content-Location", "Referer"};
  return std::ranges::any_of(names, [&](std::string_view each) { return equalIgnoringCase(each, name); });
}

bool isAuthorization(std::string_view name) {
  return equalIgnoringCase(name, "Authorization") || equalIgnoringCase(name, "Proxy-Authorization");
}

/// The coding of a body, if its bytes are not its text.
std::optional<std::string> codingIn(const std::vector<Header>& headers) {
  const std::string* const coding = findHeader(headers, "Content-Encoding");
  if (coding == nullptr || coding->empty() || equalIgnoringCase(*coding, "identity")) return std::nullopt;
  return *coding;
}

/// A form that its sender did not declare.
bool looksLikeForm(const std::vector<Header>& headers, std::string_view body) {
  return findHeader(headers, "Content-Type") == nullptr && body.find('=') != std::string_view::npos &&
         body.find_first_of(" \r\n") == std::string_view::npos;
}

/// Redacts one exchange.
class ExchangeCleaner {
 public:
  ExchangeCleaner(const SecretNames& names, RecordedKeys& keys)
      : names_(names), keys_(keys), secrets_(keys, shortestSecret), parts_(names, secrets_) {}

  /// Goes over it again if it has learned secrets, which may also be in what came before. The credentials,
  /// which nearly all requests have, are learned first.
  [[nodiscard]] Exchange clean(const Exchange& exchange) {
    for (const Header& header : exchange.requestHeaders)
      if (isAuthorization(header.name)) (void)authorization(header.value);
    for (int passes = 0;; ++passes) {
      const std::size_t known = secrets_.count();
      Exchange cleaned = pass(exchange);
      if (passes == 1 || secrets_.count() == known) return cleaned;
    }
  }

 private:
  [[nodiscard]] Exchange pass(const Exchange& exchange) {
    // Headers first: the URL and the bodies may repeat a key.
    Exchange cleaned{.startedAt = exchange.startedAt,
                     .duration = exchange.duration,
                     .method = exchange.method,
                     .requestHeaders = headers(exchange.requestHeaders),
                     .status = exchange.status,
                     .responseHeaders = headers(exchange.responseHeaders),
                     .fault = exchange.fault};
    cleaned.url = url(exchange.url);
    cleaned.requestBody = body(exchange.requestHeaders, exchange.requestBody);
    cleaned.responseBody = body(exchange.responseHeaders, exchange.responseBody);
    cleaned.failure = secrets_.redact(exchange.failure);
    if (exchange.upstream)
      cleaned.upstream = HttpResponse{.status = exchange.upstream->status,
                                      .headers = headers(exchange.upstream->headers),
                                      .body = body(exchange.upstream->headers, exchange.upstream->body)};
    return cleaned;
  }

  [[nodiscard]] std::vector<Header> headers(const std::vector<Header>& headers) {
    std::vector<Header> cleaned;
    cleaned.reserve(headers.size());
    for (const Header& header : headers)
      cleaned.push_back({secrets_.redact(header.name), headerValue(header)});
    return cleaned;
  }

  [[nodiscard]] std::string headerValue(const Header& header) {
    if (isAuthorization(header.name)) return authorization(header.value);
    if (names_.contains(header.name) || equalIgnoringCase(header.name, "Set-Cookie")) {
      secrets_.add(trimmed(header.value));
      return std::string{redacted};
    }
    return isUrlHeader(header.name) ? url(header.value) : secrets_.redact(header.value);
  }

  [[nodiscard]] std::string authorization(std::string_view value) {
    const Credentials credentials = credentialsOf(value);
    const std::string scheme{credentials.scheme};
    if (value.empty()) return {};
    if (credentials.text.empty())
      return secrets_.add(value.substr(0, value.find(' '))), std::string{redacted};
    if (hasScheme(credentials, "Bearer")) return scheme + named(credentials.text);
    if (hasScheme(credentials, "Basic")) return scheme + basic(credentials.text);
    secrets_.add(credentials.text);
    return secrets_.redact(scheme) + std::string{redacted};
  }

  [[nodiscard]] std::string named(std::string_view key) {
    std::string name = keys_.nameOf(key);
    secrets_.add(key, name);
    return name;
  }

  /// The key is the name of the user, and the password is usually empty.
  [[nodiscard]] std::string basic(std::string_view text) {
    const auto pair = decodeBase64(text);
    if (!pair) return secrets_.add(text), std::string{redacted};
    const std::size_t colon = std::min(pair->find(':'), pair->size());
    std::string cleaned = named(std::string_view{*pair}.substr(0, colon));
    if (colon < pair->size()) cleaned += ':';
    if (colon + 1 < pair->size()) {
      secrets_.add(std::string_view{*pair}.substr(colon + 1));
      cleaned += redacted;
    }
    cleaned = encodeBase64(cleaned);
    secrets_.add(text, cleaned);
    return cleaned;
  }

  [[nodiscard]] std::string url(std::string_view url) {
    const bool isPlain = url.find_first_of("?#@%") == std::string_view::npos;
    std::string cleaned = isPlain ? secrets_.redact(url) : std::string{};
    return isPlain && cleaned == url ? cleaned : parts_.url(url);
  }

  [[nodiscard]] std::string body(const std::vector<Header>& headers, std::string_view body) {
    if (body.empty()) return {};
    if (const auto coding = codingIn(headers)) return sizeOf(body, *coding);
    if (isMultipartBody(headers))
      return parts_.multipart(typeIn(headers), body).value_or(sizeOf(body, "malformed multipart"));
    if (isJsonBody(headers, body)) return json(body);
    return isFormBody(headers) || looksLikeForm(headers, body) ? parts_.form(body) : secrets_.redact(body);
  }

  /// Keeps the bytes of JSON without secrets.
  [[nodiscard]] std::string json(std::string_view body) {
    if (!mayHaveSecretMember(body, names_)) {
      std::string cleaned = secrets_.redact(body);
      if (cleaned == body) return cleaned;
    }
    const auto cleaned = parts_.json(body);
    if (!cleaned) return sizeOf(body, "malformed JSON");
    std::string compact;
    return appendJsonText(compact, body) && compact == *cleaned ? std::string{body} : *cleaned;
  }

  [[nodiscard]] std::string sizeOf(std::string_view body, const std::string& what) const {
    return "[" + std::to_string(body.size()) + " bytes, " + secrets_.redact(what) + "]";
  }

  const SecretNames& names_;
  RecordedKeys& keys_;
  SecretTexts secrets_;
  PartRedactor parts_;
};

}  // namespace

Exchange ExchangeRedactor::redacted(const Exchange& exchange) {
  return ExchangeCleaner{names_, keys_}.clean(exchange);
}

}  // namespace tally::detail
