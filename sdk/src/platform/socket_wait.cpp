#include "platform/socket_wait.h"

#include <cerrno>
#include <span>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "platform/last_error.h"

namespace tally::detail {

namespace {

std::array<int, 2> openPipe() {
  std::array<int, 2> ends{};
#ifdef __linux__
  const int failed = ::pipe2(ends.data(), O_CLOEXEC);
#else
  const int failed = ::pipe(ends.data());
  if (failed == 0)
    for (const int end : ends)
      (void)::fcntl(end, F_SETFD, FD_CLOEXEC);
#endif
  if (failed != 0) throw std::system_error{lastError(), "pipe"};
  return ends;
}

/// Without memory, poll(2) fails immediately. Callers then wait again, which must not use a whole core.
void pollOrPause(std::span<pollfd> polled, int milliseconds) noexcept {
  constexpr std::chrono::milliseconds retryAfter{100};
  if (::poll(polled.data(), static_cast<nfds_t>(polled.size()), milliseconds) < 0 && errno != EINTR)
    std::this_thread::sleep_for(retryAfter);
}

}  // namespace

void awaitSocket(Socket socket, bool output, std::chrono::milliseconds atMost) noexcept {
  pollfd polled{.fd = socket, .events = POLLIN, .revents = 0};
  if (output) polled.events = POLLIN | POLLOUT;
  pollOrPause({&polled, 1}, static_cast<int>(atMost.count()));
}

StoppableWait::StoppableWait() : pipe_(openPipe()) {}

StoppableWait::~StoppableWait() {
  for (const int end : pipe_)
    if (end >= 0) ::close(end);
}

bool StoppableWait::awaitInput(Socket socket) const noexcept {
  return await(socket, -1);
}

bool StoppableWait::pause(std::chrono::milliseconds atMost) const noexcept {
  return await(-1, static_cast<int>(atMost.count()));
}

/// The other end becomes readable. Closing this one would not suffice if a forked child has it, too.
void StoppableWait::stop() noexcept {
  isStopped_ = true;
  while (::write(pipe_[1], "", 1) < 0 && errno == EINTR) {
  }
}

bool StoppableWait::await(Socket socket, int milliseconds) const noexcept {
  std::array<pollfd, 2> polled{pollfd{.fd = pipe_[0], .events = POLLIN, .revents = 0},
                               pollfd{.fd = socket, .events = POLLIN, .revents = 0}};
  pollOrPause(polled, milliseconds);
  return !isStopped_;
}

}  // namespace tally::detail
