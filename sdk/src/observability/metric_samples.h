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

/// Appends one operation's samples of one metric family, in the Prometheus text exposition format. Names and
/// labels come from our own tables and need no escaping.
class Samples {
 public:
  Samples(std::string& out, std::string_view family, std::string_view operation)
      : out_(out), family_(family), operation_(operation) {}

  /// Appends nothing if the count is 0.
  void count(std::int64_t count, std::initializer_list<Label> labels = {}) {
    if (count != 0) number(count, labels);
  }

  void number(std::int64_t number, std::initializer_list<Label> labels = {}, std::string_view suffix = {});

  void seconds(std::chrono::nanoseconds duration, std::initializer_list<Label> labels = {},
               std::string_view suffix = {});

  /// Appends nothing if the histogram is empty.
  void histogram(const Histogram& histogram);

 private:
  void begin(std::initializer_list<Label> labels, std::string_view suffix);

  std::string& out_;
  std::string_view family_;
  std::string_view operation_;
};

}  // namespace tally::detail
