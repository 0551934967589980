#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tally/stop_token.h>

#include <boost/beast/core/flat_buffer.hpp>

#include "net/channel.h"
#include "net/coroutine.h"
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

/// A connection, which processes its requests one after the other, in order. Confined to the thread of its
/// loop.
class Connection final : public LoopConnection, public std::enable_shared_from_this<Connection> {
 public:
  Connection(EventLoop& loop, Socket socket)
      : loop_(loop), channel_(std::move(socket), loop.hub().identity.get()), timer_(loop.context()) {}

  void start() override;
  [[nodiscard]] SteadyClock::time_point deadline() const noexcept override { return deadline_; }
  void endSoon() override;
  void close() override;

 private:
  friend struct Subroutine::promise_type;
  using Error = boost::system::error_code;
  class Arrival;

  enum class Phase {
    receiving,  // a request
    handling,   // waiting for the result
    sending,    // the response
    streaming,  // an endless response
    farewell,   // discarding input until the peer closes
  };

  Detached serve(std::shared_ptr<Connection> self);
  Subroutine shakeHands();
  Subroutine receive();
  Subroutine handleElsewhere(const Incoming& incoming, Reply& reply);
  Subroutine handleLater(DeferredHandler& handler, const Incoming& incoming, Reply& reply);
  Subroutine awaitBeginning(const Reply& reply);
  Subroutine sendRest();
  Subroutine linger();

  [[nodiscard]] auto written(boost::asio::const_buffer bytes);
  [[nodiscard]] auto paused(SteadyClock::time_point end);
  void* frame(std::size_t size);

  [[nodiscard]] Error parse();
  [[nodiscard]] bool mayReceive();
  void read();
  void received(const Error& error, std::size_t size);
  void watch();
  void peerFinished();
  void closeOnReset();

  void refuse(int status, const std::string& reason);
  [[nodiscard]] bool sendAtOnce(Reply& reply);
  void begin(const HttpResponse& response, Reply& reply);
  [[nodiscard]] std::optional<std::string> nextPiece();
  [[nodiscard]] std::function<void()> wakeUp();
  void breakOff(const TransportFailure& failure);

  void allow(std::chrono::milliseconds time) { deadline_ = timeAfter(time); }
  void allowForever() { deadline_ = SteadyClock::time_point::max(); }

  EventLoop& loop_;
  Channel channel_;
  Phase phase_ = Phase::receiving;
  SteadyClock::time_point deadline_{};
  bool closed_ = false;
  StopSource gone_{};  // requested once nobody waits for a response
  Timer timer_;        // for what is sent later
  std::vector<std::byte> frame_{};

  // Input
  std::array<char, 8'192> chunk_{};  // buffer for one read
  boost::beast::flat_buffer buffer_{};
  std::optional<RequestParser> parser_{};
  std::coroutine_handle<> reader_{};  // waits for input
  bool reading_ = false;              // a read into `chunk_` is pending
  bool guarded_ = false;              // waiting for a reset without reading
  bool finished_ = false;             // the peer sends no more

  // The response
  std::optional<Reply> refusal_{};  // of bytes that are no request; nothing after them can be read
  Framing framing_{};
  std::string out_{};
  boost::asio::const_buffer left_{};    // of `out_`
  std::shared_ptr<BodyStream> rest_{};  // of the body, for a response that is sent in pieces
  bool chunked_ = false;
};

/// Serves an accepted connection in that loop. Thread-safe.
void serveIn(EventLoop& loop, Socket socket);

}  // namespace tally::fake::detail
