#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

#include <tally/report_all.h>

namespace tally::detail {

/// Reads the rows of the input, also ahead. Passes on what the source throws.
class ReportInput {
 public:
  /// `source` must outlive this. It is not called any more once it has returned nothing.
  explicit ReportInput(const ReportSource& source) : source_(source) {}

  /// The next row; nothing at the end.
  [[nodiscard]] std::optional<Result<Report>> next() {
    if (ahead_.empty() && !readAhead()) return std::nullopt;
    Result<Report> row = std::move(ahead_.front());
    ahead_.pop_front();
    return row;
  }

  /// Reads one row more, which next() will return. False at the end.
  [[nodiscard]] bool readAhead() {
    if (ended_) return false;
    auto row = source_();
    ended_ = !row;
    if (row) ahead_.push_back(*std::move(row));
    return !ended_;
  }

  [[nodiscard]] std::size_t rowsAhead() const noexcept { return ahead_.size(); }
  [[nodiscard]] const Result<Report>& lastAhead() const { return ahead_.back(); }

 private:
  const ReportSource& source_;
  std::deque<Result<Report>> ahead_{};
  bool ended_ = false;
};

}  // namespace tally::detail
