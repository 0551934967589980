#include "event/async_transport.h"

#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include <tally/fake/transport.h>
#include <tally/stop_token.h>

#include "engine/engine.h"
#include "engine/request_context.h"
#include "event/event_loop.h"
#include "service/sent.h"

namespace tally::fake {

namespace {

using detail::Engine;
using detail::ResumableRequest;
using tally::detail::AsyncSetup;
using tally::detail::AsyncTransfer;
using tally::detail::AsyncTransport;
using tally::detail::ClockSource;
using tally::detail::EventLoop;
using tally::detail::LoopTask;
using tally::detail::Timer;

/// Moves the clock as a response in flight does: such waits are not among VirtualClock::sleepDurations().
class VirtualSource final : public ClockSource {
 public:
  explicit VirtualSource(std::shared_ptr<VirtualClock> clock) : clock_(std::move(clock)) {}

 private:
  void wait(Instant time, const StopToken& woken) override {
    if (time == Instant::max()) {
      clock_->waitUntil(time, woken);
    } else {
      clock_->passUntil(time, woken);
    }
  }

  std::shared_ptr<VirtualClock> clock_;
};

/// A request at the service: waits for its object, then for its result to be due.
class Transfer final : public AsyncTransfer, private Timer, private LoopTask {
 public:
  Transfer(Engine& engine, EventLoop& loop, const HttpRequest& request, Instant deadline,
           AsyncTransport::Receiver& receiver)
      : engine_(engine),
        loop_(loop),
        request_(std::make_unique<ResumableRequest>(engine.catalog(), &request, deadline)),
        receiver_(receiver) {
    proceed();
  }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  ~Transfer() override {
    if (result_) return;
    engine_.abandon(*request_);
    onWake_.reset();
    loop_.withdraw(*this);
  }

  [[nodiscard]] bool mayHaveBeenSent() const noexcept override {
    return !result_ || detail::mayHaveBeenSent(*result_);
  }

 private:
  void expired() override {
    if (!result_) return proceed();
    AsyncTransport::Receiver& receiver = receiver_;
    receiver.ended(std::move(*result_));
  }

  void run() override { proceed(); }

  void proceed() {
    auto step = engine_.proceed(*request_);
    if (std::holds_alternative<Instant>(step)) {
      expectWake();
      step = engine_.proceed(*request_);
    }
    if (const auto* until = std::get_if<Instant>(&step)) return loop_.set(*this, *until);
    onWake_.reset();
    loop_.withdraw(*this);
    auto& timed = std::get<ScheduledResult>(step);
    result_ = std::move(timed.result);
    request_.reset();
    loop_.set(*this, timed.due);
  }

  /// A test may release the lock of the object in any thread. A wake-up only proves that it was released.
  void expectWake() {
    if (request_->wake && !request_->wake->stop_requested()) return;
    onWake_.reset();
    loop_.withdraw(*this);  // the wake-up before may still be on its way
    request_->wake.emplace();
    onWake_.emplace(request_->wake->get_token(), Post{this});
  }

  struct Post {
    Transfer* transfer;
    void operator()() const noexcept { transfer->loop_.post(*transfer); }
  };

  Engine& engine_;
  EventLoop& loop_;
  std::unique_ptr<ResumableRequest> request_;  // null once it has its result
  AsyncTransport::Receiver& receiver_;
  std::optional<TransportResult> result_{};
  std::optional<StopCallback<Post>> onWake_{};
};

class ServiceTransport final : public AsyncTransport {
 public:
  ServiceTransport(std::shared_ptr<Engine> engine, EventLoop& loop)
      : engine_(std::move(engine)), loop_(loop) {}

  [[nodiscard]] std::unique_ptr<AsyncTransfer> start(const HttpRequest& request, Instant deadline,
                                                     Receiver& receiver) override {
    return std::make_unique<Transfer>(*engine_, loop_, request, deadline, receiver);
  }

 private:
  std::shared_ptr<Engine> engine_;
  EventLoop& loop_;
};

}  // namespace

std::unique_ptr<AsyncSetup> Transport::makeAsync(const std::shared_ptr<Clock>& clock) {
  if (clock != engine_->clock()) return nullptr;
  auto setup = std::make_unique<AsyncSetup>();
  setup->loop =
      std::make_unique<EventLoop>(*engine_->clock(), std::make_unique<VirtualSource>(engine_->clock()));
  setup->transport = std::make_unique<ServiceTransport>(engine_, *setup->loop);
  return setup;
}

}  // namespace tally::fake
