#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <unordered_map>

#include <tally/fake/http_server.h>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "handler.h"
#include "thread_pool.h"

namespace tally::fake::detail {

using Tcp = boost::asio::ip::tcp;
using Executor = boost::asio::io_context::executor_type;
using Socket = boost::asio::basic_stream_socket<Tcp, Executor>;
using Acceptor = boost::asio::basic_socket_acceptor<Tcp, Executor>;
using SteadyClock = std::chrono::steady_clock;
using Timer = boost::asio::basic_waitable_timer<SteadyClock, boost::asio::wait_traits<SteadyClock>, Executor>;

class Connection;

/// The state that all loops of a server share.
struct Hub {
  HttpServerOptions options;
  Handler& handler;
  ThreadPool workers{};
  std::atomic<std::uint64_t> refusals = 0;  // requests that can't be parsed
  std::function<void()> onClosed{};         // called on the thread of the loop that owned the connection
};

/// A thread with its connections. Only this thread accesses them, so they need no lock.
class EventLoop {
 public:
  explicit EventLoop(Hub& hub);
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;
  ~EventLoop();

  void start();

  /// Takes ownership of an accepted connection. Thread-safe.
  void adopt(Socket socket);

  /// Ends the thread, after giving requests in flight the drain time to finish. Thread-safe.
  void beginStop();
  void join();

  [[nodiscard]] boost::asio::io_context& context() noexcept { return context_; }
  [[nodiscard]] Hub& hub() noexcept { return hub_; }
  [[nodiscard]] bool stopping() const noexcept { return stopping_; }
  void forget(Connection* connection);

 private:
  void watch();
  void closeOverdue();

  Hub& hub_;
  boost::asio::io_context context_{1};
  Timer watchdog_{context_.get_executor()};
  std::unordered_map<Connection*, std::shared_ptr<Connection>> connections_{};
  bool stopping_ = false;
  SteadyClock::time_point drained_{};
  std::thread thread_{};
};

}  // namespace tally::fake::detail
