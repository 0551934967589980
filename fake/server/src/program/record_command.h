#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tally::fake::detail {

/// The command-line options of `tally-fake record`.
struct RecordLine {
  std::string upstream{};
  std::string out{};
  std::string address = "127.0.0.1";
  std::uint16_t port = 7879;
  unsigned threads = 1;
  std::vector<std::string> redact{};
  std::vector<std::string> faults{};  // as JSON
  std::uint64_t seed = 1;
  std::uint32_t timeout = 80;  // of a request, in seconds
  std::string authorities{};
  std::vector<std::string> hosts{};  // further names of the recorder
  std::string tlsCertificate{};
  std::string tlsKey{};
  std::string readyFile{};
  bool help = false;
};

/// Throws std::invalid_argument for an unknown option, an invalid value, or one that is missing.
[[nodiscard]] RecordLine parseRecordLine(std::span<const std::string> arguments);

/// The output of `--help`.
[[nodiscard]] std::string recordUsage();

/// Runs `tally-fake record`. Returns the exit status.
[[nodiscard]] int runRecord(std::span<const std::string> arguments);

}  // namespace tally::fake::detail
