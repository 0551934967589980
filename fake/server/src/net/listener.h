#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "net/event_loop.h"

namespace tally::fake::detail {

/// Listens on a port for a Handler and assigns new connections to its loops in turn.
class Listener {
 public:
  /// Throws std::system_error if it can't listen, and as loadIdentity() does.
  Listener(Handler& handler, const HttpServerOptions& options, Traffic& traffic);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() { stop(); }

  [[nodiscard]] std::uint16_t port() const noexcept { return endpoint_.port(); }
  [[nodiscard]] std::string url() const;

  void stop();

 private:
  void listen();
  void accept();
  void connected(boost::system::error_code error);
  void oneClosed();

  Hub hub_;
  std::vector<std::unique_ptr<EventLoop>> loops_{};
  Acceptor acceptor_;
  Timer pause_;
  Tcp::endpoint endpoint_{};
  std::size_t next_ = 0;
  std::size_t open_ = 0;  // used on the thread of the first loop, like the acceptor
  bool full_ = false;
  std::mutex stopping_{};
  bool stopped_ = false;
};

}  // namespace tally::fake::detail
