#include "failing_calls/support/call.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace tally::test {

namespace {

constexpr std::array<std::string_view, callCount> names{
    "memory",   "thread",       "socket",     "connect", "bind",  "listen", "accept",   "send",
    "receive",  "socketOption", "socketName", "lookup",  "poll",  "epoll",  "epollAdd", "epollWait",
    "eventfd",  "timerfd",      "pipe",       "open",    "close", "read",   "write",    "sync",
    "truncate", "rename",       "remove",     "status",  "lock",  "map"};

constexpr Failure shortened{.error = Failure::shortened, .isMomentary = true};
constexpr Failure interrupted{.error = EINTR, .isMomentary = true};

constexpr std::array noMemory{Failure{ENOMEM}};
constexpr std::array noThread{Failure{EAGAIN}};
constexpr std::array noDescriptor{Failure{EMFILE}};
constexpr std::array refused{Failure{ECONNREFUSED}, Failure{ENETUNREACH}};
constexpr std::array inUse{Failure{EADDRINUSE}};
constexpr std::array notAccepted{Failure{EMFILE}, Failure{ECONNABORTED, true}};
constexpr std::array notSent{Failure{ECONNRESET}, shortened, interrupted};
constexpr std::array noBuffers{Failure{ENOBUFS}};
constexpr std::array notFound{Failure{EAGAIN}};
constexpr std::array notPolled{Failure{ENOMEM}, interrupted};
constexpr std::array notWatched{Failure{ENOSPC}};
constexpr std::array notAwaited{interrupted};
constexpr std::array notOpened{Failure{EMFILE}, Failure{EACCES}};
constexpr std::array broken{Failure{EIO}};
constexpr std::array notRead{Failure{EIO}, shortened, interrupted};
constexpr std::array notWritten{Failure{ENOSPC}, Failure{EIO}, shortened, interrupted};
constexpr std::array noSpace{Failure{ENOSPC}};
constexpr std::array notPermitted{Failure{EACCES}};
// SQLite waits 10 seconds each time there are no locks, as for a lock of another process.
constexpr std::array noLock{Failure{EIO}, Failure{ENOLCK, true}};

std::string nameOf(int error) {
  return error == Failure::shortened ? "short" : ::strerrorname_np(error);
}

int errorOf(std::string_view name) {
  for (std::size_t call = 0; call < callCount; ++call)
    for (const Failure& failure : failuresOf(static_cast<Call>(call)))
      if (nameOf(failure.error) == name) return failure.error;
  throw std::invalid_argument{"no call fails with " + std::string{name}};
}

Call callOf(std::string_view name) {
  const auto* const found = std::ranges::find(names, name);
  if (found == names.end()) throw std::invalid_argument{"no call has the name " + std::string{name}};
  return static_cast<Call>(found - names.begin());
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t end = 0; end != std::string_view::npos;
       text.remove_prefix(std::min(end + 1, text.size()))) {
    end = text.find(',');
    words.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
  }
  return words;
}

}  // namespace

std::string_view toString(Call call) noexcept {
  return names[static_cast<std::size_t>(call)];
}

std::span<const Failure> failuresOf(Call call) noexcept {
  switch (call) {
    case Call::memory:
    case Call::map:
      return noMemory;
    case Call::thread:
      return noThread;
    case Call::socket:
    case Call::epoll:
    case Call::eventfd:
    case Call::timerfd:
    case Call::pipe:
      return noDescriptor;
    case Call::connect:
      return refused;
    case Call::bind:
    case Call::listen:
      return inUse;
    case Call::accept:
      return notAccepted;
    case Call::send:
    case Call::receive:
      return notSent;
    case Call::socketOption:
    case Call::socketName:
      return noBuffers;
    case Call::lookup:
      return notFound;
    case Call::poll:
      return notPolled;
    case Call::epollAdd:
      return notWatched;
    case Call::epollWait:
      return notAwaited;
    case Call::open:
      return notOpened;
    case Call::close:
    case Call::sync:
    case Call::truncate:
    case Call::remove:
      return broken;
    case Call::read:
      return notRead;
    case Call::write:
      return notWritten;
    case Call::rename:
      return noSpace;
    case Call::status:
      return notPermitted;
    case Call::lock:
      return noLock;
  }
  return {};
}

std::string Place::toText() const {
  return std::string{toString(call)} + ',' + std::to_string(number) + ',' + nameOf(error) +
         (persists ? ",on" : ",once");
}

Place Place::fromText(std::string_view text) {
  const auto words = split(text);
  if (words.size() != 4) throw std::invalid_argument{"expected CALL,NUMBER,ERROR,on or once"};
  Place place{.call = callOf(words[0]), .error = errorOf(words[2]), .persists = words[3] == "on"};
  (void)std::from_chars(words[1].data(), words[1].data() + words[1].size(), place.number);
  return place;
}

}  // namespace tally::test
