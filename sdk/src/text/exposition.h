#pragma once

#include <array>
#include <charconv>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace tally::detail {

/// Writes metrics in the text format of Prometheus, version 0.0.4, one after the other.
class Exposition {
 public:
  struct Label {
    std::string_view name;
    std::string value;
  };

  void metric(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    text_.append("# HELP ").append(name).append(" ").append(help) += '\n';
    text_.append("# TYPE ").append(name).append(" ").append(type) += '\n';
  }

  void sample(std::initializer_list<Label> labels, double value) {
    text_ += name_;
    char before = '{';
    for (const Label& label : labels) {
      (text_ += std::exchange(before, ',')).append(label.name) += "=\"";
      for (const char c : label.value)
        appendEscaped(c);
      text_ += '"';
    }
    if (labels.size() != 0) text_ += '}';
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    (text_ += ' ').append(digits.data(), end.ptr) += '\n';
  }

  template <class Number>
  void single(std::string_view name, std::string_view type, std::string_view help, Number value) {
    metric(name, type, help);
    sample({}, static_cast<double>(value));
  }

  [[nodiscard]] std::string take() && { return std::move(text_); }

 private:
  void appendEscaped(char c) {
    if (c == '\\' || c == '"') text_ += '\\';
    c == '\n' ? text_ += "\\n" : text_ += c;
  }

  std::string_view name_{};
  std::string text_{};
};

}  // namespace tally::detail
