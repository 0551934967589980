#include "net/listener.h"

#include <algorithm>
#include <cerrno>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <boost/asio/post.hpp>
#include <sys/socket.h>

#include "net/connection.h"
#include "platform/sockets.h"

namespace tally::fake::detail {

namespace asio = boost::asio;

namespace {

std::vector<std::unique_ptr<EventLoop>> makeEventLoops(Hub& hub, unsigned count) {
  std::vector<std::unique_ptr<EventLoop>> loops;
  for (unsigned i = 0; i < std::max(count, 1U); ++i)
    loops.push_back(std::make_unique<EventLoop>(hub));
  return loops;
}

/// Null if the server has no TLS.
std::unique_ptr<const TlsIdentity> identityOf(const HttpServerOptions& options) {
  if (options.tlsCertificate.empty() != options.tlsKey.empty())
    throw std::invalid_argument{"TLS needs both a certificate and its key"};
  if (options.tlsCertificate.empty()) return nullptr;
  return loadIdentity(options.tlsCertificate, options.tlsKey);
}

const char* adviceAbout(const boost::system::error_code& error) {
  if (error == asio::error::address_in_use) return " (choose another port, or 0 for any free one)";
  if (error == asio::error::access_denied)
    return " (ports below 1024 are reserved for root; choose another one)";
  if (error == asio::error::invalid_argument || error == boost::system::errc::address_not_available)
    return " (use an IP address of this machine, such as 127.0.0.1, 0.0.0.0 or ::1)";
  return "";
}

[[noreturn]] void fail(const boost::system::error_code& error, const HttpServerOptions& options) {
  throw std::system_error{
      error.value(), std::system_category(),
      "can't listen on " + options.address + " port " + std::to_string(options.port) + adviceAbout(error)};
}

/// Lets `socket` be what was just opened. Asio's own sockets are inherited by programs that another thread
/// starts: they would keep the port in use, and connections open that the server has broken off.
void take(int opened, const Tcp& protocol, auto& socket, boost::system::error_code& error) {
  if (opened == tally::detail::noSocket) {
    error.assign(errno, boost::system::system_category());
    return;
  }
  (void)socket.assign(protocol, opened, error);
  if (error) (void)tally::detail::closeSocket(opened);
}

}  // namespace

Listener::Listener(Handler& handler, const HttpServerOptions& options, Traffic& traffic)
    : hub_{.options = options, .handler = handler, .traffic = traffic, .identity = identityOf(options)},
      loops_(makeEventLoops(hub_, options.threads)),
      acceptor_(loops_.front()->context()),
      pause_(loops_.front()->context()) {
  hub_.onClosed = [this] { asio::post(loops_.front()->context(), [this] { oneClosed(); }); };
  listen();
  accept();
  try {
    for (const auto& loop : loops_)
      loop->start();
  } catch (const std::system_error&) {
    stop();
    throw;
  }
}

void Listener::listen() {
  boost::system::error_code error;
  const auto address = asio::ip::make_address(hub_.options.address, error);
  if (error) fail(error, hub_.options);
  const Tcp::endpoint wanted{address, hub_.options.port};
  take(tally::detail::openSocket(wanted.protocol().family(), SOCK_STREAM, 0), wanted.protocol(), acceptor_,
       error);
  if (!error) (void)acceptor_.non_blocking(true, error);
  if (!error) (void)acceptor_.set_option(asio::socket_base::reuse_address{true}, error);
  if (!error) (void)acceptor_.bind(wanted, error);
  if (!error) (void)acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (!error) endpoint_ = acceptor_.local_endpoint(error);
  if (error) fail(error, hub_.options);
}

std::string Listener::url() const {
  std::ostringstream text;
  text << (hub_.identity ? "https://" : "http://") << endpoint_;
  return std::move(text).str();
}

void Listener::accept() {
  acceptor_.async_wait(Acceptor::wait_read,
                       [this](const boost::system::error_code& error) { connected(error); });
}

void Listener::connected(boost::system::error_code error) {
  if (!acceptor_.is_open()) return;
  Socket socket{loops_[next_]->context().get_executor()};
  if (!error)
    take(tally::detail::acceptSocket(acceptor_.native_handle()), endpoint_.protocol(), socket, error);
  if (error == asio::error::would_block || error == asio::error::connection_aborted) return accept();
  if (error) {  // for example out of file descriptors, which takes time to pass
    pause_.expires_after(std::chrono::milliseconds{10});
    pause_.async_wait([this](const boost::system::error_code&) {
      if (acceptor_.is_open()) accept();
    });
    return;
  }
  serveIn(*loops_[next_], std::move(socket));
  next_ = (next_ + 1) % loops_.size();
  full_ = ++open_ >= hub_.options.maxConnections;
  if (!full_) accept();
}

void Listener::oneClosed() {
  --open_;
  if (std::exchange(full_, false) && acceptor_.is_open()) accept();
}

void Listener::stop() {
  const std::lock_guard lock{stopping_};
  if (std::exchange(stopped_, true)) return;
  asio::post(loops_.front()->context(), [this] {
    boost::system::error_code ignored;
    (void)acceptor_.close(ignored);
    pause_.cancel();
    for (const auto& loop : loops_)
      loop->beginStop();
  });
  for (const auto& loop : loops_)
    loop->join();
  hub_.workers.join();
}

}  // namespace tally::fake::detail
