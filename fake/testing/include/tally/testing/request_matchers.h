#pragma once

#include <tally/detail/cpp20.h>

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <tally/fake/logged_request.h>
#include <tally/fake/sent_request.h>
#include <tally/testing/part_matcher.h>
#include <tally/transport.h>

#include <gmock/gmock.h>

// Matchers for the contents of a request: of an HttpRequest, or of a request in the log of a fake::Service.

namespace tally::testing {

namespace detail {

inline const HttpRequest& requestOf(const HttpRequest& request) {
  return request;  // NOLINT(bugprone-return-const-ref-from-parameter): a matcher's argument outlives the
                   // match
}
inline const HttpRequest& requestOf(const fake::LoggedRequest& logged) {
  return logged.request;
}

/// Adapts a matcher for an HttpRequest to any type that is or holds one.
class RequestMatcher {
 public:
  explicit RequestMatcher(::testing::Matcher<const HttpRequest&> request) : request_(std::move(request)) {}

  template <class X>
  bool MatchAndExplain(const X& holder, ::testing::MatchResultListener* listener) const {
    return request_.MatchAndExplain(requestOf(holder), listener);
  }
  void DescribeTo(std::ostream* out) const { request_.DescribeTo(out); }
  void DescribeNegationTo(std::ostream* out) const { request_.DescribeNegationTo(out); }

 private:
  ::testing::Matcher<const HttpRequest&> request_;
};

/// The values that a request has under a name, such as those of a header.
struct NamedValues {
  std::string what;  ///< Such as `header`.
  std::vector<std::string> (*get)(const HttpRequest& request, std::string_view name);
  /// A value as it may be printed.
  std::string (*shown)(std::string_view name, std::string_view value);
};

/// Matches a request if one of the values that it has under a name matches.
class NamedMatcher {
 public:
  NamedMatcher(NamedValues values, std::string name, ::testing::Matcher<std::string> value)
      : values_(std::move(values)), name_(std::move(name)), value_(std::move(value)) {}

  bool MatchAndExplain(const HttpRequest& request, ::testing::MatchResultListener* listener) const {
    const std::vector<std::string> values = values_.get(request, name_);
    if (values.empty()) *listener << "which has no " << values_.what << ' ' << name_;
    for (const std::string& value : values) {
      ::testing::StringMatchResultListener more;
      const bool matches = value_.MatchAndExplain(value, &more);
      if (&value != &values.front()) *listener << ", ";
      explainPart(values_.shown(name_, value), values_.what + ' ' + name_, quotesShown(more.str()), listener);
      if (matches) return true;
    }
    return false;
  }
  void DescribeTo(std::ostream* out) const { describe("has a ", out); }
  void DescribeNegationTo(std::ostream* out) const { describe("has no ", out); }

 private:
  void describe(const char* has, std::ostream* out) const {
    std::ostringstream value;
    value_.DescribeTo(&value);
    *out << has << values_.what << ' ' << name_ << " that " << quotesShown(value.str());
  }

  /// The text of the value's matcher, with each quoted string as it may be printed.
  [[nodiscard]] std::string quotesShown(const std::string& text) const {
    std::string shown;
    for (std::size_t at = 0; at < text.size(); ++at) {
      shown += text[at];
      if (text[at] != '"') continue;
      std::size_t end = at + 1;
      while (end < text.size() && text[end] != '"')
        end += text[end] == '\\' ? 2U : 1U;
      end = std::min(end, text.size());
      shown += values_.shown(name_, text.substr(at + 1, end - at - 1)) + '"';
      at = end;
    }
    return shown;
  }

  NamedValues values_;
  std::string name_;
  ::testing::Matcher<std::string> value_;
};

inline std::vector<std::string> paramsNamed(const HttpRequest& request, std::string_view name) {
  std::vector<std::string> values;
  for (fake::SentParam& param : fake::sentParams(request))
    if (param.name == name) values.push_back(std::move(param.value));
  return values;
}

inline std::vector<std::string> metadataNamed(const HttpRequest& request, std::string_view key) {
  return paramsNamed(request, "metadata[" + std::string{key} + ']');
}

inline std::string wholeValue(std::string_view /*name*/, std::string_view value) {
  return std::string{value};
}

inline auto named(NamedValues values, std::string name, const ::testing::Matcher<std::string>& value) {
  return ::testing::MakePolymorphicMatcher(RequestMatcher{
      ::testing::MakePolymorphicMatcher(NamedMatcher{std::move(values), std::move(name), value})});
}

}  // namespace detail

/// Matches the method, GET or POST.
inline auto HasMethod(const ::testing::Matcher<Method>& method) {
  return ::testing::MakePolymorphicMatcher(
      detail::RequestMatcher{detail::part<HttpRequest>("method", &HttpRequest::method, method)});
}

/// Matches the path of the URL, encoded, such as `/v1/payment_records/pr_1`.
inline auto HasPath(const ::testing::Matcher<std::string>& path) {
  return ::testing::MakePolymorphicMatcher(
      detail::RequestMatcher{detail::part<HttpRequest>("path", &fake::sentPath, path)});
}

/// Matches a parameter of the query or the body, by its name on the wire, such as `metadata[order]`. If
/// several parameters have that name, one of them must match.
inline auto HasParam(std::string name, const ::testing::Matcher<std::string>& value = ::testing::_) {
  return detail::named({"parameter", &detail::paramsNamed, &detail::wholeValue}, std::move(name), value);
}

/// Matches metadata that the request sets, by key.
inline auto HasMetadata(std::string key, const ::testing::Matcher<std::string>& value = ::testing::_) {
  return detail::named({"metadata", &detail::metadataNamed, &detail::wholeValue}, std::move(key), value);
}

/// Matches the body as sent.
inline auto HasBody(const ::testing::Matcher<std::string>& body) {
  return ::testing::MakePolymorphicMatcher(
      detail::RequestMatcher{detail::part<HttpRequest>("body", &HttpRequest::body, body)});
}

/// Matches a header by its name, ignoring case. If several headers have that name, one of them must match.
/// For an API key, a failing test prints only the scheme and the last four characters.
inline auto HasHeader(std::string name, const ::testing::Matcher<std::string>& value = ::testing::_) {
  return detail::named({"header", &fake::sentHeaders, &fake::shownHeader}, std::move(name), value);
}

}  // namespace tally::testing
