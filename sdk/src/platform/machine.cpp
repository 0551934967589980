#include "platform/machine.h"

#include <array>
#include <chrono>
#include <ctime>

#include <unistd.h>

namespace tally::detail {

std::string hostName() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

int processId() noexcept {
  return static_cast<int>(::getpid());
}

std::uint64_t userId() noexcept {
  return ::geteuid();
}

Instant bootTime() noexcept {
#ifdef CLOCK_BOOTTIME
  constexpr clockid_t clock = CLOCK_BOOTTIME;
#else
  constexpr clockid_t clock = CLOCK_MONOTONIC;
#endif
  std::timespec time{};
  (void)::clock_gettime(clock, &time);
  return Instant{std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec}};
}

}  // namespace tally::detail
