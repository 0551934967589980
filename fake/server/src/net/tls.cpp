#include "net/tls.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

#include "files/file_input.h"

namespace tally::fake::detail {

namespace asio = boost::asio;

namespace {

struct FreeContext {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
struct FreeConnection {
  void operator()(SSL* connection) const { SSL_free(connection); }
};
using Context = std::unique_ptr<SSL_CTX, FreeContext>;
using Secured = std::unique_ptr<SSL, FreeConnection>;

[[noreturn]] void refuseFile(const std::string& file, const std::string& why) {
  throw std::runtime_error{"can't use " + file + ": " + why};
}

/// OpenSSL's words for the first of the errors that it has noted.
std::string reason() {
  const char* words = ERR_reason_error_string(ERR_peek_error());
  return words == nullptr ? "unknown reason" : words;
}

/// Otherwise OpenSSL would ask for the password on the terminal.
int noPassword(char*, int, int, void* asked) {
  *static_cast<bool*>(asked) = true;
  return -1;
}

void useCertificate(SSL_CTX& context, const std::string& file) {
  (void)contentsOf(file);
  ERR_clear_error();
  if (SSL_CTX_use_certificate_chain_file(&context, file.c_str()) != 1)
    refuseFile(file, "it has no certificate in PEM (" + reason() + ")");
}

void useKey(SSL_CTX& context, const std::string& file, const std::string& certificateFile) {
  (void)contentsOf(file);
  bool encrypted = false;
  SSL_CTX_set_default_passwd_cb(&context, noPassword);
  SSL_CTX_set_default_passwd_cb_userdata(&context, &encrypted);
  ERR_clear_error();
  const bool loaded = SSL_CTX_use_PrivateKey_file(&context, file.c_str(), SSL_FILETYPE_PEM) == 1;
  SSL_CTX_set_default_passwd_cb_userdata(&context, nullptr);
  if (loaded) return;
  if (encrypted) refuseFile(file, "it is encrypted; decrypt it with 'openssl pkey -in FILE -out DECRYPTED'");
  if (ERR_GET_REASON(ERR_peek_error()) == X509_R_KEY_VALUES_MISMATCH)
    refuseFile(file, "it is not the key of the first certificate in " + certificateFile);
  refuseFile(file, "it has no private key in PEM (" + reason() + ")");
}

/// Chooses HTTP/1.1 among the protocols that the client offers.
int chooseProtocol(SSL*, const unsigned char** chosen, unsigned char* size, const unsigned char* offered,
                   unsigned offeredSize, void*) {
  static constexpr unsigned char spoken[] = "\x8http/1.1";
  unsigned char* found = nullptr;
  const int result = SSL_select_next_proto(&found, size, spoken, sizeof spoken - 1, offered, offeredSize);
  *chosen = found;
  return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

class OpenSsl final : public Tls {
 public:
  /// As the server.
  OpenSsl(SSL_CTX& context, Socket& socket) : socket_(socket), ssl_(SSL_new(&context)) {
    if (!ssl_ || SSL_set_fd(ssl_.get(), socket.native_handle()) != 1) throw std::bad_alloc{};
    SSL_set_accept_state(ssl_.get());
  }

  /// As the client of a server with that name.
  OpenSsl(SSL_CTX& context, Socket& socket, const std::string& host) : OpenSsl(context, socket) {
    SSL_set_connect_state(ssl_.get());
    if (X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_.get()), host.c_str()) == 1) return;
    ERR_clear_error();
    if (SSL_set1_host(ssl_.get(), host.c_str()) != 1 ||
        SSL_set_tlsext_host_name(ssl_.get(), host.c_str()) != 1)
      throw std::bad_alloc{};
  }

  void handshake(Done done) override {
    attempt([this](std::size_t&) { return SSL_do_handshake(ssl_.get()); }, std::move(done));
  }

  void read(asio::mutable_buffer into, Done done) override {
    attempt(
        [this, into](std::size_t& size) { return SSL_read_ex(ssl_.get(), into.data(), into.size(), &size); },
        std::move(done));
  }

  void write(asio::const_buffer bytes, Done done) override {
    attempt([this, bytes](
                std::size_t& size) { return SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &size); },
            std::move(done));
  }

  void finish() override {
    ERR_clear_error();
    if (!failed_ && SSL_is_init_finished(ssl_.get()) == 1) SSL_shutdown(ssl_.get());
  }

  [[nodiscard]] bool metPlainHttp() const override { return metPlainHttp_; }
  [[nodiscard]] std::string problem() const override { return problem_; }

 private:
  /// Tries an operation until it no longer waits for the socket.
  template <class Operation>
  void attempt(Operation operation, Done done) {
    std::size_t size = 0;
    ERR_clear_error();  // SSL_get_error() looks at what earlier calls have noted
    const int result = operation(size);
    const int problem = result > 0 ? SSL_ERROR_NONE : SSL_get_error(ssl_.get(), result);
    if (problem == SSL_ERROR_WANT_READ) return retry(Socket::wait_read, operation, std::move(done));
    if (problem == SSL_ERROR_WANT_WRITE) return retry(Socket::wait_write, operation, std::move(done));
    // Not immediately, because the continuation may be the next operation, and so on without end.
    asio::post(socket_.get_executor(),
               [ended = std::move(done), error = errorOf(problem), size] { ended(error, size); });
  }

  /// What ends together with the wait may have closed the socket. OpenSSL would then use whatever has its
  /// number by now, such as the connection of another client.
  template <class Operation>
  void retry(Socket::wait_type readiness, Operation operation, Done done) {
    socket_.async_wait(readiness, [this, operation, waiting = std::move(done)](const Error& error) {
      if (socket_.is_open() && !error) return attempt(operation, waiting);
      waiting(asio::error::operation_aborted, 0);
    });
  }

  Error errorOf(int problem) {
    if (problem == SSL_ERROR_NONE) return {};
    if (problem == SSL_ERROR_ZERO_RETURN) return asio::error::eof;
    failed_ = true;
    metPlainHttp_ = ERR_GET_REASON(ERR_peek_error()) == SSL_R_HTTP_REQUEST;
    if (problem == SSL_ERROR_SSL) problem_ = problemNow();
    return asio::error::connection_reset;
  }

  /// About a certificate, in the words of OpenSSL that say more.
  [[nodiscard]] std::string problemNow() const {
    const long verified = SSL_get_verify_result(ssl_.get());
    return verified == X509_V_OK ? reason() : X509_verify_cert_error_string(verified);
  }

  Socket& socket_;
  Secured ssl_;
  bool failed_ = false;  // nothing may be sent any more
  bool metPlainHttp_ = false;
  std::string problem_{};
};

class OpenSslIdentity final : public TlsIdentity {
 public:
  OpenSslIdentity(const std::string& certificateFile, const std::string& keyFile)
      : context_(SSL_CTX_new(TLS_server_method())) {
    if (!context_) throw std::bad_alloc{};
    SSL_CTX_set_min_proto_version(context_.get(), TLS1_2_VERSION);
    SSL_CTX_set_options(context_.get(), SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_session_cache_mode(context_.get(), SSL_SESS_CACHE_OFF);
    SSL_CTX_set_mode(context_.get(), SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_alpn_select_cb(context_.get(), chooseProtocol, nullptr);
    useCertificate(*context_, certificateFile);
    useKey(*context_, keyFile, certificateFile);
  }

  [[nodiscard]] std::unique_ptr<Tls> on(Socket& socket) const override {
    return std::make_unique<OpenSsl>(*context_, socket);
  }

 private:
  Context context_;
};

class OpenSslTrust final : public TlsTrust {
 public:
  explicit OpenSslTrust(const std::string& authoritiesFile) : context_(SSL_CTX_new(TLS_client_method())) {
    if (!context_) throw std::bad_alloc{};
    SSL_CTX_set_min_proto_version(context_.get(), TLS1_2_VERSION);
    SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_mode(context_.get(), SSL_MODE_RELEASE_BUFFERS);
    static constexpr unsigned char spoken[] = "\x8http/1.1";
    if (SSL_CTX_set_alpn_protos(context_.get(), spoken, sizeof spoken - 1) != 0) throw std::bad_alloc{};
    trust(authoritiesFile);
  }

  [[nodiscard]] std::unique_ptr<Tls> to(Socket& socket, const std::string& host) const override {
    return std::make_unique<OpenSsl>(*context_, socket, host);
  }

 private:
  void trust(const std::string& file) {
    if (file.empty()) {
      SSL_CTX_set_default_verify_paths(context_.get());
      return;
    }
    (void)contentsOf(file);
    ERR_clear_error();
    if (SSL_CTX_load_verify_locations(context_.get(), file.c_str(), nullptr) != 1)
      refuseFile(file, "it has no certificates in PEM (" + reason() + ")");
  }

  Context context_;
};

}  // namespace

std::unique_ptr<const TlsIdentity> loadIdentity(const std::string& certificateFile,
                                                const std::string& keyFile) {
  return std::make_unique<const OpenSslIdentity>(certificateFile, keyFile);
}

std::unique_ptr<const TlsTrust> loadTrust(const std::string& authoritiesFile) {
  return std::make_unique<const OpenSslTrust>(authoritiesFile);
}

}  // namespace tally::fake::detail
