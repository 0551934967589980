#pragma once

#include <string>
#include <string_view>

namespace tally::detail {

/// Writes one JSON value of any shape as compact text, from parser events.
class RawJsonWriter {
 public:
  /// Appends to `out`, which must outlive this.
  explicit RawJsonWriter(std::string& out) : out_(out) {}

  void open(char bracket);
  void close(char bracket);
  void key(std::string_view name);
  void string(std::string_view value);
  /// `text` is a number, `true`, `false` or `null`.
  void literal(std::string_view text);

 private:
  void separate();

  std::string& out_;
  bool separate_ = false;  // a comma is due before the next item
};

}  // namespace tally::detail
