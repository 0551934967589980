#pragma once

#include <tally/detail/cpp20.h>

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include <tally/transport.h>

// The decoded contents of a request, for tests of what an application sends.

namespace tally::fake {

/// A parameter, such as `metadata[order]`, and its value.
struct SentParam {
  std::string name{};
  std::string value{};

  bool operator==(const SentParam&) const = default;
};

std::ostream& operator<<(std::ostream& out, const SentParam& value);

/// The parameters of the query, followed by those of the body if it is a form or a JSON object, in the order
/// sent. Text with invalid encoding is returned as sent. Members of JSON objects and arrays are named as in a
/// form, such as `metadata[order]` and `expand[0]`; null is an empty string.
[[nodiscard]] std::vector<SentParam> sentParams(const HttpRequest& request);

/// The path of the URL as sent: encoded, without the scheme, host or query.
[[nodiscard]] std::string sentPath(const HttpRequest& request);

/// The values of all headers with that name, ignoring case, in the order sent.
[[nodiscard]] std::vector<std::string> sentHeaders(const HttpRequest& request, std::string_view name);

/// The value of a header as tests may print it: for `Authorization`, only the scheme and the last four
/// characters of the key.
[[nodiscard]] std::string shownHeader(std::string_view name, std::string_view value);

}  // namespace tally::fake
