#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tally/transport.h>

#include "sdk/support/harness.h"

namespace tally::test {

/// Returns prepared responses in order. Each request waits until the test opens the gate or the caller stops
/// it. Thread-safe.
class GatedTransport final : public Transport {
 public:
  struct Request {
    std::string url{};
    std::thread::id from{};
  };

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    std::unique_lock lock{mutex_};
    const std::size_t mine = requests_.size();
    requests_.push_back({request.url, std::this_thread::get_id()});
    changed_.notify_all();
    if (!changed_.wait(lock, limits.stop, [&] { return mine < opened_; })) return stopped();
    if (!responses_.at(mine)) throw std::runtime_error{"injected by the test"};
    return *responses_.at(mine);
  }

  /// Adds the next response; nullopt: an exception.
  void respond(std::optional<TransportResult> response) {
    const std::lock_guard lock{mutex_};
    responses_.push_back(std::move(response));
  }

  /// Lets that many more requests through.
  void open(std::size_t requests = 1) {
    const std::lock_guard lock{mutex_};
    opened_ += requests;
    changed_.notify_all();
  }

  /// Waits until that many requests have been made.
  void await(std::size_t requests) {
    awaitThat([&] { return requests_.size() >= requests; });
  }

  /// Waits until a caller has stopped a request.
  void awaitStop() {
    awaitThat([&] { return stops_ != 0; });
  }

  [[nodiscard]] std::vector<Request> requests() const {
    const std::lock_guard lock{mutex_};
    return requests_;
  }

  /// The number of requests that callers stopped.
  [[nodiscard]] std::size_t stops() const {
    const std::lock_guard lock{mutex_};
    return stops_;
  }

 private:
  /// After a timeout, the test continues and fails.
  template <class Condition>
  void awaitThat(Condition condition) {
    constexpr std::chrono::seconds patience{30};
    std::unique_lock lock{mutex_};
    (void)changed_.wait_for(lock, patience, condition);
  }

  TransportResult stopped() {
    ++stops_;
    changed_.notify_all();
    return TransportFailure{TransportFailure::Kind::canceled, true, "it was stopped"};
  }

  mutable std::mutex mutex_{};
  std::condition_variable_any changed_{};
  std::deque<std::optional<TransportResult>> responses_{};
  std::vector<Request> requests_{};
  std::size_t opened_ = 0;
  std::size_t stops_ = 0;
};

}  // namespace tally::test
