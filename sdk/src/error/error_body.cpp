#include "error/error_body.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "json/json_cursor.h"
#include "text/utf8_sequence.h"
#include "wire.h"

namespace tally::detail {

namespace {

constexpr std::string_view space = " \t\r\n";
constexpr std::string_view endsWord = " \t\r\n,:{}[]\"";

struct Members {
  std::string type{};
  std::string code{};
  std::string message{};
  std::string param{};
};

/// The member with this name; null if there is none.
std::string* memberOf(Members& error, std::string_view name) {
  if (name == "type") return &error.type;
  if (name == "code") return &error.code;
  if (name == "message") return &error.message;
  if (name == "param") return &error.param;
  return nullptr;
}

/// Scans a text that resembles JSON for the known members.
class ErrorBodyReader {
 public:
  explicit ErrorBodyReader(std::string_view body) : rest_(body) {}

  void read() {
    if (rest_.starts_with(byteOrderMark)) rest_.remove_prefix(byteOrderMark.size());
    skipSpace();
    if (!rest_.starts_with('{')) return;
    while (!rest_.empty()) {
      take();
      skipSpace();
    }
  }

  /// Values inside `error` take precedence over those around it.
  [[nodiscard]] Members found() && {
    for (const std::string_view name : {"type", "code", "message", "param"})
      if (std::string& value = *memberOf(inner_, name); value.empty()) value.swap(*memberOf(outer_, name));
    return std::move(inner_);
  }

 private:
  void take() {
    switch (rest_.front()) {
      case '{':
      case '[':
        return open();
      case '}':
      case ']':
        return close();
      case '"':
        return takeString();
      case ',':
        name_.clear();
        [[fallthrough]];
      case ':':
        return rest_.remove_prefix(1);
      default:
        return takeWord();
    }
  }

  void open() {
    ++depth_;
    if (depth_ == 2 && rest_.front() == '{' && name_ == "error") inError_ = true;
    name_.clear();
    rest_.remove_prefix(1);
  }

  void close() {
    if (depth_ == 2) inError_ = false;
    if (depth_ > 0) --depth_;
    name_.clear();
    rest_.remove_prefix(1);
  }

  /// A string before a colon is a name.
  void takeString() {
    const std::size_t end = endOfString();
    if (end == std::string_view::npos) {
      rest_ = {};
      return;
    }
    const std::string text = unescaped(rest_.substr(0, end + 1));
    rest_.remove_prefix(end + 1);
    skipSpace();
    if (rest_.starts_with(':')) {
      name_ = text;
    } else {
      value(text);
    }
  }

  /// A number or a boolean is read as text; null as no value.
  void takeWord() {
    const std::string_view word = rest_.substr(0, rest_.find_first_of(endsWord));
    if (word == "null") {
      name_.clear();
    } else {
      value(word);
    }
    rest_.remove_prefix(word.size());
  }

  void value(std::string_view text) {
    if (depth_ == 1 && name_ == "error") {
      outer_.message = text;
    } else if (depth_ == 1 || (depth_ == 2 && inError_)) {
      if (std::string* member = memberOf(inError_ ? inner_ : outer_, name_)) *member = text;
    }
    name_.clear();
  }

  /// The index of the quote that ends the string at the front; npos if there is none.
  [[nodiscard]] std::size_t endOfString() const {
    std::size_t at = rest_.find_first_of("\"\\", 1);
    while (at != std::string_view::npos && rest_[at] == '\\')
      at = at + 2 < rest_.size() ? rest_.find_first_of("\"\\", at + 2) : std::string_view::npos;
    return at;
  }

  /// A string that is invalid JSON is taken unchanged.
  [[nodiscard]] static std::string unescaped(std::string_view quoted) {
    JsonCursor cursor{quoted};
    if (const auto text = cursor.string()) return std::string{*text};
    return std::string{quoted.substr(1, quoted.size() - 2)};
  }

  void skipSpace() { rest_.remove_prefix(std::min(rest_.find_first_not_of(space), rest_.size())); }

  std::string_view rest_;
  std::string name_{};     // of the next value
  std::size_t depth_ = 0;  // of brackets
  bool inError_ = false;
  Members inner_{};  // values inside `error`
  Members outer_{};  // values around it
};

}  // namespace

bool readErrorBody(std::string_view body, Error::Details& error) {
  ErrorBodyReader reader{body};
  reader.read();
  Members found = std::move(reader).found();
  error.type = std::move(found.type);
  error.fromService = std::ranges::find(errorTypes, error.type) != std::ranges::end(errorTypes);
  error.code = std::move(found.code);
  error.message = std::move(found.message);
  error.param = std::move(found.param);
  return !error.type.empty() || !error.code.empty() || !error.message.empty() || !error.param.empty();
}

}  // namespace tally::detail
