#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tally::detail {

/// Writes one JSON value, of any shape, as compact text from the events of a parser.
class RawJsonWriter {
 public:
  /// Starts over; what is written is appended to `out`.
  void start(std::string& out) {
    out_ = &out;
    depth_ = 0;
    separate_ = false;
  }

  [[nodiscard]] bool active() const noexcept { return out_ != nullptr; }

  void open(char bracket);
  void close(char bracket);
  void key(std::string_view name);
  void string(std::string_view value);
  /// A number, `true`, `false` or `null`.
  void literal(std::string_view text);

 private:
  void separate();
  void valueDone();

  std::string* out_ = nullptr;
  std::size_t depth_ = 0;
  bool separate_ = false;  // a comma comes before what is next
};

}  // namespace tally::detail
