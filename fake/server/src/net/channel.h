#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include "net/sockets.h"
#include "net/tls.h"

namespace tally::fake::detail {

/// A connected socket, with or without TLS. The functions that `done` is are called in the loop of the
/// socket.
class Channel {
 public:
  /// A null identity means that there is no TLS.
  Channel(Socket socket, const TlsIdentity* identity)
      : socket_(std::move(socket)), tls_(identity == nullptr ? nullptr : identity->on(socket_)) {}

  /// Goes on with TLS, as the client of `host`.
  void secure(const TlsTrust& trust, const std::string& host) { tls_ = trust.to(socket_, host); }

  [[nodiscard]] Socket& socket() noexcept { return socket_; }
  [[nodiscard]] Tls* tls() noexcept { return tls_.get(); }

  /// Goes on without TLS.
  void dropTls() { tls_.reset(); }

  template <class Done>
  void read(boost::asio::mutable_buffer into, Done done) {
    tls_ ? tls_->read(into, std::move(done)) : socket_.async_read_some(into, std::move(done));
  }

  /// Writes all of it.
  template <class Done>
  void write(boost::asio::const_buffer bytes, Done done) {
    tls_ ? tls_->write(bytes, std::move(done)) : boost::asio::async_write(socket_, bytes, std::move(done));
  }

  /// Writes as much as the socket accepts immediately, and returns how much that is; nothing with TLS.
  [[nodiscard]] std::size_t writeSome(boost::asio::const_buffer bytes) {
    boost::system::error_code ignored;  // a write() of the rest meets it again
    return tls_ ? 0 : socket_.write_some(bytes, ignored);
  }

  /// Sends no more, but still receives.
  void finish() {
    boost::system::error_code ignored;
    if (tls_) tls_->finish();
    (void)socket_.shutdown(Socket::shutdown_send, ignored);
  }

 private:
  Socket socket_;
  std::unique_ptr<Tls> tls_;
};

}  // namespace tally::fake::detail
