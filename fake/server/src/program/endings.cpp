#include "program/endings.h"

#include <algorithm>
#include <array>
#include <ctime>

#include <unistd.h>

#include "platform/ignored_signal.h"

namespace tally::fake::detail {

Endings::Endings() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  if (!tally::detail::isIgnored(SIGHUP)) sigaddset(&signals_, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
}

bool Endings::came() const {
  sigset_t pending;
  sigpending(&pending);
  return std::ranges::any_of(std::array{SIGINT, SIGTERM, SIGHUP}, [&](int ending) {
    return sigismember(&signals_, ending) == 1 && sigismember(&pending, ending) == 1;
  });
}

bool Endings::await(std::optional<std::chrono::seconds> most) const {
  int ending = 0;
  if (!most) return sigwait(&signals_, &ending) == 0;
  constexpr std::chrono::seconds longest{60};
  const auto time = std::clamp(*most, std::chrono::seconds{1}, longest);
  const timespec timeout{.tv_sec = static_cast<std::time_t>(time.count()), .tv_nsec = 0};
  return sigtimedwait(&signals_, nullptr, &timeout) > 0;
}

void Endings::end() {
  kill(getpid(), SIGTERM);
}

void surviveFailedWrites() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace tally::fake::detail
