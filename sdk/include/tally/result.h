#pragma once

#include <tally/detail/cpp20.h>

#include <concepts>
#include <cstddef>
#include <exception>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <version>

#include <tally/error.h>

#include <boost/outcome/basic_result.hpp>
#include <boost/outcome/policy/base.hpp>
#include <boost/outcome/try.hpp>

#ifdef __cpp_lib_expected
#include <expected>
#endif

namespace [[gnu::visibility("default")]] tally {

/// Thrown by `Result<T>::value()` if there is no value. `what()` is the error as one line.
class Exception : public std::exception {
 public:
  explicit Exception(const Error& error);

  [[nodiscard]] const Error& error() const noexcept { return error_; }
  [[nodiscard]] const char* what() const noexcept override { return what_.c_str(); }

 private:
  Error error_;
  std::string what_;
};

std::ostream& operator<<(std::ostream& out, const Exception& exception);

template <class T>
class Result;

namespace detail {

[[noreturn, gnu::visibility("default")]] void throwException(const Error& error);
[[noreturn, gnu::visibility("default")]] void throwNoError();

struct ThrowException : boost::outcome_v2::policy::base {
  using Base = boost::outcome_v2::policy::base;

  template <class Impl>
  static constexpr void wide_value_check(const Impl& self) {
    if (!Base::_has_value(self)) throwException(Base::_error(self));
  }
  template <class Impl>
  static constexpr void wide_error_check(const Impl& self) {
    if (!Base::_has_error(self)) throwNoError();
  }
};

template <class T>
using BasicResult = boost::outcome_v2::basic_result<T, Error, ThrowException>;

template <class T>
inline constexpr bool isResult = false;
template <class T>
inline constexpr bool isResult<Result<T>> = true;

/// Whether a Result with a value counts as a success. If not, the Result does not convert to bool.
template <class T>
inline constexpr bool valueIsSuccess = true;

/// Calls `function` with the value of `result`, or without an argument if the value is void.
template <class F, class R>
decltype(auto) invokeWithValue(F&& function, R&& result) {
  if constexpr (std::is_void_v<typename std::remove_cvref_t<R>::value_type>) {
    return std::invoke(std::forward<F>(function));
  } else {
    return std::invoke(std::forward<F>(function), std::forward<R>(result).assume_value());
  }
}

template <class R, class F>
auto transformed(R&& result, F&& function) {
  using U =
      std::remove_cvref_t<decltype(invokeWithValue(std::forward<F>(function), std::forward<R>(result)))>;
  if (result.has_error()) return Result<U>{std::forward<R>(result).assume_error()};
  if constexpr (std::is_void_v<U>) {
    invokeWithValue(std::forward<F>(function), std::forward<R>(result));
    return Result<U>{boost::outcome_v2::in_place_type<void>};
  } else {
    return Result<U>{invokeWithValue(std::forward<F>(function), std::forward<R>(result))};
  }
}

template <class R, class F>
auto chained(R&& result, F&& function) {
  using Next =
      std::remove_cvref_t<decltype(invokeWithValue(std::forward<F>(function), std::forward<R>(result)))>;
  static_assert(isResult<Next>, "the function given to and_then() must return a tally::Result");
  if (result.has_error()) return Next{std::forward<R>(result).assume_error()};
  return Next{invokeWithValue(std::forward<F>(function), std::forward<R>(result))};
}

}  // namespace detail

/// A `T`, or an Error in its place, with the interface of `std::expected`. `value()`, `*` and `->` throw
/// tally::Exception if there is no value, and `error()` throws std::logic_error if there is a value, so their
/// behavior is always defined. BOOST_OUTCOME_TRY works with it.
///
/// As thread-safe as a `T`.
template <class T>
class [[nodiscard]] Result : public detail::BasicResult<T> {
  using Base = detail::BasicResult<T>;

 public:
  using Base::Base;

  /// Whether there is a value. Doesn't compile for a ReportCheck, whose `status` shows whether the report was
  /// applied.
  explicit operator bool() const noexcept
    requires detail::valueIsSuccess<T>
  {
    return this->has_value();
  }
  explicit operator bool() const noexcept
    requires(!detail::valueIsSuccess<T>)
  = delete;

  decltype(auto) operator*() & { return this->value(); }
  decltype(auto) operator*() const& { return this->value(); }
  decltype(auto) operator*() && { return std::move(*this).value(); }

  auto* operator->()
    requires(!std::is_void_v<T>)
  {
    return std::addressof(this->value());
  }
  auto* operator->() const
    requires(!std::is_void_v<T>)
  {
    return std::addressof(this->value());
  }

  /// The value, or `other` if there is none.
  template <class U>
    requires std::convertible_to<U, T>
  [[nodiscard]] T value_or(U&& other) const& {
    return this->has_value() ? this->assume_value() : static_cast<T>(std::forward<U>(other));
  }
  template <class U>
    requires std::convertible_to<U, T>
  [[nodiscard]] T value_or(U&& other) && {
    return this->has_value() ? std::move(*this).assume_value() : static_cast<T>(std::forward<U>(other));
  }

  /// Calls `function` with the value and returns the Result that it returns. If there is no value, returns
  /// the error.
  template <class F>
  auto and_then(F&& function) const& {
    return detail::chained(*this, std::forward<F>(function));
  }
  template <class F>
  auto and_then(F&& function) && {
    return detail::chained(std::move(*this), std::forward<F>(function));
  }

  /// Calls `function` with the value and returns what it returns, as a Result. If there is no value, returns
  /// the error.
  template <class F>
  auto transform(F&& function) const& {
    return detail::transformed(*this, std::forward<F>(function));
  }
  template <class F>
  auto transform(F&& function) && {
    return detail::transformed(std::move(*this), std::forward<F>(function));
  }

#ifdef __cpp_lib_expected
  // NOLINTNEXTLINE(google-explicit-constructor): one converts to the other without loss
  operator std::expected<T, Error>() const& { return expected(*this); }
  // NOLINTNEXTLINE(google-explicit-constructor)
  operator std::expected<T, Error>() && { return expected(std::move(*this)); }

 private:
  template <class R>
  static std::expected<T, Error> expected(R&& result) {
    if (result.has_error()) return std::unexpected{std::forward<R>(result).assume_error()};
    if constexpr (std::is_void_v<T>) {
      return {};
    } else {
      return std::forward<R>(result).assume_value();
    }
  }
#endif
};

namespace detail {

/// Prints a list in brackets, with at most 32 of its elements.
template <class List>
std::ostream& printList(std::ostream& out, const List& list) {
  std::size_t left = list.size();
  std::size_t shown = 0;
  printText(out, "[");
  for (const auto& element : list) {
    if (shown == 32) break;
    if (shown++ != 0) printText(out, ", ");
    out << element;
    --left;
  }
  if (left != 0) printText(out, ", and " + std::to_string(left) + " more");
  return printText(out, "]");
}

}  // namespace detail

/// Prints the value or the error. A list is printed as its elements. A value that can't be printed appears as
/// `a value`.
template <class T>
std::ostream& operator<<(std::ostream& out, const Result<T>& result) {
  if (result.has_error()) return out << result.assume_error();
  if constexpr (requires { out << result.assume_value(); }) {
    return out << result.assume_value();
  } else if constexpr (requires { out << *result.assume_value().begin() << result.assume_value().size(); }) {
    return detail::printList(out, result.assume_value());
  } else {
    return detail::printText(out, "a value");
  }
}

}  // namespace tally
