#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include <boost/beast/core/flat_buffer.hpp>

#include "loop.h"
#include "request_parser.h"
#include "response_writer.h"

namespace tally::fake::detail {

/// One peer, and its requests one after the other, in the order in which they came. Lives on the thread of
/// its loop.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Loop& loop, Socket socket) : loop_(loop), socket_(std::move(socket)) {}

  void start();

  /// When whoever is at the other end has had enough time; never while it is we who take it.
  [[nodiscard]] SteadyClock::time_point deadline() const noexcept { return deadline_; }

  /// Answers the request in progress, if there is one, and closes then.
  void endSoon();
  void close();

 private:
  using Error = boost::system::error_code;

  enum class Phase {
    request,   // comes
    reply,     // is waited for
    answer,    // goes
    farewell,  // what still comes is not looked at
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
  void elsewhere(std::function<Reply()> job);
  void watch();
  void closeOnReset();
  void settle(Reply reply);
  void breakOff(const TransportFailure& failure);
  void send(const HttpResponse& response, Framing framing);
  void sent(const Error& error);
  void linger();
  void allow(std::chrono::milliseconds time);
  void allowForever() { deadline_ = SteadyClock::time_point::max(); }

  Loop& loop_;
  Socket socket_;
  std::array<char, 8'192> chunk_{};  // what is read at once
  boost::beast::flat_buffer buffer_{};
  std::optional<RequestParser> parser_{};
  Phase phase_ = Phase::request;
  bool consented_ = false;
  bool reading_ = false;   // into `chunk_`
  bool guarded_ = false;   // a reset will be noticed without reading
  bool finished_ = false;  // the peer sends no more
  bool refused_ = false;   // what it sent can't be read, and what follows neither
  bool closed_ = false;
  std::stop_source gone_{};  // once nobody takes a reply any more
  Framing framing_{};
  std::string out_{};
  SteadyClock::time_point deadline_{};
};

}  // namespace tally::fake::detail
