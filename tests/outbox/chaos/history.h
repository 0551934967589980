#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <tally/fake/service.h>

namespace tally::test {

/// What the service did for reports that are numbered along each object, by the metadata key `sequence`.
class History {
 public:
  explicit History(const std::vector<fake::LoggedRequest>& log);

  /// How many workers have applied reports.
  [[nodiscard]] std::size_t senders() const;

  /// How often a report was applied.
  [[nodiscard]] int effects(std::uint64_t sequence) const;

  /// Reports that were applied more than once.
  [[nodiscard]] std::vector<std::uint64_t> appliedRepeatedly() const;

  /// Pairs of reports on one object, of which the second was first applied before the first one: `3 after 4`.
  [[nodiscard]] std::vector<std::string> outOfOrder() const;

  /// A report that was applied again, as both requests tell.
  struct Repetition {
    std::uint64_t sequence = 0;
    std::string object{};
    /// The sender had sent it before, or has read the object since. Otherwise one of the two requests is
    /// late.
    bool isDeliberate = false;
    /// A later report on the object had been applied in between.
    bool isOverLater = false;

    bool operator==(const Repetition&) const = default;
  };
  [[nodiscard]] std::vector<Repetition> repetitions() const;

 private:
  struct Request {
    std::uint64_t number = 0;
    std::string sender{};  // the host that it names: each worker has its own
    std::string object{};
    std::uint64_t sequence = 0;  // 0: a read
  };
  [[nodiscard]] bool hasRead(const Request& sender, const Request& since) const;
  [[nodiscard]] bool isLaterBetween(const Request& first, const Request& again) const;

  std::vector<Request> effects_{};
  std::vector<Request> reads_{};
};

}  // namespace tally::test
