#include "bench/support/slow_server.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <system_error>
#include <unordered_map>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tally::bench {

namespace {

using Steady = std::chrono::steady_clock;

int checked(int result, const char* what) {
  if (result < 0) throw std::system_error{errno, std::generic_category(), what};
  return result;
}

class Loop {
 public:
  Loop(int listener, const std::string& body, std::chrono::milliseconds delay)
      : listener_(listener),
        response_("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
                  std::to_string(body.size()) + "\r\n\r\n" + body),
        delay_(delay) {
    watch(listener_);
  }

  [[noreturn]] void run() {
    for (;;) {
      std::array<epoll_event, 256> events{};
      const int count =
          epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), millisecondsToNext());
      for (int n = 0; n < count; ++n)
        handle(events[static_cast<std::size_t>(n)].data.fd);
      respondToDue();
    }
  }

 private:
  struct Due {
    Steady::time_point time{};
    int connection = -1;
  };

  void watch(int descriptor) const {
    epoll_event event{.events = EPOLLIN, .data = {.fd = descriptor}};
    checked(epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event), "epoll_ctl");
  }

  /// Rounded up, so that a response is never early.
  [[nodiscard]] int millisecondsToNext() const {
    if (due_.empty()) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(due_.front().time - Steady::now());
    return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
  }

  void handle(int descriptor) {
    if (descriptor == listener_) return accept();
    std::array<char, 4'096> bytes{};
    const ssize_t size = read(descriptor, bytes.data(), bytes.size());
    if (size <= 0) return closeConnection(descriptor);
    std::string& request = requests_[descriptor];
    request.append(bytes.data(), static_cast<std::size_t>(size));
    if (!request.ends_with("\r\n\r\n")) return;
    request.clear();
    due_.push_back({.time = Steady::now() + delay_, .connection = descriptor});
  }

  void accept() const {
    const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) return;
    const int on = 1;
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    watch(connection);
  }

  void closeConnection(int connection) {
    requests_.erase(connection);
    std::erase_if(due_, [&](const Due& due) { return due.connection == connection; });
    close(connection);
  }

  void respondToDue() {
    const auto now = Steady::now();
    for (; !due_.empty() && due_.front().time <= now; due_.pop_front())
      (void)!write(due_.front().connection, response_.data(), response_.size());
  }

  int epoll_ = checked(epoll_create1(EPOLL_CLOEXEC), "epoll_create1");
  int listener_;
  std::string response_;
  std::chrono::milliseconds delay_;
  std::unordered_map<int, std::string> requests_{};
  std::deque<Due> due_{};
};

int listenAnywhere(std::string& url) {
  const int listener = checked(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket");
  sockaddr_in address{
      .sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
  socklen_t size = sizeof address;
  checked(bind(listener, reinterpret_cast<const sockaddr*>(&address), size), "bind");
  checked(listen(listener, 4'096), "listen");
  checked(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), "getsockname");
  url = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  return listener;
}

}  // namespace

void allowManyDescriptors() {
  rlimit limit{};
  checked(getrlimit(RLIMIT_NOFILE, &limit), "getrlimit");
  limit.rlim_cur = limit.rlim_max;
  checked(setrlimit(RLIMIT_NOFILE, &limit), "setrlimit");
}

SlowServer::SlowServer(const std::string& body, std::chrono::milliseconds delay) {
  const int listener = listenAnywhere(url_);
  // The server must listen before the processes part.
  // NOLINTNEXTLINE(cppcoreguidelines-prefer-member-initializer)
  process_ = checked(fork(), "fork");
  if (process_ == 0) {
    try {
      std::signal(SIGPIPE, SIG_IGN);
      Loop{listener, body, delay}.run();
    } catch (...) {
      std::_Exit(EXIT_FAILURE);
    }
  }
  close(listener);
}

SlowServer::~SlowServer() {
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

}  // namespace tally::bench
