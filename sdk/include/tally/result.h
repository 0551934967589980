#pragma once

#include <exception>
#include <iosfwd>
#include <string>

#include <tally/error.h>

#include <boost/outcome/basic_result.hpp>
#include <boost/outcome/policy/base.hpp>

namespace tally {

/// What `Result<T>::value()` throws when there is no value.
class Exception : public std::exception {
 public:
  explicit Exception(Error error);

  [[nodiscard]] const Error& error() const noexcept { return error_; }
  [[nodiscard]] const char* what() const noexcept override { return what_.c_str(); }

 private:
  Error error_;
  std::string what_;
};

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

/// A `T` or the Error that stands in its place. `value()` throws tally::Exception where there is none,
/// `error()` throws std::logic_error where there is a value; BOOST_OUTCOME_TRY works with both.
template <class T>
using Result = boost::outcome_v2::basic_result<T, Error, detail::ThrowException>;

/// Prints the value or the error; of a value that can't be printed, that there is one.
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
