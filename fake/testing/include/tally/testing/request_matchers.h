#pragma once

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <tally/fake/logged_request.h>
#include <tally/fake/sent_request.h>
#include <tally/testing/part_matcher.h>
#include <tally/transport.h>

#include <gmock/gmock.h>

// Matchers of the contents of a request: of an HttpRequest, or of a request in the log of a fake::Service.

namespace tally::testing {

namespace detail {

inline const HttpRequest& requestOf(const HttpRequest& request) {
  return request;
}
inline const HttpRequest& requestOf(const fake::LoggedRequest& logged) {
  return logged.request;
}

/// Adapts a matcher of an HttpRequest to any type that holds one.
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

/// Matches one of the values that a request has under a name, if it has any.
class NamedMatcher {
 public:
  using Get = std::vector<std::string> (*)(const HttpRequest& request, const std::string& name);

  NamedMatcher(std::string what, std::string name, Get get, ::testing::Matcher<std::string> value)
      : what_(std::move(what)), name_(std::move(name)), get_(get), value_(std::move(value)) {}

  bool MatchAndExplain(const HttpRequest& request, ::testing::MatchResultListener* listener) const {
    const std::vector<std::string> values = get_(request, name_);
    if (values.empty()) *listener << "which has no " << what_ << ' ' << name_;
    for (const std::string& value : values) {
      if (&value != &values.front()) *listener << ", ";
      if (explainPart(value_, value, what_ + ' ' + name_, listener)) return true;
    }
    return false;
  }
  void DescribeTo(std::ostream* out) const {
    value_.DescribeTo(&(*out << "has a " << what_ << ' ' << name_ << " that "));
  }
  void DescribeNegationTo(std::ostream* out) const {
    value_.DescribeTo(&(*out << "has no " << what_ << ' ' << name_ << " that "));
  }

 private:
  std::string what_;
  std::string name_;
  Get get_;
  ::testing::Matcher<std::string> value_;
};

inline std::vector<std::string> paramsNamed(const HttpRequest& request, const std::string& name) {
  std::vector<std::string> values;
  for (fake::SentParam& param : fake::sentParams(request))
    if (param.name == name) values.push_back(std::move(param.value));
  return values;
}

inline std::vector<std::string> metadataNamed(const HttpRequest& request, const std::string& key) {
  return paramsNamed(request, "metadata[" + key + ']');
}

inline std::vector<std::string> headerNamed(const HttpRequest& request, const std::string& name) {
  const HttpResponse holder{.headers = request.headers};
  const std::string* value = holder.header(name);
  return value == nullptr ? std::vector<std::string>{} : std::vector<std::string>{*value};
}

inline auto named(std::string what, std::string name, NamedMatcher::Get get,
                  const ::testing::Matcher<std::string>& value) {
  return ::testing::MakePolymorphicMatcher(RequestMatcher{
      ::testing::MakePolymorphicMatcher(NamedMatcher{std::move(what), std::move(name), get, value})});
}

}  // namespace detail

/// Matches the method, GET or POST.
inline auto HasMethod(const ::testing::Matcher<Method>& method) {
  return ::testing::MakePolymorphicMatcher(detail::RequestMatcher{detail::part<HttpRequest, Method>(
      "method", [](const HttpRequest& request) { return request.method; }, method)});
}

/// Matches the path of the URL, encoded, such as `/v1/payment_records/pr_1`.
inline auto HasPath(const ::testing::Matcher<std::string>& path) {
  return ::testing::MakePolymorphicMatcher(
      detail::RequestMatcher{detail::part<HttpRequest, std::string>("path", &fake::sentPath, path)});
}

/// Matches a parameter of the query or of a body by its name on the wire, such as `metadata[order]`. If
/// several have that name, one has to match.
inline auto HasParam(std::string name, const ::testing::Matcher<std::string>& value = ::testing::_) {
  return detail::named("parameter", std::move(name), &detail::paramsNamed, value);
}

/// Matches metadata that the request sets, by its key.
inline auto HasMetadata(std::string key, const ::testing::Matcher<std::string>& value = ::testing::_) {
  return detail::named("metadata", std::move(key), &detail::metadataNamed, value);
}

/// Matches the body as sent.
inline auto HasBody(const ::testing::Matcher<std::string>& body) {
  return ::testing::MakePolymorphicMatcher(detail::RequestMatcher{detail::part<HttpRequest, std::string>(
      "body", [](const HttpRequest& request) { return request.body; }, body)});
}

/// Matches a header by its name, in any case.
inline auto HasHeader(std::string name, const ::testing::Matcher<std::string>& value = ::testing::_) {
  return detail::named("header", std::move(name), &detail::headerNamed, value);
}

}  // namespace tally::testing
