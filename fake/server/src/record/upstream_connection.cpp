#include "record/upstream_connection.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <utility>

#include <boost/asio/connect.hpp>
#include <boost/beast/http/error.hpp>
#include <sys/socket.h>

#include "net/request_parser.h"

namespace tally::fake::detail {

namespace asio = boost::asio;
namespace http = boost::beast::http;

namespace {

constexpr std::uint32_t headerLimit = 256 * 1'024;
constexpr std::uint64_t bodyLimit = std::uint64_t{256} * 1'024 * 1'024;

HttpResponse taken(http::response<http::string_body>&& message) {
  HttpResponse response{.status = static_cast<int>(message.result_int())};
  for (const auto& field : message)
    response.headers.push_back({std::string{field.name_string()}, std::string{field.value()}});
  response.body = std::move(message.body());
  return response;
}

}  // namespace

UpstreamConnection::UpstreamConnection(asio::io_context& loop, const UpstreamOptions& options)
    : options_(options), resolver_(loop.get_executor()), channel_(Socket{loop.get_executor()}, nullptr) {}

void UpstreamConnection::send(UpstreamRequest request, Done done) {
  request_ = std::move(request);
  done_ = std::move(done);
  heard_ = false;
  deadline_ = SteadyClock::now() + options_.timeout;
  startParsing();
  open_ ? write() : connect();
}

void UpstreamConnection::connect() {
  resolver_.async_resolve(
      options_.url.host, options_.url.port,
      [self = shared_from_this()](const Error& problem, const Resolver::results_type& found) {
        if (problem) return self->abort("the name " + self->options_.url.host + " has no address");
        asio::async_connect(self->channel_.socket(), found, [self](const Error& error, const Tcp::endpoint&) {
          error ? self->abort("can't connect to " + self->where() + ": " + error.message())
                : self->connected();
        });
      });
}

void UpstreamConnection::connected() {
  Error ignored;
  (void)channel_.socket().set_option(Tcp::no_delay{true}, ignored);
  (void)channel_.socket().non_blocking(true, ignored);
  open_ = true;
  if (!options_.url.secure) return write();
  channel_.secure(*options_.trust, options_.url.host);
  channel_.tls()->handshake([self = shared_from_this()](const Error& error, std::size_t) {
    if (!error) return self->write();
    const std::string problem = self->channel_.tls()->problem();
    self->abort("the TLS handshake with " + self->where() +
                " failed: " + (problem.empty() ? "the connection broke" : problem));
  });
}

/// Reads meanwhile: an upstream may refuse a request, and close the connection, before it has received all of
/// it. If writing fails, so does reading, after whatever has arrived.
void UpstreamConnection::write() {
  if (!done_) return;  // aborted
  asio::const_buffer left = asio::buffer(request_.bytes);
  left += channel_.writeSome(left);
  writing_ = left.size() != 0;
  if (writing_)
    channel_.write(left, [self = shared_from_this()](const Error& error, std::size_t = 0) {
      if (!error) self->writing_ = false;
    });
  read();
}

void UpstreamConnection::read() {
  if (!done_) return;
  channel_.read(asio::buffer(chunk_), [self = shared_from_this()](const Error& error, std::size_t size) {
    self->received(error, size);
  });
}

void UpstreamConnection::received(const Error& error, std::size_t size) {
  if (!done_) return;
  heard_ = heard_ || size != 0;
  input_.append(chunk_.data(), size);
  Error problem;
  bool complete = parse(problem);
  if (!complete && !problem && error == asio::error::eof && parser_->got_some()) {
    parser_->put_eof(problem);
    complete = !problem && parser_->is_done();
  }
  if (complete) return finish();
  if (problem && problem != http::error::partial_message) return abort(complaintAbout(problem));
  if (error)
    return abort("the connection to " + where() + " broke " + (heard_ ? "during" : "before") +
                 " the response");
  read();
}

void UpstreamConnection::startParsing() {
  headSize_ = 0;
  parser_.emplace();
  parser_->eager(true);
  parser_->header_limit(headerLimit);
  parser_->body_limit(bodyLimit);
  parser_->skip(request_.bodiless);
}

/// Whether the head, or what is between two chunks, is too long. The limit of Beast applies only to the bytes
/// of one call.
bool UpstreamConnection::hasLongHead(std::size_t parsed) {
  if (!parser_->is_header_done()) headSize_ += parsed;
  return std::max(headSize_, input_.size()) > headerLimit;
}

std::string UpstreamConnection::complaintAbout(const Error& problem) const {
  if (problem == http::error::header_limit)
    return "the response from " + where() + " has more than 256 KiB of headers";
  if (problem == http::error::body_limit)
    return "the body of the response from " + where() + " is larger than 256 MiB";
  return "the response from " + where() + " is not HTTP/1.1: " + problem.message();
}

/// Returns whether the response is complete. Interim responses come before it.
bool UpstreamConnection::parse(Error& error) {
  while (!input_.empty() && !mayBePartOfLastChunk(*parser_, input_)) {
    const std::size_t used = parser_->put(asio::buffer(input_), error);
    input_.erase(0, used);
    if (error == http::error::need_more) error = {};
    if (hasLongHead(used)) error = http::error::header_limit;
    if (error) return false;
    if (parser_->is_header_done() && parser_->get().result_int() / 100 == 1) {
      startParsing();
    } else {
      break;  // an eager parser stops only where the response ends, or the input
    }
  }
  return parser_->is_done();
}

void UpstreamConnection::finish() {
  reusable_ = parser_->keep_alive() && input_.empty() && !writing_;
  if (!reusable_) {
    Error ignored;
    channel_.finish();
    (void)channel_.socket().close(ignored);
  }
  usedBefore_ = true;
  end({.response = taken(parser_->release())});
}

void UpstreamConnection::abort(const std::string& why) {
  if (!done_) return;
  Error ignored;
  reusable_ = false;
  resolver_.cancel();
  (void)channel_.socket().close(ignored);
  end({.failure = why, .silent = usedBefore_ && !heard_});
}

void UpstreamConnection::end(UpstreamOutcome outcome) {
  const Done done = std::exchange(done_, nullptr);
  done(std::move(outcome));
}

/// An upstream that closes an idle connection has sent its end, or the end of TLS.
bool UpstreamConnection::isUsable() {
  if (!reusable_) return false;
  char next = '\0';
  const ssize_t size = ::recv(channel_.socket().native_handle(), &next, 1, MSG_PEEK | MSG_DONTWAIT);
  return size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

}  // namespace tally::fake::detail
