#pragma once

#include <memory>

#include <tally/call.h>

#include "async/activity.h"
#include "async/async_engine.h"
#include "async/delivery.h"

namespace tally::detail {

/// Completes at a time.
class Pause final : public AsyncOperation<void>, public Activity {
 public:
  Pause(std::shared_ptr<AsyncEngine> engine, Instant until) : Activity(std::move(engine)), until_(until) {}

  void start(Continuation<void>& continuation) override {
    delivery_.to(continuation);
    engine().start(*this);
  }
  void abandon() noexcept override {
    delivery_.abandon();
    signal(canceling);
  }

 private:
  void begin() override {
    setTimer(until_);
    if (isCanceled()) resume();
  }
  void resume() override {
    if (isCanceled())
      return failed(Error{{.kind = ErrorKind::canceled, .message = "the AsyncClient was closed"}});
    delivery_.setResult(Result<void>{boost::outcome_v2::in_place_type<void>});
    end(nullptr);
  }
  void failed(const Error& error) override {
    delivery_.setError(error);
    end(&error);
  }
  void complete() override { delivery_.complete(); }

  Instant until_;
  Delivery<void> delivery_{};
};

}  // namespace tally::detail
