#include "tls_connection.h"

#include <csignal>
#include <cstddef>

#include <sys/socket.h>
#include <unistd.h>

#include "openssl_objects.h"

namespace tally::test {

namespace {

void neverSignal() {
  sigset_t brokenPipe;
  sigemptyset(&brokenPipe);
  sigaddset(&brokenPipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &brokenPipe, nullptr);
}

/// Accepts the one requested protocol if the client offers it. In the list, each name follows its length.
int choose(SSL*, const unsigned char** chosen, unsigned char* size, const unsigned char* offered,
           unsigned length, void* data) {
  const std::string_view wanted{static_cast<const char*>(data)};
  for (unsigned at = 0; at < length; at += offered[at] + 1U) {
    const std::string_view name{reinterpret_cast<const char*>(offered + at + 1), offered[at]};
    if (name != wanted) continue;
    *chosen = offered + at + 1;
    *size = offered[at];
    return SSL_TLSEXT_ERR_OK;
  }
  return SSL_TLSEXT_ERR_ALERT_FATAL;
}

}  // namespace

TlsConnection::TlsConnection(int connection, const Identity& identity, std::string_view protocol,
                             const TlsDemands& demands)
    : connection_(connection), ssl_(nullptr, &SSL_free) {
  neverSignal();
  const Context context{SSL_CTX_new(TLS_server_method())};
  SSL_CTX_use_certificate(context.get(), certificateFrom(identity.certificate).get());
  SSL_CTX_use_PrivateKey(context.get(), keyFrom(identity.key).get());
  if (demands.maxVersion != 0) SSL_CTX_set_max_proto_version(context.get(), demands.maxVersion);
  if (!demands.clientAuthority.empty()) {
    require(SSL_CTX_load_verify_file(context.get(), demands.clientAuthority.c_str()) == 1,
            "read the authority of the clients");
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  }
  std::string wanted{protocol};
  SSL_CTX_set_alpn_select_cb(context.get(), &choose, wanted.data());
  ssl_.reset(SSL_new(context.get()));
  SSL_set_fd(ssl_.get(), connection);
  // NOLINTNEXTLINE(cppcoreguidelines-prefer-member-initializer): needs the above
  secure_ = SSL_accept(ssl_.get()) == 1;
}

// Drains the connection first, because closing it with unread data would reset it and lose what was sent.
TlsConnection::~TlsConnection() {
  shutdown(connection_, SHUT_WR);
  char bytes[4'096];
  while (recv(connection_, bytes, sizeof bytes, 0) > 0) {
  }
  close(connection_);
}

std::string TlsConnection::receive() {
  char buffer[16'384];
  const int size = SSL_read(ssl_.get(), buffer, sizeof buffer);
  return {buffer, static_cast<std::size_t>(size > 0 ? size : 0)};
}

bool TlsConnection::send(std::string_view bytes) {
  return SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size())) > 0;
}

void TlsConnection::end() {
  (void)SSL_shutdown(ssl_.get());
  shutdown(connection_, SHUT_WR);
}

}  // namespace tally::test
