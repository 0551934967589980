#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include <tally/fake/virtual_clock.h>

#include "net/body_stream.h"
#include "net/handler.h"

namespace tally::fake::detail {

/// A body that is sent in parts of the same size, each when it is due: see ScheduledResult::chunks.
class SlowBody final : public BodyStream {
 public:
  SlowBody(std::string body, const Reply& timing);

  void onMore(std::function<void()> wake) override { wake_ = std::move(wake); }
  [[nodiscard]] std::optional<std::string> take(Time now) override;
  [[nodiscard]] Time nextTake() const override {
    return alarm_ ? std::max(next_, alarm_->realTime()) : next_;
  }

 private:
  [[nodiscard]] bool isDue();
  [[nodiscard]] std::size_t endOf(std::size_t parts) const { return body_.size() * parts / parts_; }

  const std::string body_;
  const ScheduledResult last_;  // when the last part is due
  const std::size_t parts_;
  const bool pausesInRealTime_;
  std::function<void()> wake_{};
  std::size_t sent_ = 0;                        // parts
  std::optional<VirtualClock::Alarm> alarm_{};  // for the next part
  Time next_{};                                 // the end of a pause in real time
};

}  // namespace tally::fake::detail
