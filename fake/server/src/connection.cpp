#include "connection.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>

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
  return "not HTTP/1.1";
}

bool isSlow(const ScheduledResult& timed) {
  const auto* response = std::get_if<HttpResponse>(&timed.result);
  return timed.chunks > 1 && response != nullptr && !response->body.empty();
}

/// When to start sending: a slow response starts before it is complete.
ScheduledResult beginningOf(const ScheduledResult& timed) {
  const std::int64_t pauses = isSlow(timed) ? timed.chunks - 1 : 0;
  return {.due = timed.due - timed.pause * pauses, .clock = timed.clock};
}

}  // namespace

void Connection::start() {
  Error ignored;
  (void)channel_.socket().set_option(Tcp::no_delay{true}, ignored);
  (void)channel_.socket().non_blocking(true, ignored);
  if (channel_.tls() == nullptr) return nextRequest();
  allow(loop_.hub().options.requestTimeout);
  reading_ = true;
  channel_.tls()->handshake(
      [self = shared_from_this()](const Error& error, std::size_t) { self->shakenHands(error); });
}

void Connection::shakenHands(const Error& error) {
  reading_ = false;
  if (closed_) return;
  if (!error) return nextRequest();
  if (!channel_.tls()->metPlainHttp()) return close();
  channel_.dropTls();
  refuse(400, "this server speaks TLS; use https://");
}

void Connection::allow(std::chrono::milliseconds time) {
  deadline_ = SteadyClock::now() + time;
}

void Connection::nextRequest() {
  const HttpServerOptions& options = loop_.hub().options;
  phase_ = Phase::request;
  inFlight_.reset();
  parser_.emplace(options.headerLimit, options.bodyLimit);
  consented_ = false;
  allow(options.requestTimeout);
  parse();
}

void Connection::parse() {
  Error error;
  const auto bytes = buffer_.cdata();
  buffer_.consume(parser_->read({static_cast<const char*>(bytes.data()), bytes.size()}, error));
  // An empty line does not start a request.
  if (!parser_->got_some() && buffer_.size() == 0) allow(loop_.hub().options.idleTimeout);
  if (error) return refuse(statusOf(error), reasonOf(statusOf(error)));
  if (parser_->is_done()) return process();
  if (parser_->is_header_done() && parser_->expectsContinue() && !consented_) return consent();
  awaitBytes();
}

void Connection::consent() {
  consented_ = true;
  channel_.write(asio::buffer(goOn), [self = shared_from_this()](const Error& error, std::size_t) {
    error ? self->close() : self->awaitBytes();
  });
}

void Connection::awaitBytes() {
  Error ignored;
  if (finished_ || (loop_.stopping() && channel_.socket().available(ignored) == 0)) return close();
  receive();
}

void Connection::receive() {
  if (closed_ || std::exchange(reading_, true)) return;
  channel_.read(asio::buffer(chunk_), [self = shared_from_this()](const Error& error, std::size_t size) {
    self->reading_ = false;
    if (!self->closed_) self->received(error, size);
  });
}

void Connection::received(const Error& error, std::size_t size) {
  if (error == asio::error::eof) return finished();
  if (error) return close();
  if (phase_ == Phase::farewell) return receive();
  take(size);
  if (phase_ == Phase::request) return parse();
  if (phase_ == Phase::handling || phase_ == Phase::streaming) return watch();
}

void Connection::take(std::size_t size) {
  if (phase_ == Phase::request && !parser_->got_some() && buffer_.size() == 0)
    allow(loop_.hub().options.requestTimeout);
  buffer_.commit(asio::buffer_copy(buffer_.prepare(size), asio::buffer(chunk_), size));
}

/// A peer that closed its connection looks like one that only finished sending. An interim response tells
/// them apart: the former replies with a reset, and HTTP/1.1 lets the latter receive one at any time. With
/// TLS, or for the sake of an endless response, nobody only finishes sending.
void Connection::finished() {
  finished_ = true;
  if (phase_ == Phase::request || phase_ == Phase::farewell || body_) return close();
  if (phase_ != Phase::handling || parser_->isHttp10()) return;
  if (channel_.tls() != nullptr) return close();
  Error error;
  channel_.socket().send(asio::buffer(goOn), 0, error);
  if (error && error != asio::error::would_block) return close();
  closeOnReset();
}

/// A request that can't be parsed reaches no service, so it gets a request id that belongs to no service.
void Connection::refuse(int status, const std::string& reason) {
  refused_ = true;
  std::string requestId = IdGenerator{loop_.hub().traffic.unparseable++, refusalStream}.next("req_");
  send({.status = status,
        .headers = {{"Content-Type", "application/json"},
                    {std::string{tally::detail::header::requestId}, std::move(requestId)}},
        .body = errorBody(unreadable(reason))},
       {.close = true});
}

void Connection::process() {
  framing_ = {.close = !parser_->keep_alive() || parser_->isHttp10(), .bodiless = parser_->isHead()};
  phase_ = Phase::handling;
  inFlight_.emplace(loop_.hub().traffic.inFlight);
  allowForever();
  Incoming incoming = parser_->take();
  Handler& handler = loop_.hub().handler;
  if (!handler.mayBlock(incoming.request)) return deliver(handler.handle(incoming, gone_.get_token()));
  elsewhere([&handler, taken = std::move(incoming), stop = gone_.get_token()] {
    return handler.handle(taken, stop);
  });
}

/// The guard keeps the thread of the loop alive until it has the result.
void Connection::elsewhere(std::function<Reply()> job) {
  watch();
  if (closed_) return;
  loop_.hub().workers.run([self = shared_from_this(), guard = asio::make_work_guard(loop_.context()),
                           made = std::move(job), stop = gone_.get_token()]() mutable {
    Reply result = made();
    if (result.delay <= std::chrono::nanoseconds::zero()) beginningOf(result).waitUntilDue(stop);
    asio::io_context& context = self->loop_.context();
    asio::post(context, [owner = std::move(self), kept = std::move(guard),
                         got = std::move(result)]() mutable { owner->comeBack(std::move(got)); });
  });
}

void Connection::comeBack(Reply reply) {
  slow_ ? sendPart() : deliver(std::move(reply));
}

/// Takes the step in real time, without a thread that waits for it.
void Connection::later(std::chrono::nanoseconds time, std::function<void()> step) {
  allowForever();
  watch();
  if (closed_) return;
  timer_.emplace(loop_.context());
  timer_->expires_after(time);
  timer_->async_wait([weak = weak_from_this(), next = std::move(step)](const Error& error) {
    const auto self = error ? nullptr : weak.lock();
    if (self) next();
  });
}

/// Reads while a result is pending, to detect that the peer disconnects. Once a chunk is buffered, only waits
/// for a reset.
void Connection::watch() {
  if (finished_) return;
  buffer_.size() < chunk_.size() ? receive() : closeOnReset();
}

void Connection::closeOnReset() {
  if (std::exchange(guarded_, true)) return;
  channel_.socket().async_wait(Socket::wait_error,
                               [self = shared_from_this()](const Error&) { self->close(); });
}

void Connection::deliver(Reply reply) {
  if (closed_) return;
  if (const auto delay = std::exchange(reply.delay, {}); delay > std::chrono::nanoseconds::zero())
    return later(delay, [this, kept = std::move(reply)] { deliver(kept); });
  if (!beginningOf(reply).isDue()) return elsewhere([kept = std::move(reply)] { return kept; });
  if (const auto* failure = std::get_if<TransportFailure>(&reply.result)) return breakOff(*failure);
  const HttpResponse& response = std::get<HttpResponse>(reply.result);
  if (reply.body && !framing_.bodiless) return stream(response, std::move(reply.body));
  if (isSlow(reply) && !framing_.bodiless) return sendSlowly(reply);
  send(response, framing_);
}

/// A connection fault resets the connection, by closing it with a linger time of 0. Otherwise the peer sees
/// an orderly close.
void Connection::breakOff(const TransportFailure& failure) {
  Error ignored;
  using Kind = TransportFailure::Kind;
  if (failure.kind == Kind::connection || failure.kind == Kind::couldNotConnect)
    (void)channel_.socket().set_option(asio::socket_base::linger{true, 0}, ignored);
  close();
}

void Connection::send(const HttpResponse& response, Framing framing) {
  phase_ = Phase::response;
  framing.close = framing.close || loop_.stopping();
  framing_ = framing;
  out_ = write(response, framing);
  // The socket usually takes all of it, which saves a turn of the loop. Further requests in the buffer wait
  // for their turn, or their calls would nest.
  const asio::const_buffer rest =
      asio::buffer(out_) + (buffer_.size() == 0 ? channel_.writeSome(asio::buffer(out_)) : 0);
  if (rest.size() == 0) return sent({});
  allow(loop_.hub().options.requestTimeout);
  channel_.write(rest, [self = shared_from_this()](const Error& error, std::size_t) { self->sent(error); });
}

void Connection::sent(const Error& error) {
  if (error || closed_) return close();
  if (refused_) return linger();
  if (framing_.close) return leave();
  nextRequest();
}

void Connection::sendSlowly(const Reply& reply) {
  const HttpResponse& response = std::get<HttpResponse>(reply.result);
  phase_ = Phase::streaming;
  framing_.close = framing_.close || loop_.stopping();
  out_ = write(response, framing_);
  const std::size_t begin = out_.size() - std::min(out_.size(), response.body.size());
  slow_.emplace(SlowBody{.clock = reply.clock,
                         .due = reply.due,
                         .pause = reply.pause,
                         .inRealTime = reply.pausesTakeRealTime,
                         .begin = begin,
                         .size = out_.size() - begin,
                         .parts = static_cast<std::size_t>(reply.chunks)});
  sendPart();
}

/// Sends the next part of a slow body once it is due.
void Connection::sendPart() {
  if (closed_) return;
  const auto left = static_cast<std::int64_t>(slow_->parts - slow_->sent - 1);
  ScheduledResult turn{.due = slow_->due - slow_->pause * left, .clock = slow_->clock};
  allowForever();
  if (!turn.isDue()) return elsewhere([turn] { return turn; });
  const std::size_t begin = slow_->sent == 0 ? 0 : slow_->endOf(slow_->sent - 1);
  const std::size_t end = slow_->endOf(slow_->sent++);
  allow(loop_.hub().options.requestTimeout);
  channel_.write(asio::buffer(out_.data() + begin, end - begin),
                 [self = shared_from_this()](const Error& error, std::size_t) { self->partSent(error); });
}

void Connection::partSent(const Error& error) {
  if (error || closed_) return close();
  if (slow_->sent < slow_->parts)
    return slow_->inRealTime ? later(slow_->pause, [this] { sendPart(); }) : sendPart();
  slow_.reset();
  sent(error);
}

/// Sends the pieces of a body as they arrive, without a thread that waits for them. The connection closes
/// after the last one.
void Connection::stream(const HttpResponse& head, std::shared_ptr<BodyStream> body) {
  phase_ = Phase::streaming;
  body_ = std::move(body);
  streaming_.emplace(loop_.hub().traffic.streams);
  timer_.emplace(loop_.context());
  watch();
  if (closed_) return;
  sendPiece(writeStreamHead(head, !parser_->isHttp10()));
  body_->onMore(wakeUp());
}

/// The result may be called by any thread; calls that come before the loop can react count as one.
std::function<void()> Connection::wakeUp() {
  return [&context = loop_.context(), weak = weak_from_this(),
          posted = std::make_shared<std::atomic<bool>>(false)] {
    if (posted->exchange(true)) return;
    asio::post(context, [weak, posted] {
      *posted = false;
      if (const auto self = weak.lock()) self->sendMore();
    });
  };
}

void Connection::sendMore() {
  if (closed_ || writing_ || !body_) return;
  auto bytes = loop_.stopping() ? std::nullopt : body_->take(SteadyClock::now());
  const bool chunked = !parser_->isHttp10();
  if (!bytes) {
    body_.reset();
    return sendPiece(chunked ? asChunk({}) : "");
  }
  if (bytes->empty()) return sendMoreAt(body_->nextTake());
  sendPiece(chunked ? asChunk(*bytes) : *std::move(bytes));
}

void Connection::sendMoreAt(BodyStream::Time time) {
  timer_->expires_at(time);
  timer_->async_wait([weak = weak_from_this()](const Error& error) {
    const auto self = error ? nullptr : weak.lock();
    if (self) self->sendMore();
  });
}

void Connection::sendPiece(std::string bytes) {
  writing_ = true;
  out_ = std::move(bytes);
  allow(loop_.hub().options.requestTimeout);
  channel_.write(asio::buffer(out_),
                 [self = shared_from_this()](const Error& error, std::size_t) { self->pieceSent(error); });
}

void Connection::pieceSent(const Error& error) {
  writing_ = false;
  if (error || closed_) return close();
  if (!body_) return leave();
  allowForever();
  sendMore();
}

/// Closing a socket with unread data would reset the connection, and the response could be lost.
void Connection::linger() {
  phase_ = Phase::farewell;
  channel_.finish();
  finished_ ? close() : receive();
}

void Connection::leave() {
  channel_.finish();
  close();
}

void Connection::endSoon() {
  Error ignored;
  if (body_) return sendMore();
  if (timer_ && timer_->expiry() > loop_.drained()) return close();
  if (phase_ == Phase::request && reading_ && channel_.socket().available(ignored) == 0) close();
}

void Connection::close() {
  if (std::exchange(closed_, true)) return;
  Error ignored;
  gone_.request_stop();
  inFlight_.reset();
  streaming_.reset();
  timer_.reset();
  body_.reset();
  (void)channel_.socket().close(ignored);
  loop_.forget(this);
}

}  // namespace tally::fake::detail
