#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <boost/system/error_code.hpp>

namespace tally::detail {

/// The base of a handler for boost::json::basic_parser, which may deliver keys, strings and numbers in parts.
/// `Handler` gets them as a whole: it has open() and close() for brackets, key(), string(), number(), and
/// word() for `true`, `false` and `null`. Their arguments are valid during the call.
template <class Handler>
class JsonEvents {
 public:
  using error_code = boost::system::error_code;

  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) { return handler().open('{'), true; }
  bool on_object_end(std::size_t, error_code&) { return handler().close('}'), true; }
  bool on_array_begin(error_code&) { return handler().open('['), true; }
  bool on_array_end(std::size_t, error_code&) { return handler().close(']'), true; }
  bool on_key_part(std::string_view part, std::size_t, error_code&) { return keep(part); }
  bool on_key(std::string_view last, std::size_t, error_code&) {
    keep(last);
    handler().key(text_);
    return done();
  }
  bool on_string_part(std::string_view part, std::size_t, error_code&) { return keep(part); }
  bool on_string(std::string_view last, std::size_t, error_code&) {
    keep(last);
    handler().string(text_);
    return done();
  }
  bool on_number_part(std::string_view part, error_code&) { return keep(part); }
  bool on_int64(std::int64_t, std::string_view last, error_code&) { return number(last); }
  bool on_uint64(std::uint64_t, std::string_view last, error_code&) { return number(last); }
  bool on_double(double, std::string_view last, error_code&) { return number(last); }
  bool on_bool(bool value, error_code&) { return handler().word(value ? "true" : "false"), true; }
  bool on_null(error_code&) { return handler().word("null"), true; }
  bool on_comment_part(std::string_view, error_code&) { return true; }
  bool on_comment(std::string_view, error_code&) { return true; }

 private:
  friend Handler;
  JsonEvents() = default;

  Handler& handler() { return static_cast<Handler&>(*this); }
  bool keep(std::string_view part) { return text_ += part, true; }
  bool done() { return text_.clear(), true; }
  bool number(std::string_view last) {
    keep(last);
    handler().number(text_);
    return done();
  }

  std::string text_{};
};

}  // namespace tally::detail
