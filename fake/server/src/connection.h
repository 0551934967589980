#pragma once

#include <memory>
#include <optional>
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
  Connection(Loop& loop, Socket socket);

  void start();

  /// When whoever is at the other end has had enough time; never while it is we who take it.
  [[nodiscard]] SteadyClock::time_point deadline() const noexcept { return deadline_; }

  /// Answers the request in progress, if there is one, and closes then.
  void endSoon();
  void close();

 private:
  using Error = boost::system::error_code;

  void nextRequest();
  void parse();
  void consent();
  void receive();
  void refuse(const Error& error);
  void process();
  void processElsewhere(Incoming incoming);
  void settle(Reply reply);
  void breakOff(const TransportFailure& failure);
  void send(const HttpResponse& response, Framing framing);
  void sent(const Error& error);
  void linger();
  void allow(std::chrono::milliseconds time);
  void allowForever() { deadline_ = SteadyClock::time_point::max(); }

  Loop& loop_;
  Socket socket_;
  Timer timer_;
  boost::beast::flat_buffer buffer_{};
  std::optional<RequestParser> parser_{};
  bool consented_ = false;
  bool reading_ = false;  // waits for bytes
  bool refused_ = false;  // what it sent can't be read, and what follows neither
  bool closed_ = false;
  Framing framing_{};
  std::string out_{};
  SteadyClock::time_point deadline_{};
};

}  // namespace tally::fake::detail
