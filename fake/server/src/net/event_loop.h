#pragma once

#include <functional>
#include <memory>
#include <thread>
#include <unordered_map>

#include <tally/fake/http_server.h>

#include <boost/asio/io_context.hpp>

#include "net/handler.h"
#include "net/sockets.h"
#include "net/thread_pool.h"
#include "net/tls.h"
#include "net/traffic.h"

namespace tally::fake::detail {

/// A connection of a loop, which alone uses it.
class LoopConnection {
 public:
  LoopConnection() = default;
  LoopConnection(const LoopConnection&) = delete;
  LoopConnection& operator=(const LoopConnection&) = delete;
  virtual ~LoopConnection() = default;

  virtual void start() = 0;

  /// When the peer times out; never while the server is processing.
  [[nodiscard]] virtual SteadyClock::time_point deadline() const noexcept = 0;

  /// Closes the connection now if it waits for input, or for a time after the drain time; or else after the
  /// response to the current request.
  virtual void endSoon() = 0;
  virtual void close() = 0;
};

/// The state that all loops of a server share.
struct Hub {
  HttpServerOptions options;
  Handler& handler;
  Traffic& traffic;
  std::unique_ptr<const TlsIdentity> identity{};  // null: no TLS
  ThreadPool workers{};
  std::function<void()> onClosed{};  // called on the thread of the loop that owned the connection
};

/// A thread with its connections. Only this thread accesses them, so they need no lock.
class EventLoop {
 public:
  explicit EventLoop(Hub& hub);
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;
  ~EventLoop();

  void start();

  /// Ends the thread, after giving requests in flight the drain time to finish. Thread-safe.
  void beginStop();
  void join();

  [[nodiscard]] boost::asio::io_context& context() noexcept { return *context_; }
  /// For threads that may outlive the loop.
  [[nodiscard]] std::weak_ptr<boost::asio::io_context> weakContext() const noexcept { return context_; }
  [[nodiscard]] Hub& hub() noexcept { return hub_; }
  [[nodiscard]] bool stopping() const noexcept { return stopping_; }
  /// When the drain time ends, once stopping.
  [[nodiscard]] SteadyClock::time_point drained() const noexcept { return drained_; }
  /// Starts a connection, which it owns until forget().
  void adopt(const std::shared_ptr<LoopConnection>& connection);
  void forget(LoopConnection* connection);

 private:
  void watch();
  void closeOverdue();

  Hub& hub_;
  std::shared_ptr<boost::asio::io_context> context_ = std::make_shared<boost::asio::io_context>(1);
  Timer watchdog_{context_->get_executor()};
  std::unordered_map<LoopConnection*, std::shared_ptr<LoopConnection>> connections_{};
  bool stopping_ = false;
  SteadyClock::time_point drained_{};
  std::thread thread_{};
};

}  // namespace tally::fake::detail
