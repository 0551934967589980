#pragma once

#include <functional>
#include <memory>
#include <optional>

#include <tally/stop_token.h>

#include "async/activity.h"
#include "async/async_driver.h"

namespace tally::detail {

/// An activity that consists of several calls, one at a time. Cancellation ends the call in progress; without
/// one, it leads to canceled().
class Composite : public Activity {
 public:
  /// Reads a response: null on success.
  using ReadResponse = std::function<std::optional<Error>(TransportResult& result, Instant now)>;

  [[nodiscard]] bool waitsForPart() const noexcept final { return part_ != nullptr; }

 protected:
  using Activity::Activity;

  /// Call it in begin(): from then on, a stop request cancels the activity.
  void heed(const StopToken& stop);

  /// Makes a call, which ends in partEnded().
  void startPart(AsyncRequest request, ReadResponse read);
  virtual void partEnded(const std::optional<Error>& error) = 0;

  /// Whether a call has detached its request, and with it the turn. Calls that follow it send nothing.
  [[nodiscard]] bool hasDetachedRequest() const noexcept { return detachedRequest_; }

  void end(const Error* error) noexcept;

  /// The timer has expired.
  virtual void waited() {}
  /// Cancellation was requested while no call was in progress.
  virtual void canceled() = 0;

 private:
  class Part;
  struct Cancel {
    Composite* activity;
    void operator()() const noexcept { activity->signal(canceling); }
  };

  void resume() final;

  Part* part_ = nullptr;  // in progress
  bool detachedRequest_ = false;
  std::optional<StopCallback<Cancel>> stopped_{};
};

}  // namespace tally::detail
