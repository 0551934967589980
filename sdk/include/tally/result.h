#pragma once

#include <exception>
#include <iosfwd>
#include <string>

#include <tally/error.h>

#include <boost/outcome/basic_result.hpp>
#include <boost/outcome/policy/base.hpp>
#include <boost/outcome/try.hpp>

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

namespace detail {

[[noreturn]] void throwException(const Error& error);
[[noreturn]] void throwNoError();

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

}  // namespace detail

/// A `T`, or the Error that replaces it. `value()` throws tally::Exception if there is no value, and
/// `error()` throws std::logic_error if there is one. BOOST_OUTCOME_TRY works with it.
template <class T>
using Result = boost::outcome_v2::basic_result<T, Error, detail::ThrowException>;

/// Prints the value or the error. A value that can't be printed appears as `a value`.
template <class T>
std::ostream& operator<<(std::ostream& out, const Result<T>& result) {
  if (result.has_error()) return out << result.assume_error();
  if constexpr (requires { out << result.assume_value(); }) {
    return out << result.assume_value();
  } else {
    return detail::printText(out, "a value");
  }
}

}  // namespace tally
