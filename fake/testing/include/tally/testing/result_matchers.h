#pragma once

#include <tally/detail/cpp20.h>

#include <optional>
#include <ostream>
#include <type_traits>
#include <utility>

#include <tally/error.h>
#include <tally/report_check.h>
#include <tally/result.h>
#include <tally/testing/error_matchers.h>

#include <gmock/gmock.h>

namespace tally::testing {

namespace detail {

/// The error that the value is or holds; null if there is none.
inline const Error* errorOf(const Error& error) {
  return &error;
}
inline const Error* errorOf(const std::optional<Error>& error) {
  return error ? &*error : nullptr;
}
template <class T>
const Error* errorOf(const Result<T>& result) {
  return result.has_error() ? &result.assume_error() : nullptr;
}

/// Whether a value means success.
template <class X>
inline constexpr bool canBeOk = true;
template <class T>
inline constexpr bool canBeOk<Result<T>> = tally::detail::valueIsSuccess<T>;

template <class X>
bool explainOk(const X& outcome, ::testing::MatchResultListener* listener) {
  const bool isOk = errorOf(outcome) == nullptr;
  if (!isOk) *listener << "which is an error";
  return isOk;
}

class IsOkMatcher {
 public:
  template <class X>
  bool MatchAndExplain(const X& outcome, ::testing::MatchResultListener* listener) const {
    static_assert(canBeOk<X>,
                  "tally: a report check may show that the report was not applied: use IsApplied()");
    return explainOk(outcome, listener);
  }
  void DescribeTo(std::ostream* out) const { *out << "is ok"; }
  void DescribeNegationTo(std::ostream* out) const { *out << "is an error"; }
};

class HasErrorMatcher {
 public:
  explicit HasErrorMatcher(ErrorMatcher error) : error_(std::move(error)) {}

  template <class X>
  bool MatchAndExplain(const X& outcome, ::testing::MatchResultListener* listener) const {
    const Error* error = errorOf(outcome);
    if (error != nullptr) return error_.MatchAndExplain(*error, listener);
    *listener << "which is not an error";
    return false;
  }
  void DescribeTo(std::ostream* out) const { error_.DescribeTo(&(*out << "is an error ")); }
  void DescribeNegationTo(std::ostream* out) const {
    error_.DescribeNegationTo(&(*out << "is ok, or an error "));
  }

 private:
  ErrorMatcher error_;
};

template <class T>
class IsOkAndMatcher final : public ::testing::MatcherInterface<const Result<T>&> {
 public:
  explicit IsOkAndMatcher(::testing::Matcher<const T&> value) : value_(std::move(value)) {}

  bool MatchAndExplain(const Result<T>& result, ::testing::MatchResultListener* listener) const override {
    if (result.has_value()) return value_.MatchAndExplain(result.assume_value(), listener);
    return explainOk(result, listener);
  }
  void DescribeTo(std::ostream* out) const override {
    value_.DescribeTo(&(*out << "is ok, with a value that "));
  }
  void DescribeNegationTo(std::ostream* out) const override {
    value_.DescribeNegationTo(&(*out << "is an error, or has a value that "));
  }

 private:
  ::testing::Matcher<const T&> value_;
};

/// IsOkAnd() before the type of the result is known.
template <class M>
class IsOkAnd {
 public:
  explicit IsOkAnd(M value) : value_(std::move(value)) {}

  template <class R>
  operator ::testing::Matcher<R>() const {
    using T = typename std::remove_cvref_t<R>::value_type;
    return ::testing::Matcher<R>(new IsOkAndMatcher<T>(::testing::SafeMatcherCast<const T&>(value_)));
  }

 private:
  M value_;
};

class IsAppliedMatcher {
 public:
  template <class T>
  bool MatchAndExplain(const ReportCheck<T>& check, ::testing::MatchResultListener* listener) const {
    *listener << "whose status is " << check.status;
    return check.status == ReportStatus::applied;
  }
  template <class T>
  bool MatchAndExplain(const Result<ReportCheck<T>>& result, ::testing::MatchResultListener* listener) const {
    return explainOk(result, listener) && MatchAndExplain(result.assume_value(), listener);
  }
  void DescribeTo(std::ostream* out) const { *out << "shows that the report is applied"; }
  void DescribeNegationTo(std::ostream* out) const { *out << "does not show that the report is applied"; }
};

inline ErrorMatcher asErrorMatcher(ErrorKind kind) {
  return WithKind(kind);
}
inline ErrorMatcher asErrorMatcher(ErrorMatcher matcher) {
  return matcher;
}

inline ErrorMatcher allOf() {
  return ::testing::A<const Error&>();
}
inline ErrorMatcher allOf(ErrorMatcher only) {
  return only;
}
template <class... M>
ErrorMatcher allOf(const ErrorMatcher& first, const M&... others) {
  return ::testing::AllOf(first, others...);
}

}  // namespace detail

/// Matches a Result that has a value, or an optional Error that is empty. For a ReportCheck, use IsApplied().
inline auto IsOk() {
  return ::testing::MakePolymorphicMatcher(detail::IsOkMatcher{});
}

/// Matches a result of checkReport() or resolveReport() that shows that the report is applied:
/// `EXPECT_THAT(client.paymentRecords().resolveReport(id, params), IsApplied());`
inline auto IsApplied() {
  return ::testing::MakePolymorphicMatcher(detail::IsAppliedMatcher{});
}

/// Matches a Result whose value matches `matcher`, or equals it.
template <class M>
auto IsOkAnd(M matcher) {
  return detail::IsOkAnd<M>{std::move(matcher)};
}

/// Matches a Result, an Error or an optional Error that contains an error that all `matchers` match: an
/// ErrorKind, or matchers of Error, as in `HasError(ErrorKind::lockTimeout, WithAttempts(3))`. Without
/// `matchers`: any error.
template <class... M>
auto HasError(const M&... matchers) {
  return ::testing::MakePolymorphicMatcher(
      detail::HasErrorMatcher{detail::allOf(detail::asErrorMatcher(matchers)...)});
}

}  // namespace tally::testing
