#pragma once

#include <memory>

#include <tally/call.h>

#include "async/activity.h"
#include "async/activity_operation.h"
#include "async/async_engine.h"

namespace tally::detail {

/// Completes at a time.
class Pause final : public ActivityOperation<void, Activity> {
 public:
  Pause(std::shared_ptr<AsyncEngine> engine, Instant until)
      : ActivityOperation(std::move(engine)), until_(until) {}

 private:
  void begin() override {
    setTimer(until_);
    if (isCanceled()) resume();
  }
  void resume() override {
    if (isCanceled()) return fail(Error{{.kind = ErrorKind::canceled, .message = "the pause was canceled"}});
    delivery().setResult(Result<void>{boost::outcome_v2::in_place_type<void>});
    end(nullptr);
  }
  void fail(const Error& error) override {
    delivery().setError(error);
    end(&error);
  }

  Instant until_;
};

}  // namespace tally::detail
