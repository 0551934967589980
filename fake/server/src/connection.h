#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include <boost/beast/core/flat_buffer.hpp>

#include "event_loop.h"
#include "request_parser.h"
#include "response_writer.h"

namespace tally::fake::detail {

/// A connection, which processes its requests one after the other, in order. Confined to the thread of its
/// loop.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(EventLoop& loop, Socket socket) : loop_(loop), socket_(std::move(socket)) {}

  void start();

  /// When the peer times out; never while the server is processing.
  [[nodiscard]] SteadyClock::time_point deadline() const noexcept { return deadline_; }

  /// Closes the connection now if it waits for input, or else after the response to the current request.
  void endSoon();
  void close();

 private:
  using Error = boost::system::error_code;

  enum class Phase {
    request,   // receiving a request
    handling,  // waiting for the result
    response,  // sending the response
    farewell,  // discarding input until the peer closes
  };

  void nextRequest();
  void parse();
  void consent();
  void awaitBytes();
  void receive();
  void received(const Error& error, std::size_t size);
  void take(std::size_t size);
  void finished();
  void refuse(const Error& error);
  void process();
  void elsewhere(std::function<TimedResult()> job);
  void watch();
  void closeOnReset();
  void deliver(TimedResult timed);
  void breakOff(const TransportFailure& failure);
  void send(const HttpResponse& response, Framing framing);
  void sent(const Error& error);
  void linger();
  void allow(std::chrono::milliseconds time);
  void allowForever() { deadline_ = SteadyClock::time_point::max(); }

  EventLoop& loop_;
  Socket socket_;
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
  SteadyClock::time_point deadline_{};
};

}  // namespace tally::fake::detail
