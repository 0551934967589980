#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include <boost/beast/core/flat_buffer.hpp>

#include "net/channel.h"
#include "net/event_loop.h"
#include "net/request_parser.h"
#include "net/response_writer.h"

namespace tally::fake::detail {

/// Counts in `number` as long as it lives.
class Counted {
 public:
  explicit Counted(std::atomic<std::int64_t>& number) : number_(number) { ++number_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --number_; }

 private:
  std::atomic<std::int64_t>& number_;
};

/// A response whose body is sent in several parts, each when it is due.
struct SlowBody {
  std::shared_ptr<VirtualClock> clock{};
  Instant due{};  // of the last part
  std::chrono::nanoseconds pause{};
  bool inRealTime = false;  // the pauses
  std::size_t begin = 0;    // of the body
  std::size_t size = 0;
  std::size_t parts = 1;
  std::size_t sent = 0;  // parts

  /// The end of a part, numbered from 0.
  [[nodiscard]] std::size_t endOf(std::size_t part) const { return begin + size * (part + 1) / parts; }
};

/// A connection, which processes its requests one after the other, in order. Confined to the thread of its
/// loop.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(EventLoop& loop, Socket socket)
      : loop_(loop), channel_(std::move(socket), loop.hub().identity.get()) {}

  void start();

  /// When the peer times out; never while the server is processing.
  [[nodiscard]] SteadyClock::time_point deadline() const noexcept { return deadline_; }

  /// Closes the connection now if it waits for input, or for a time after the drain time; or else after the
  /// response to the current request.
  void endSoon();
  void close();

 private:
  using Error = boost::system::error_code;

  enum class Phase {
    request,    // receiving a request
    handling,   // waiting for the result
    response,   // sending the response
    streaming,  // sending the response as its parts arrive
    farewell,   // discarding input until the peer closes
  };

  void shakenHands(const Error& error);
  void nextRequest();
  void parse();
  void consent();
  void awaitBytes();
  void receive();
  void received(const Error& error, std::size_t size);
  void take(std::size_t size);
  void finished();
  void refuse(int status, const std::string& reason);
  void process();
  void elsewhere(std::function<Reply()> job);
  void comeBack(Reply reply);
  void later(std::chrono::nanoseconds time, std::function<void()> step);
  void watch();
  void closeOnReset();
  void deliver(Reply reply);
  void breakOff(const TransportFailure& failure);
  void send(const HttpResponse& response, Framing framing);
  void sent(const Error& error);
  void sendSlowly(const Reply& reply);
  void sendPart();
  void partSent(const Error& error);
  void stream(const HttpResponse& head, std::shared_ptr<BodyStream> body);
  [[nodiscard]] std::function<void()> wakeUp();
  void sendMore();
  void sendMoreAt(BodyStream::Time time);
  void sendPiece(std::string bytes);
  void pieceSent(const Error& error);
  void linger();
  void leave();
  void allow(std::chrono::milliseconds time);
  void allowForever() { deadline_ = SteadyClock::time_point::max(); }

  EventLoop& loop_;
  Channel channel_;
  std::array<char, 8'192> chunk_{};  // buffer for one read
  boost::beast::flat_buffer buffer_{};
  std::optional<RequestParser> parser_{};
  Phase phase_ = Phase::request;
  bool consented_ = false;
  bool reading_ = false;   // a read into `chunk_` is pending
  bool guarded_ = false;   // waiting for a reset without reading
  bool finished_ = false;  // the peer sends no more
  bool refused_ = false;   // the request can't be parsed, nor can anything after it
  bool closed_ = false;
  std::stop_source gone_{};  // requested once nobody waits for a response
  Framing framing_{};
  std::string out_{};
  std::optional<Counted> inFlight_{};
  std::optional<SlowBody> slow_{};
  std::shared_ptr<BodyStream> body_{};
  std::optional<Counted> streaming_{};
  std::optional<Timer> timer_{};  // for what is sent later
  bool writing_ = false;          // a piece of `body_`
  SteadyClock::time_point deadline_{};
};

}  // namespace tally::fake::detail
