#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tally/outbox_report.h>

namespace tally::detail {

/// Where the key of a domain is. One of the two is empty.
struct KeySource {
  std::string domain{};
  std::string variable{};  // of the environment
  std::string file{};
};

/// An IP address, and a port of which 0 is any free one.
struct ListenAddress {
  std::string address{};
  std::uint16_t port = 0;
};

/// The command, the arguments and the options of tally-outbox.
struct CommandLine {
  std::string_view command{};  // a name of the table in command_line.cpp
  std::vector<std::string> arguments{};
  bool help = false;
  bool version = false;

  std::string database{};
  std::string note{};
  std::size_t limit = 100;
  EnqueueOptions enqueue{};

  // Of `work`.
  std::vector<KeySource> domains{};
  std::string baseUrl{};
  bool allowPlainHttp = false;
  std::chrono::seconds lease{15};
  std::optional<std::chrono::seconds> timeout{};
  std::size_t window = 1'000;
  std::size_t maxInFlight = 64;
  std::optional<std::chrono::days> retention{};
  bool allowLossOnPowerFailure = false;
  std::optional<ListenAddress> metrics{};

  /// The time limit of an attempt.
  [[nodiscard]] std::chrono::milliseconds attemptTimeout() const {
    return timeout ? *timeout : std::chrono::milliseconds{lease} / 2;
  }
};

/// Takes what is missing from the environment. Throws std::invalid_argument, whose text names the argument
/// and never contains its value where that may be a key.
[[nodiscard]] CommandLine parseCommandLine(std::span<const std::string> arguments);

/// A number of a report. Throws std::invalid_argument.
[[nodiscard]] std::uint64_t reportNumber(std::string_view text);

/// The argument of `limit-waiting`: a number, or `none`. Throws std::invalid_argument.
[[nodiscard]] std::optional<std::uint64_t> waitingLimit(std::string_view text);

/// The output of `--help`.
[[nodiscard]] std::string usageText();

}  // namespace tally::detail
