// makeSocketPoll() if TALLY_EVENTS is `epoll`.

#include <array>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <system_error>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "platform/last_error.h"
#include "platform/socket_poll.h"

namespace tally::detail {

namespace {

using std::chrono::nanoseconds;

std::uint32_t epollEvents(SocketEvents events) {
  return (events.input ? EPOLLIN : 0U) | (events.output ? EPOLLOUT : 0U);
}

SocketEvents socketEvents(std::uint32_t events) {
  return {.input = (events & (EPOLLIN | EPOLLHUP)) != 0,
          .output = (events & EPOLLOUT) != 0,
          .failure = (events & EPOLLERR) != 0};
}

timespec timespecOf(nanoseconds duration) {
  constexpr std::int64_t second = std::nano::den;
  return {.tv_sec = static_cast<std::time_t>(duration.count() / second),
          .tv_nsec = static_cast<long>(duration.count() % second)};
}

/// Interrupted waits end early, without events. Systems before Linux 5.11, and some sandboxes, lack the exact
/// call.
template <std::size_t size>
std::size_t waitFor(int epoll, std::array<epoll_event, size>& events, nanoseconds atMost) noexcept {
  const timespec timeout = timespecOf(atMost);
  constexpr int most = static_cast<int>(size);
  int count = epoll_pwait2(epoll, events.data(), most, &timeout, nullptr);
  if (count < 0 && errno != EINTR)
    count = epoll_wait(epoll, events.data(), most, millisecondsUpwards(atMost));
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

int checked(int descriptor, const char* what) {
  if (descriptor < 0) throw std::system_error{lastError(), what};
  return descriptor;
}

class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(descriptor_); }

  [[nodiscard]] int get() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

class Epoll final : public SocketPoll {
 public:
  Epoll() {
    epoll_event readable{.events = EPOLLIN, .data = {.fd = wake_.get()}};
    checked(epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_.get(), &readable), "epoll_ctl");
  }

  void reserve(std::size_t) override {}

  void watch(Socket socket, SocketEvents before, SocketEvents wanted) noexcept override {
    const int change = wanted == SocketEvents{} ? EPOLL_CTL_DEL : EPOLL_CTL_MOD;
    epoll_event event{.events = epollEvents(wanted), .data = {.fd = socket}};
    epoll_ctl(epoll_.get(), before == SocketEvents{} ? EPOLL_CTL_ADD : change, socket, &event);
  }

  void wait(nanoseconds atMost, SocketReceiver& receiver) noexcept override {
    constexpr std::size_t batch = 64;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): written by the system
    std::array<epoll_event, batch> events;
    const std::size_t count = waitFor(epoll_.get(), events, atMost);
    for (std::size_t i = 0; i < count; ++i) {
      if (events[i].data.fd == wake_.get())
        endWake();
      else
        receiver.ready(events[i].data.fd, socketEvents(events[i].events));
    }
  }

  void wake() noexcept override { (void)eventfd_write(wake_.get(), 1); }

 private:
  void endWake() const noexcept {
    eventfd_t count = 0;
    (void)eventfd_read(wake_.get(), &count);
  }

  Descriptor epoll_{checked(epoll_create1(EPOLL_CLOEXEC), "epoll_create1")};
  Descriptor wake_{checked(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")};
};

}  // namespace

std::unique_ptr<SocketPoll> makeSocketPoll() {
  return std::make_unique<Epoll>();
}

}  // namespace tally::detail
