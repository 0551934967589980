#include "connection.h"

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

}  // namespace

void Connection::start() {
  Error ignored;
  (void)socket_.set_option(Tcp::no_delay{true}, ignored);
  (void)socket_.non_blocking(true, ignored);
  nextRequest();
}

void Connection::allow(std::chrono::milliseconds time) {
  deadline_ = SteadyClock::now() + time;
}

void Connection::nextRequest() {
  const HttpServerOptions& options = loop_.hub().options;
  phase_ = Phase::request;
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
  if (error) return refuse(error);
  if (parser_->is_done()) return process();
  if (parser_->is_header_done() && parser_->expectsContinue() && !consented_) return consent();
  awaitBytes();
}

void Connection::consent() {
  consented_ = true;
  asio::async_write(socket_, asio::buffer(goOn),
                    [self = shared_from_this()](const Error& error, std::size_t) {
                      error ? self->close() : self->awaitBytes();
                    });
}

void Connection::awaitBytes() {
  Error ignored;
  if (finished_ || (loop_.stopping() && socket_.available(ignored) == 0)) return close();
  receive();
}

void Connection::receive() {
  if (closed_ || std::exchange(reading_, true)) return;
  socket_.async_read_some(asio::buffer(chunk_),
                          [self = shared_from_this()](const Error& error, std::size_t size) {
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
  if (phase_ == Phase::handling) return watch();
}

void Connection::take(std::size_t size) {
  if (phase_ == Phase::request && !parser_->got_some() && buffer_.size() == 0)
    allow(loop_.hub().options.requestTimeout);
  buffer_.commit(asio::buffer_copy(buffer_.prepare(size), asio::buffer(chunk_), size));
}

/// A peer that closed its connection looks like one that only finished sending. An interim response tells
/// them apart: the former replies with a reset, and HTTP/1.1 lets the latter receive one at any time.
void Connection::finished() {
  finished_ = true;
  if (phase_ == Phase::request || phase_ == Phase::farewell) return close();
  if (phase_ != Phase::handling || parser_->isHttp10()) return;
  Error error;
  socket_.send(asio::buffer(goOn), 0, error);
  if (error && error != asio::error::would_block) return close();
  closeOnReset();
}

/// A request that can't be parsed reaches no service, so it gets a request id that belongs to no service.
void Connection::refuse(const Error& error) {
  refused_ = true;
  const int status = statusOf(error);
  std::string requestId = IdGenerator{loop_.hub().refusals++, refusalStream}.next("req_");
  send({.status = status,
        .headers = {{"Content-Type", "application/json"},
                    {std::string{tally::detail::header::requestId}, std::move(requestId)}},
        .body = errorBody(unreadable(reasonOf(status)))},
       {.close = true});
}

void Connection::process() {
  framing_ = {.close = !parser_->keep_alive() || parser_->isHttp10(), .bodiless = parser_->isHead()};
  phase_ = Phase::handling;
  allowForever();
  Incoming incoming = parser_->take();
  Handler& handler = loop_.hub().handler;
  if (!handler.mayBlock(incoming.request)) return deliver(handler.handle(incoming, gone_.get_token()));
  elsewhere([&handler, taken = std::move(incoming), stop = gone_.get_token()] {
    return handler.handle(taken, stop);
  });
}

/// The guard keeps the thread of the loop alive until it has the result.
void Connection::elsewhere(std::function<TimedResult()> job) {
  watch();
  if (closed_) return;
  loop_.hub().workers.run([self = shared_from_this(), guard = asio::make_work_guard(loop_.context()),
                           made = std::move(job), stop = gone_.get_token()]() mutable {
    TimedResult result = made();
    result.awaitDue(stop);
    asio::io_context& context = self->loop_.context();
    asio::post(context, [owner = std::move(self), kept = std::move(guard),
                         got = std::move(result)]() mutable { owner->deliver(std::move(got)); });
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
  socket_.async_wait(Socket::wait_error, [self = shared_from_this()](const Error&) { self->close(); });
}

void Connection::deliver(TimedResult timed) {
  if (closed_) return;
  if (!timed.isDue()) return elsewhere([kept = std::move(timed)] { return kept; });
  if (const auto* failure = std::get_if<TransportFailure>(&timed.result)) return breakOff(*failure);
  send(std::get<HttpResponse>(timed.result), framing_);
}

/// A connection fault resets the connection, by closing it with a linger time of 0. Otherwise the peer sees
/// an orderly close.
void Connection::breakOff(const TransportFailure& failure) {
  Error ignored;
  using Kind = TransportFailure::Kind;
  if (failure.kind == Kind::connection || failure.kind == Kind::couldNotConnect)
    (void)socket_.set_option(asio::socket_base::linger{true, 0}, ignored);
  close();
}

void Connection::send(const HttpResponse& response, Framing framing) {
  phase_ = Phase::response;
  framing.close = framing.close || loop_.stopping();
  framing_ = framing;
  out_ = write(response, framing);
  allow(loop_.hub().options.requestTimeout);
  asio::async_write(socket_, asio::buffer(out_),
                    [self = shared_from_this()](const Error& error, std::size_t) { self->sent(error); });
}

void Connection::sent(const Error& error) {
  if (error || closed_) return close();
  if (refused_) return linger();
  if (framing_.close) return close();
  nextRequest();
}

/// Closing a socket with unread data would reset the connection, and the response could be lost.
void Connection::linger() {
  Error ignored;
  phase_ = Phase::farewell;
  (void)socket_.shutdown(Socket::shutdown_send, ignored);
  finished_ ? close() : receive();
}

void Connection::endSoon() {
  Error ignored;
  if (phase_ == Phase::request && reading_ && socket_.available(ignored) == 0) close();
}

void Connection::close() {
  if (std::exchange(closed_, true)) return;
  Error ignored;
  gone_.request_stop();
  (void)socket_.close(ignored);
  loop_.forget(this);
}

}  // namespace tally::fake::detail
