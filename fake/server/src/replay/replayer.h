#pragma once

#include "har/recording_index.h"
#include "net/handler.h"

namespace tally::fake::detail {

/// Responds as a recording did. Breaks the connection where no response was recorded. Thread-safe.
class Replayer final : public Handler {
 public:
  /// `recording` must outlive this.
  explicit Replayer(tally::detail::RecordingIndex& recording) : recording_(recording) {}

  [[nodiscard]] bool mayBlock(const HttpRequest& /*request*/) const override { return false; }
  [[nodiscard]] Reply handle(const Incoming& incoming, const StopToken& stop) override;

 private:
  tally::detail::RecordingIndex& recording_;
};

}  // namespace tally::fake::detail
