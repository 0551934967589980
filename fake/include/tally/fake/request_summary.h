#pragma once

#include <tally/detail/cpp20.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <tally/clock.h>
#include <tally/fake/request_outcome.h>

namespace tally::fake {

/// How many requests ended in each way.
struct OutcomeCounts {
  std::array<std::uint64_t, requestOutcomes.size()> counts{};

  [[nodiscard]] std::uint64_t& operator[](RequestOutcome outcome) {
    return counts[static_cast<std::size_t>(outcome)];
  }
  [[nodiscard]] std::uint64_t operator[](RequestOutcome outcome) const {
    return counts[static_cast<std::size_t>(outcome)];
  }

  bool operator==(const OutcomeCounts&) const = default;
};

std::ostream& operator<<(std::ostream& out, const OutcomeCounts& value);

/// A name that occurs in the log, such as that of an operation, and the number of requests with it.
struct NamedCount {
  std::string name{};
  std::uint64_t count = 0;

  bool operator==(const NamedCount&) const = default;
};

std::ostream& operator<<(std::ostream& out, const NamedCount& value);

/// The contents of the log, in numbers.
struct RequestSummary {
  std::size_t logged = 0;              ///< How many requests the log contains.
  std::size_t matching = 0;            ///< How many of them match the pattern.
  std::optional<Instant> from{};       ///< When the first span begins; empty if the log is empty.
  std::optional<Instant> until{};      ///< When the last span ends.
  OutcomeCounts outcomes{};            ///< Of the requests that match.
  std::vector<OutcomeCounts> spans{};  ///< The same for spans of equal length, oldest first.
  // The names in all logged requests, in alphabetical order. An empty name represents requests without an
  // operation, or without an account.
  std::vector<NamedCount> operations{};
  std::vector<NamedCount> accounts{};
  std::vector<NamedCount> statuses{};  ///< `0` if there was no response.

  bool operator==(const RequestSummary&) const = default;
};

std::ostream& operator<<(std::ostream& out, const RequestSummary& value);

}  // namespace tally::fake
