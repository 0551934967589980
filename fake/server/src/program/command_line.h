#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tally/fake/service.h>

namespace tally::fake::detail {

inline constexpr std::size_t mebibyte = std::size_t{1'024} * 1'024;

/// The command-line options of tally-fake.
struct CommandLine {
  std::string address = "127.0.0.1";
  std::uint16_t port = 7878;
  unsigned threads = 1;
  std::uint64_t seed = 1;
  std::size_t records = 0;
  std::size_t requestLog = ServiceOptions{}.requestLog;
  std::size_t requestLogMib = ServiceOptions{}.requestLogBytes / mebibyte;
  std::optional<std::string> scenario{};
  std::vector<std::string> hosts{};  // further names of the server
  std::string tlsCertificate{};
  std::string tlsKey{};
  std::string readyFile{};
  std::optional<std::chrono::seconds> dropIdle{};
  std::optional<std::string> state{};
  bool virtualClock = false;
  bool limits = true;
  bool faultHeader = false;
  std::string faultScript{};  // a file or the name of a ready-made script; empty: none
  bool control = true;
  bool help = false;
  bool version = false;
};

/// Throws std::invalid_argument for an unknown option or an invalid value.
[[nodiscard]] CommandLine parseCommandLine(std::span<const std::string> arguments);

/// The output of `--help`.
[[nodiscard]] std::string usageText();

}  // namespace tally::fake::detail
