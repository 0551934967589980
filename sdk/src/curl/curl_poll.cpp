// makeSocketPoll() if TALLY_EVENTS is `poll`.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

#include <curl/curl.h>

#include "platform/socket_poll.h"

namespace tally::detail {

namespace {

using std::chrono::nanoseconds;

short curlEvents(SocketEvents events) {
  return static_cast<short>((events.input ? CURL_WAIT_POLLIN : 0) | (events.output ? CURL_WAIT_POLLOUT : 0));
}

/// libcurl reports failures as both.
SocketEvents socketEvents(short events) {
  return {.input = (events & CURL_WAIT_POLLIN) != 0, .output = (events & CURL_WAIT_POLLOUT) != 0};
}

/// Waits with a multi handle of its own, which has no transfers: only sockets that it is given, and what
/// wakes it.
class CurlPoll final : public SocketPoll {
 public:
  CurlPoll() {
    if (multi_ == nullptr) throw std::bad_alloc{};
    // libcurl does not report before that it has got no sockets to be woken by.
    if (curl_multi_wakeup(multi_.get()) != CURLM_OK) throw std::runtime_error{"libcurl can't be woken"};
    pause(nanoseconds{0});
  }

  void reserve(std::size_t end) override {
    places_.resize(std::max(end, places_.size()));
    watched_.reserve(places_.size());
    ready_.reserve(places_.size());
  }

  void watch(Socket socket, SocketEvents before, SocketEvents wanted) noexcept override {
    std::size_t& place = places_[static_cast<std::size_t>(socket)];
    if (before == SocketEvents{}) {
      place = watched_.size();
      watched_.push_back({.fd = socket, .events = 0, .revents = 0});
    }
    if (wanted == SocketEvents{}) return remove(place);
    watched_[place].events = curlEvents(wanted);
  }

  void wait(nanoseconds atMost, SocketReceiver& receiver) noexcept override {
    int count = 0;
    if (poll(watched_, atMost, count) != CURLM_OK) return pause(atMost);
    if (count > 0) report(receiver);
  }

  void wake() noexcept override { (void)curl_multi_wakeup(multi_.get()); }

 private:
  struct Cleanup {
    void operator()(CURLM* multi) const noexcept { curl_multi_cleanup(multi); }
  };
  using Sockets = std::vector<curl_waitfd>;

  CURLMcode poll(Sockets& sockets, nanoseconds atMost, int& count) const noexcept {
    return curl_multi_poll(multi_.get(), sockets.data(), static_cast<unsigned>(sockets.size()),
                           millisecondsUpwards(atMost), &count);
  }

  /// libcurl lacks memory for many sockets. The loop must continue, but not spin.
  void pause(nanoseconds atMost) const noexcept {
    constexpr nanoseconds retryAfter = std::chrono::milliseconds{1};
    Sockets none;
    int count = 0;
    (void)poll(none, std::min(atMost, retryAfter), count);
  }

  void remove(std::size_t place) noexcept {
    watched_[place] = watched_.back();
    places_[static_cast<std::size_t>(watched_[place].fd)] = place;
    watched_.pop_back();
  }

  /// The receiver may change what is watched, and reserve(), which moves `ready_`.
  void report(SocketReceiver& receiver) noexcept {
    ready_.clear();
    std::ranges::copy_if(watched_, std::back_inserter(ready_),
                         [](const curl_waitfd& socket) { return socket.revents != 0; });
    for (std::size_t at = 0; at < ready_.size(); ++at) {
      const curl_waitfd socket = ready_[at];
      receiver.ready(socket.fd, socketEvents(socket.revents));
    }
  }

  std::unique_ptr<CURLM, Cleanup> multi_{curl_multi_init()};
  Sockets watched_{};
  Sockets ready_{};
  std::vector<std::size_t> places_{};  // in watched_, by descriptor
};

}  // namespace

std::unique_ptr<SocketPoll> makeSocketPoll() {
  return std::make_unique<CurlPoll>();
}

}  // namespace tally::detail
