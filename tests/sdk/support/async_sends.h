#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>
#include <utility>

#include <tally/curl_transport.h>

#include "event/async_transport.h"
#include "event/event_loop.h"

namespace tally::test {

/// Work for a loop.
class PostedTask final : public detail::LoopTask {
 public:
  explicit PostedTask(std::function<void()> work) : work_(std::move(work)) {}

 private:
  void run() override { work_(); }

  std::function<void()> work_;
};

/// A blocking transport that sends by the asynchronous form of another one. The loop runs in the thread of
/// one of the calls in progress.
class AsyncSends final : public Transport {
 public:
  AsyncSends(std::shared_ptr<Clock> clock, Transport& transport)
      : clock_(std::move(clock)), setup_(transport.makeAsync(clock_)) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    Call call{*setup_, request, limits};
    PostedTask start{[&] { call.start(); }};
    PostedTask cancel{[&] { call.cancel(); }};
    std::atomic<bool> stopped = false;
    setup_->loop->post(start);
    {
      const std::stop_callback onStop{limits.stop, [&] {
                                        stopped = true;
                                        setup_->loop->post(cancel);
                                      }};
      runUntil([&] { return call.result.has_value(); });
    }
    if (stopped) runUntil([&] { return call.canceled; });
    return *std::move(call.result);
  }

 private:
  struct Call final : detail::AsyncTransport::Receiver {
    Call(detail::AsyncSetup& to, const HttpRequest& sent, const SendLimits& within)
        : setup(to), request(sent), limits(within) {}

    void start() {
      try {
        transfer = setup.transport->start(request, limits.deadline, *this);
      } catch (const std::bad_alloc&) {
        result = TransportFailure{TransportFailure::Kind::couldNotConnect, false, "out of memory"};
      }
    }

    void threw(const std::exception_ptr& exception) override { std::rethrow_exception(exception); }
    void ended(TransportResult&& got) override {
      result = std::move(got);
      transfer.reset();
    }

    void cancel() {
      canceled = true;
      if (result) return;
      const bool sent = transfer->mayHaveBeenSent();
      transfer.reset();
      result = TransportFailure{TransportFailure::Kind::canceled, sent, "canceled"};
    }

    detail::AsyncSetup& setup;
    const HttpRequest& request;
    const SendLimits& limits;
    std::unique_ptr<detail::AsyncTransfer> transfer{};
    std::optional<TransportResult> result{};
    bool canceled = false;
  };

  /// Until nothing is left to do at once, as the thread of an AsyncClient does. `done` is called with the
  /// mutex, which the loop's thread does not hold during a turn.
  template <class Done>
  void runUntil(Done done) {
    std::unique_lock lock{mutex_};
    while (true) {
      changed_.wait(lock, [&] { return !running_; });
      if (done() && !setup_->loop->hasTasks()) return;
      running_ = true;
      lock.unlock();
      setup_->loop->poll();
      lock.lock();
      running_ = false;
      changed_.notify_all();
    }
  }

  std::shared_ptr<Clock> clock_;
  std::unique_ptr<detail::AsyncSetup> setup_;
  std::mutex mutex_{};
  std::condition_variable changed_{};
  bool running_ = false;
};

/// curlTransport(), or its asynchronous form if the environment variable TALLY_TEST_ASYNC is set.
inline std::shared_ptr<Transport> wireTransport(const std::shared_ptr<Clock>& clock,
                                                CurlTransportOptions options = {}) {
  auto transport = curlTransport(clock, std::move(options));
  if (std::getenv("TALLY_TEST_ASYNC") == nullptr) return transport;
  return std::make_shared<AsyncSends>(clock, *transport);
}

}  // namespace tally::test
