#include "connection.h"

#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>

#include "refusal.h"

namespace tally::fake::detail {

namespace asio = boost::asio;
namespace http = boost::beast::http;

namespace {

constexpr std::size_t readAtOnce = 8'192;

int statusOf(const boost::system::error_code& error) {
  if (error == http::error::header_limit) return 431;
  if (error == http::error::body_limit) return 413;
  return 400;
}

std::string reasonOf(int status) {
  if (status == 431) return "its headers are too large";
  if (status == 413) return "its body is too large";
  return "it is no HTTP/1.1";
}

}  // namespace

Connection::Connection(Loop& loop, Socket socket)
    : loop_(loop), socket_(std::move(socket)), timer_(loop.context().get_executor()) {}

void Connection::start() {
  Error ignored;
  socket_.set_option(Tcp::no_delay{true}, ignored);
  nextRequest();
}

void Connection::allow(std::chrono::milliseconds time) {
  deadline_ = SteadyClock::now() + time;
}

void Connection::nextRequest() {
  const HttpServerOptions& options = loop_.hub().options;
  parser_.emplace(options.headerLimit, options.bodyLimit);
  consented_ = false;
  allow(buffer_.size() == 0 ? options.idleTimeout : options.requestTimeout);
  parse();
}

void Connection::parse() {
  Error error;
  if (buffer_.size() != 0) buffer_.consume(parser_->put(buffer_.data(), error));
  if (error && error != http::error::need_more) return refuse(error);
  if (parser_->is_done()) return process();
  // Beast sets no limit to what stands between the chunks of a body.
  if (buffer_.size() > loop_.hub().options.headerLimit) return refuse(http::error::header_limit);
  if (parser_->is_header_done() && parser_->expectsContinue() && !consented_) return consent();
  receive();
}

void Connection::consent() {
  consented_ = true;
  out_ = "HTTP/1.1 100 Continue\r\n\r\n";
  asio::async_write(socket_, asio::buffer(out_),
                    [self = shared_from_this()](const Error& error, std::size_t) {
                      error ? self->close() : self->receive();
                    });
}

void Connection::receive() {
  if (closed_) return;
  Error ignored;
  if (loop_.stopping() && socket_.available(ignored) == 0) return close();
  reading_ = true;
  socket_.async_read_some(buffer_.prepare(readAtOnce),
                          [self = shared_from_this()](const Error& error, std::size_t size) {
                            self->reading_ = false;
                            if (error || self->closed_) return self->close();
                            if (!self->parser_->got_some() && self->buffer_.size() == 0)
                              self->allow(self->loop_.hub().options.requestTimeout);
                            self->buffer_.commit(size);
                            self->parse();
                          });
}

void Connection::refuse(const Error& error) {
  refused_ = true;
  allow(loop_.hub().options.requestTimeout);
  const int status = statusOf(error);
  send({.status = status,
        .headers = {{"Content-Type", "application/json"}},
        .body = errorBody(unreadable(reasonOf(status)))},
       {.close = true});
}

void Connection::process() {
  framing_ = {.close = !parser_->keep_alive() || parser_->isHttp10(), .bodiless = parser_->isHead()};
  allowForever();
  Incoming incoming = parser_->take();
  Hub& hub = loop_.hub();
  if (hub.site.mayBlock(incoming.request)) return processElsewhere(std::move(incoming));
  settle(hub.site.reply(incoming, hub.stop.get_token()));
}

/// The guard keeps the loop's thread from ending before it has the reply.
void Connection::processElsewhere(Incoming incoming) {
  loop_.hub().workers.run([self = shared_from_this(), guard = asio::make_work_guard(loop_.context()),
                           taken = std::move(incoming)]() mutable {
    Hub& hub = self->loop_.hub();
    Reply reply = hub.site.reply(taken, hub.stop.get_token());
    asio::io_context& context = self->loop_.context();
    asio::post(context, [owner = std::move(self), kept = std::move(guard), got = std::move(reply)]() mutable {
      owner->settle(std::move(got));
    });
  });
}

void Connection::settle(Reply reply) {
  if (closed_) return;
  if (reply.delay <= reply.delay.zero()) {
    if (const auto* failure = std::get_if<TransportFailure>(&reply.result)) return breakOff(*failure);
    return send(std::get<HttpResponse>(reply.result), framing_);
  }
  timer_.expires_after(reply.delay);
  timer_.async_wait([self = shared_from_this(), due = std::move(reply)](const Error&) mutable {
    due.delay = due.delay.zero();
    self->settle(std::move(due));
  });
}

/// With nothing left to send, closing resets the connection; without, its other end sees it end.
void Connection::breakOff(const TransportFailure& failure) {
  Error ignored;
  using Kind = TransportFailure::Kind;
  if (failure.kind == Kind::connection || failure.kind == Kind::couldNotConnect)
    socket_.set_option(asio::socket_base::linger{true, 0}, ignored);
  close();
}

void Connection::send(const HttpResponse& response, Framing framing) {
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

/// To close while there is something unread would reset the connection, and the answer could be lost with it.
void Connection::linger() {
  Error ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
  buffer_.clear();
  socket_.async_read_some(buffer_.prepare(readAtOnce),
                          [self = shared_from_this()](const Error& error, std::size_t) {
                            error || self->closed_ ? self->close() : self->linger();
                          });
}

void Connection::endSoon() {
  Error ignored;
  if (reading_ && socket_.available(ignored) == 0) close();
}

void Connection::close() {
  if (std::exchange(closed_, true)) return;
  Error ignored;
  timer_.cancel();
  socket_.close(ignored);
  loop_.forget(this);
}

}  // namespace tally::fake::detail
