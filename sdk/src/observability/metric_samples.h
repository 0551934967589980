#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "observability/histogram.h"

namespace tally::detail {

struct Label {
  std::string_view name{};
  std::string_view value{};
};

/// Appends the samples that one operation has of one family, in the text exposition format. Names and labels
/// come out of tables of ours, in which nothing has to be escaped.
class Samples {
 public:
  Samples(std::string& out, std::string_view family, std::string_view operation)
      : out_(out), family_(family), operation_(operation) {}

  /// Unless it never happened.
  void count(std::int64_t count, std::initializer_list<Label> labels = {}) {
    if (count != 0) number(count, labels);
  }

  void number(std::int64_t number, std::initializer_list<Label> labels = {}, std::string_view suffix = {});

  void seconds(std::chrono::nanoseconds duration, std::initializer_list<Label> labels = {},
               std::string_view suffix = {});

  /// Unless nothing was counted.
  void histogram(const Histogram& histogram);

 private:
  void begin(std::initializer_list<Label> labels, std::string_view suffix);

  std::string& out_;
  std::string_view family_;
  std::string_view operation_;
};

}  // namespace tally::detail
