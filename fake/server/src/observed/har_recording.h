#pragma once

#include <fstream>
#include <optional>
#include <string>

#include "har/har_reader.h"
#include "observed/recorded.h"

namespace tally::fake::detail {

/// A recording in a file of HAR 1.2.
class HarRecording final : public Recording {
 public:
  /// Throws std::runtime_error, with the reason, if the file can't be read.
  explicit HarRecording(const std::string& file);

  [[nodiscard]] std::optional<Recorded> next() override;
  void rewind() override;

  /// Whether the last pass found that the recording ends too early.
  [[nodiscard]] bool cutOff() const { return reader_->cutOff(); }

 private:
  std::ifstream in_;
  std::optional<tally::detail::HarReader> reader_{};
};

}  // namespace tally::fake::detail
