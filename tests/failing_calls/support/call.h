#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tally::test {

/// The calls that can fail. Each names a function of the system library, or several that fail alike.
enum class Call : std::uint8_t {
  memory,  // malloc() and what allocates with it, such as operator new
  thread,
  socket,
  connect,
  bind,
  listen,
  accept,
  send,
  receive,
  socketOption,
  socketName,
  lookup,
  poll,
  epoll,  // its creation
  epollAdd,
  epollWait,
  eventfd,
  timerfd,
  pipe,
  open,
  close,
  read,
  write,
  sync,
  truncate,
  rename,
  remove,
  status,
  lock,
  map,
};

inline constexpr std::size_t callCount = static_cast<std::size_t>(Call::map) + 1;

[[nodiscard]] std::string_view toString(Call call) noexcept;

/// How a call fails.
struct Failure {
  static constexpr int shortened = 0;  ///< In place of an error: only the first byte is transferred.

  int error = shortened;     ///< The value of `errno`.
  bool isMomentary = false;  ///< It never persists, such as an interruption by a signal.
};

/// The failures to expect on a machine whose memory, disk or descriptors are used up, or whose network or
/// disk is broken.
[[nodiscard]] std::span<const Failure> failuresOf(Call call) noexcept;

/// A call of a scenario, and how it fails.
struct Place {
  Call call = Call::memory;
  std::uint32_t number = 1;  ///< Among those of its kind, from 1.
  int error = Failure::shortened;
  bool persists = false;  ///< All further calls of its kind fail, too.

  /// Such as `write,3,ENOSPC,on`; the last word is `once` if it does not persist.
  [[nodiscard]] std::string toText() const;
  /// Throws std::invalid_argument.
  [[nodiscard]] static Place fromText(std::string_view text);

  bool operator==(const Place&) const = default;
};

}  // namespace tally::test
