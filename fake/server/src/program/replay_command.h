#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tally::fake::detail {

/// The command-line options of `tally-fake replay`.
struct ReplayLine {
  std::string recording{};
  std::string address = "127.0.0.1";
  std::uint16_t port = 7878;
  bool strict = false;
  std::string readyFile{};
  bool help = false;
};

/// Throws std::invalid_argument for an unknown option, an invalid value, or if there is no recording.
[[nodiscard]] ReplayLine parseReplayLine(std::span<const std::string> arguments);

/// The output of `--help`.
[[nodiscard]] std::string replayUsage();

/// Runs `tally-fake replay`. Returns the exit status.
[[nodiscard]] int runReplay(std::span<const std::string> arguments);

}  // namespace tally::fake::detail
