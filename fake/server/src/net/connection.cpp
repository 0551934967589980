#include "net/connection.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/http/error.hpp>

#include "net/slow_body.h"
#include "tables/id_generator.h"
#include "tables/refusal.h"
#include "wire.h"

namespace tally::fake::detail {

namespace asio = boost::asio;
namespace http = boost::beast::http;

namespace {

constexpr std::uint64_t refusalStream = 6;  // distinct from the streams of a service
constexpr std::string_view goOn = "HTTP/1.1 100 Continue\r\n\r\n";

int statusOf(const boost::system::error_code& error) {
  if (error == http::error::header_limit) return 431;
  if (error == http::error::body_limit) return 413;
  return 400;
}

std::string reasonOf(int status) {
  if (status == 431) return "the headers are too large";
  if (status == 413) return "the body is too large";
  return "the request is not valid HTTP/1.1";
}

bool isSlow(const Reply& reply) {
  const auto* response = std::get_if<HttpResponse>(&reply.result);
  return reply.chunks > 1 && response != nullptr && !response->body.empty();
}

/// When to start sending: a slow response starts before it is complete.
ScheduledResult beginningOf(const Reply& reply) {
  const std::int64_t pauses = isSlow(reply) ? reply.chunks - 1 : 0;
  return {.due = reply.due - reply.pause * pauses, .clock = reply.clock};
}

bool hasDelay(const Reply& reply) {
  return reply.delay > std::chrono::nanoseconds::zero();
}

bool isDue(const Reply& reply) {
  return !hasDelay(reply) && (reply.clock == nullptr || beginningOf(reply).isDue());
}

}  // namespace

/// Waits for input, or for its end.
class Connection::Arrival {
 public:
  explicit Arrival(Connection& connection) : connection_(connection) {}

  [[nodiscard]] bool await_ready() const noexcept { return connection_.closed_ || connection_.finished_; }
  void await_suspend(std::coroutine_handle<> waiting) {
    connection_.reader_ = waiting;
    connection_.read();
  }
  void await_resume() const noexcept {}

 private:
  Connection& connection_;
};

/// The memory of the present subroutine.
void* Connection::frame(std::size_t size) {
  frame_.resize(std::max(frame_.size(), size));
  return frame_.data();
}

/// Writes all of it.
auto Connection::written(asio::const_buffer bytes) {
  allow(loop_.hub().options.requestTimeout);
  return Wait{closed_, [this, bytes](auto done) { channel_.write(bytes, done); }};
}

/// Waits until `end` in real time, without a thread, or until the timer is canceled.
auto Connection::paused(SteadyClock::time_point end) {
  watch();
  timer_.expires_at(end);
  return Wait{closed_, [this](auto done) { timer_.async_wait(done); }};
}

/// The whole life of the connection. close() ends whatever it waits for. What usually need not wait is no
/// subroutine.
Detached Connection::serve(std::shared_ptr<Connection> /*self*/) {
  if (channel_.tls() != nullptr) co_await shakeHands();
  while (!closed_ && !framing_.close) {
    co_await receive();
    if (closed_ || refusal_) break;
    const Counted inFlight{loop_.hub().traffic.inFlight};
    phase_ = Phase::handling;
    framing_ = {.close = !parser_->keep_alive() || parser_->isHttp10(), .bodiless = parser_->isHead()};
    allowForever();
    const Incoming incoming = parser_->take();
    DeferredHandler* const deferred = loop_.hub().handler.deferredFor(incoming.request);
    const bool mayBlock = deferred == nullptr && loop_.hub().handler.mayBlock(incoming.request);
    const bool atOnce = deferred == nullptr && !mayBlock;
    Reply reply = atOnce ? loop_.hub().handler.handle(incoming, gone_.get_token()) : Reply{};
    if (mayBlock) co_await handleElsewhere(incoming, reply);
    if (deferred != nullptr) co_await handleLater(*deferred, incoming, reply);
    if (!isDue(reply)) co_await awaitBeginning(reply);
    if (!closed_ && !sendAtOnce(reply)) co_await sendRest();
  }
  if (!closed_ && refusal_ && !sendAtOnce(*refusal_)) co_await sendRest();
  if (!closed_) channel_.finish();
  if (!closed_ && refusal_) co_await linger();
  close();
}

Subroutine Connection::shakeHands() {
  allow(loop_.hub().options.requestTimeout);
  reading_ = true;
  const Error failed = co_await Wait{closed_, [this](auto done) { channel_.tls()->handshake(done); }};
  reading_ = false;
  if (closed_ || !failed) co_return;
  if (!channel_.tls()->metPlainHttp()) co_return close();
  channel_.dropTls();
  refuse(400, "this server speaks TLS; use https://");
}

Subroutine Connection::receive() {
  phase_ = Phase::receiving;
  parser_.emplace(loop_.hub().options.headerLimit, loop_.hub().options.bodyLimit);
  allow(loop_.hub().options.requestTimeout);
  bool consented = false;
  while (true) {
    const Error problem = parse();
    if (problem) co_return refuse(statusOf(problem), reasonOf(statusOf(problem)));
    if (parser_->is_done()) co_return;
    if (parser_->is_header_done() && parser_->expectsContinue() && !std::exchange(consented, true)) {
      const Error failed = co_await written(asio::buffer(goOn));
      if (failed) co_return close();
    }
    if (!mayReceive()) co_return close();
    co_await Arrival{*this};
    if (closed_) co_return;
  }
}

/// Handles a request that may block on another thread. The guard keeps the thread of the loop alive until
/// then.
Subroutine Connection::handleElsewhere(const Incoming& incoming, Reply& reply) {
  watch();
  co_await Wait{closed_, [this, &incoming, &reply](auto done) {
                  loop_.hub().workers.run([this, &incoming, &reply, done,
                                           guard = asio::make_work_guard(loop_.context())]() mutable {
                    reply = loop_.hub().handler.handle(incoming, gone_.get_token());
                    asio::post(loop_.context(), [done, kept = std::move(guard)]() mutable { done(Error{}); });
                  });
                }};
}

Subroutine Connection::handleLater(DeferredHandler& handler, const Incoming& incoming, Reply& reply) {
  watch();
  co_await Wait{closed_, [this, &handler, &incoming, &reply](auto done) {
                  handler.start(incoming, loop_.context(), [&reply, done](Reply made) mutable {
                    reply = std::move(made);
                    done(Error{});
                  });
                }};
}

/// A pause may end early: see wakeUp().
Subroutine Connection::awaitBeginning(const Reply& reply) {
  const SteadyClock::time_point delayed = SteadyClock::now() + reply.delay;
  while (!closed_ && SteadyClock::now() < delayed)
    co_await paused(delayed);
  const ScheduledResult beginning = beginningOf(reply);
  while (!closed_ && !beginning.isDue()) {
    const VirtualClock::Alarm alarm{*beginning.clock, beginning.due, wakeUp()};
    if (!beginning.isDue()) co_await paused(alarm.realTime());
  }
}

/// Sends what is left of the response, and the pieces of its body as they arrive, without a thread that waits
/// for them.
Subroutine Connection::sendRest() {
  std::optional<Counted> streaming;
  if (phase_ == Phase::streaming) streaming.emplace(loop_.hub().traffic.streams);
  while (true) {
    if (left_.size() != 0) {
      const Error failed = co_await written(left_);
      if (failed) close();
    }
    if (closed_ || !rest_) co_return;
    std::optional<std::string> piece = nextPiece();
    while (piece && piece->empty()) {
      allowForever();
      co_await paused(rest_->nextTake());
      if (closed_) co_return;
      piece = nextPiece();
    }
    if (!piece) rest_.reset();
    out_ = chunked_ ? asChunk(piece.value_or("")) : std::move(piece).value_or("");
    left_ = asio::buffer(out_);
  }
}

/// Closing a socket with unread data would reset the connection, and the response could be lost.
Subroutine Connection::linger() {
  phase_ = Phase::farewell;
  while (!closed_ && !finished_) {
    buffer_.clear();
    co_await Arrival{*this};
  }
}

Connection::Error Connection::parse() {
  Error error;
  const auto bytes = buffer_.cdata();
  buffer_.consume(parser_->read({static_cast<const char*>(bytes.data()), bytes.size()}, error));
  // An empty line does not start a request.
  if (!parser_->got_some() && buffer_.size() == 0) allow(loop_.hub().options.idleTimeout);
  return error;
}

bool Connection::mayReceive() {
  Error ignored;
  return !finished_ && (!loop_.stopping() || channel_.socket().available(ignored) != 0);
}

void Connection::read() {
  if (closed_ || std::exchange(reading_, true)) return;
  channel_.read(asio::buffer(chunk_), [self = shared_from_this()](const Error& error, std::size_t size) {
    self->reading_ = false;
    if (!self->closed_) self->received(error, size);
    if (self->reader_) std::exchange(self->reader_, nullptr).resume();
  });
}

void Connection::received(const Error& error, std::size_t size) {
  if (error && error != asio::error::eof) return close();
  finished_ = error == asio::error::eof;
  if (phase_ == Phase::receiving && !finished_ && !parser_->got_some() && buffer_.size() == 0)
    allow(loop_.hub().options.requestTimeout);
  buffer_.commit(asio::buffer_copy(buffer_.prepare(size), asio::buffer(chunk_), size));
  if (!reader_) finished_ ? peerFinished() : watch();
}

/// Reads while nobody waits for input, to detect that the peer disconnects. Once a chunk is buffered, only
/// waits for a reset.
void Connection::watch() {
  if (finished_ || closed_) return;
  buffer_.size() < chunk_.size() ? read() : closeOnReset();
}

/// A peer that closed its connection looks like one that only finished sending. An interim response tells
/// them apart: the former replies with a reset, and HTTP/1.1 lets the latter receive one at any time. With
/// TLS, or for the sake of an endless response, nobody only finishes sending.
void Connection::peerFinished() {
  if (phase_ == Phase::streaming) return close();
  if (phase_ != Phase::handling || parser_->isHttp10()) return;
  if (channel_.tls() != nullptr) return close();
  Error error;
  channel_.socket().send(asio::buffer(goOn), 0, error);
  if (error && error != asio::error::would_block) return close();
  closeOnReset();
}

void Connection::closeOnReset() {
  if (std::exchange(guarded_, true)) return;
  channel_.socket().async_wait(Socket::wait_error,
                               [self = shared_from_this()](const Error&) { self->close(); });
}

/// A request that can't be parsed reaches no service, so it gets a request id that belongs to no service.
void Connection::refuse(int status, const std::string& reason) {
  std::string requestId = IdGenerator{loop_.hub().traffic.unparseable++, refusalStream}.next("req_");
  framing_ = {.close = true};
  refusal_ =
      ScheduledResult{.result = HttpResponse{
                          .status = status,
                          .headers = {{"Content-Type", "application/json"},
                                      {std::string{tally::detail::header::requestId}, std::move(requestId)}},
                          .body = errorBody(unreadable(reason))}};
}

/// Sends as much of a response as the socket takes now. That is usually all of it, which saves a poll of the
/// loop. While further requests are in the buffer, other connections get their turn. Returns whether nothing
/// is left.
bool Connection::sendAtOnce(Reply& reply) {
  if (const auto* failure = std::get_if<TransportFailure>(&reply.result)) {
    breakOff(*failure);
    return true;
  }
  begin(std::get<HttpResponse>(reply.result), reply);
  left_ = asio::buffer(out_);
  if (buffer_.size() == 0) left_ += channel_.writeSome(left_);
  return left_.size() == 0 && !rest_;
}

/// Makes a response, or the beginning of one whose body is sent in pieces.
void Connection::begin(const HttpResponse& response, Reply& reply) {
  const bool endless = reply.body && !framing_.bodiless;
  phase_ = endless ? Phase::streaming : Phase::sending;
  framing_.close = framing_.close || endless || loop_.stopping();
  chunked_ = endless && !parser_->isHttp10();
  out_ = endless ? writeStreamHead(response, chunked_) : write(response, framing_);
  if (endless) rest_ = std::move(reply.body);
  if (!endless && !framing_.bodiless && isSlow(reply)) {
    std::string head = write(response, {.close = framing_.close, .bodiless = true});
    rest_ = std::make_shared<SlowBody>(out_.substr(head.size()), reply);
    out_ = std::move(head);
  }
  if (rest_) rest_->onMore(wakeUp());
}

/// Nothing at the end of the body.
std::optional<std::string> Connection::nextPiece() {
  if (phase_ == Phase::streaming && loop_.stopping()) return std::nullopt;
  return rest_->take(SteadyClock::now());
}

/// Ends the present pause, or one that begins before the loop can react. The result may be called by any
/// thread, even after the server is destroyed; calls that come before the loop can react count as one.
std::function<void()> Connection::wakeUp() {
  return [loop = loop_.weakContext(), weak = weak_from_this(),
          posted = std::make_shared<std::atomic<bool>>(false)] {
    const auto context = loop.lock();
    if (!context || posted->exchange(true)) return;
    asio::post(*context, [weak, posted] {
      *posted = false;
      if (const auto self = weak.lock()) self->timer_.expires_at(SteadyClock::time_point::min());
    });
  };
}

/// A connection fault resets the connection, by closing it with a linger time of 0. Otherwise the peer sees
/// an orderly close.
void Connection::breakOff(const TransportFailure& failure) {
  using FailureKind = TransportFailure::Kind;
  Error ignored;
  if (failure.kind == FailureKind::connection || failure.kind == FailureKind::couldNotConnect)
    (void)channel_.socket().set_option(asio::socket_base::linger{true, 0}, ignored);
  close();
}

void Connection::start() {
  Error ignored;
  (void)channel_.socket().set_option(Tcp::no_delay{true}, ignored);
  (void)channel_.socket().non_blocking(true, ignored);
  serve(shared_from_this());
}

void Connection::endSoon() {
  Error ignored;
  if (phase_ == Phase::streaming) {
    timer_.cancel();
    return;
  }
  if (timer_.expiry() > loop_.drained() && timer_.expiry() != SteadyClock::time_point::max()) return close();
  if (phase_ == Phase::receiving && reading_ && channel_.socket().available(ignored) == 0) close();
}

void Connection::close() {
  if (std::exchange(closed_, true)) return;
  Error ignored;
  gone_.request_stop();
  timer_.cancel();
  (void)channel_.socket().close(ignored);
  loop_.forget(this);
}

void serveIn(EventLoop& loop, Socket socket) {
  asio::post(loop.context(), [&loop, taken = std::move(socket)]() mutable {
    loop.adopt(std::make_shared<Connection>(loop, std::move(taken)));
  });
}

}  // namespace tally::fake::detail
