#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include <boost/intrusive/list.hpp>
#include <curl/curl.h>

#include "curl/curl_connection.h"
#include "event/event_loop.h"
#include "platform/socket_poll.h"

namespace tally::detail {

class CurlSource;

/// A multi handle of libcurl, which waits for sockets and times through a CurlSource. Only for the loop's
/// thread.
class CurlMulti {
 public:
  /// Throws std::bad_alloc if libcurl is out of memory.
  explicit CurlMulti(CurlSource& source);
  CurlMulti(const CurlMulti&) = delete;
  CurlMulti& operator=(const CurlMulti&) = delete;

  /// How many transfers have been added and not removed.
  [[nodiscard]] std::size_t transfers() const noexcept { return added_; }
  /// How many connections are open that transfers have left.
  [[nodiscard]] std::size_t connections() const noexcept { return connections_; }

 protected:
  ~CurlMulti() = default;

  /// Begins a transfer, in the next step. Throws std::bad_alloc if libcurl is out of memory.
  void add(CURL* easy);
  void remove(CURL* easy) noexcept;
  /// The latest connection over which a request has begun; over HTTP/2, the only one.
  [[nodiscard]] CurlConnection& connection() noexcept { return connection_; }
  /// The next transfer that has ended; null if there is none.
  [[nodiscard]] const CURLMsg* nextEnded() noexcept;
  /// Closes idle connections at the end of a transfer if there are more than that many connections.
  void limitConnections(std::size_t count) noexcept;

  /// Makes the source call step() before it waits.
  void beReady() noexcept;
  /// Lets libcurl do what is due.
  void act() noexcept { act(CURL_SOCKET_TIMEOUT, 0); }
  /// Whether memory was missing for a socket. Transfers may then have failed, and new ones might, too.
  [[nodiscard]] bool isBroken() const noexcept { return broken_; }

 private:
  friend CurlSource;
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;
  using Hook = boost::intrusive::list_member_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;
  struct Cleanup {
    void operator()(CURLM* multi) const noexcept { curl_multi_cleanup(multi); }
  };

  /// Called when libcurl has something to do, or after beReady(). Calls act().
  virtual void step() noexcept = 0;
  /// libcurl has acted.
  virtual void acted() noexcept = 0;
  /// Hands out one result, if there is one; false: none. May destroy this.
  virtual bool deliver() = 0;

  void act(curl_socket_t socket, int events) noexcept;
  void haveEnded() noexcept;
  void countConnection(CURL* easy) noexcept;

  static curl_socket_t onOpen(void* self, curlsocktype purpose, curl_sockaddr* address);
  static int onClose(void* self, curl_socket_t socket);
  static int onSocket(CURL* easy, curl_socket_t socket, int what, void* self, void* known);
  static int onTimer(CURLM* multi, long milliseconds, void* self);

  CurlSource& source_;
  CurlConnection connection_{};
  std::size_t connections_ = 0;
  std::size_t added_ = 0;
  bool broken_ = false;
  Time due_ = Time::max();
  Hook all_{};
  Hook ready_{};
  Hook ended_{};
  // Closes the connections, which needs the other members.
  std::unique_ptr<CURLM, Cleanup> multi_{curl_multi_init()};
};

/// Waits for the sockets of multi handles and for the loop's clock, with one SocketPoll. Outlives the multi
/// handles.
class CurlSource final : public EventSource, private SocketReceiver {
 public:
  /// `clock` must outlive this. Throws what makeSocketPoll() throws.
  explicit CurlSource(Clock& clock);
  ~CurlSource() override;

  void waitUntil(Instant time) override;
  void wake() noexcept override;

 private:
  friend CurlMulti;

  /// A socket of libcurl.
  struct Entry {
    CurlMulti* multi = nullptr;
    SocketEvents wanted{};   // by libcurl
    SocketEvents watched{};  // by poll_
    bool lasting = false;    // known from opening to closing
    bool changed = false;    // noted in changed_
    bool counted = false;    // as a connection
  };
  using Multis =
      boost::intrusive::list<CurlMulti,
                             boost::intrusive::member_hook<CurlMulti, CurlMulti::Hook, &CurlMulti::all_>,
                             boost::intrusive::constant_time_size<false>>;
  using Ready =
      boost::intrusive::list<CurlMulti,
                             boost::intrusive::member_hook<CurlMulti, CurlMulti::Hook, &CurlMulti::ready_>,
                             boost::intrusive::constant_time_size<false>>;
  using Ended =
      boost::intrusive::list<CurlMulti,
                             boost::intrusive::member_hook<CurlMulti, CurlMulti::Hook, &CurlMulti::ended_>,
                             boost::intrusive::constant_time_size<false>>;

  [[nodiscard]] Entry& at(curl_socket_t socket);
  void opened(curl_socket_t socket);
  /// Counts a connection; false if it is counted already, or unknown.
  [[nodiscard]] bool count(curl_socket_t socket) noexcept;
  /// Returns whether the socket was counted as a connection.
  [[nodiscard]] bool closing(curl_socket_t socket) noexcept;
  void watch(CurlMulti& multi, curl_socket_t socket, SocketEvents events);
  void apply(curl_socket_t socket, Entry& entry) noexcept;
  void applyChanges() noexcept;
  void step() noexcept;
  void noteDue(CurlMulti::Time now) noexcept;
  void ready(Socket socket, SocketEvents events) noexcept override;
  void deliver();
  [[nodiscard]] std::chrono::nanoseconds longestWait(Instant time) const;

  Clock& clock_;
  std::unique_ptr<EventSource> withoutSockets_;  // null for the system's clock
  std::unique_ptr<SocketPoll> poll_ = makeSocketPoll();
  std::size_t inFlight_ = 0;
  Multis multis_{};
  Ready ready_{};                                 // those whose step() is to be called
  CurlMulti::Time due_ = CurlMulti::Time::max();  // no multi handle is due before
  Ended ended_{};                                 // those that may have results to deliver
  std::vector<Entry> sockets_{};                  // by descriptor
  std::vector<curl_socket_t> changed_{};          // has room for each of them
};

}  // namespace tally::detail
