#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>

#include <tally/transport.h>

namespace [[gnu::visibility("default")]] tally {

/// Versions of TLS.
enum class TlsVersion : std::uint8_t { tls12, tls13 };

std::ostream& operator<<(std::ostream& out, TlsVersion value);

/// Decides whether a request may still be sent, for programs that may lose the right to send while they
/// connect or are suspended.
class SendFence {
 public:
  virtual ~SendFence() = default;

  /// Called immediately before the first byte of a request is written, once for each attempt. If it returns
  /// false, nothing is sent and the attempt ends in `Kind::canceled`. It is called in the thread that sends,
  /// and must not block.
  [[nodiscard]] virtual bool maySend() const noexcept = 0;

 protected:
  SendFence() = default;
  SendFence(const SendFence&) = default;
  SendFence& operator=(const SendFence&) = default;
};

/// The options of curlTransport(). Set as ClientOptions::http, they apply to the connections of a client.
///
/// Files are read when a connection is made, so a renewed file applies to later connections. However, libcurl
/// may cache trusted certificates for up to a day. PEM strings require a libcurl that uses OpenSSL or a fork
/// of OpenSSL.
struct CurlTransportOptions {
  /// A PEM file with the certificates to trust instead of the system's; empty: the system's. Certificates are
  /// always verified.
  std::string caFile{};
  /// One or more certificates to trust, as PEM text, instead of `caFile`.
  std::string caPem{};
  /// A PEM file with the certificate that the client presents to a service that asks for one, followed by its
  /// intermediate certificates, if any; empty: none. Proxies never receive it.
  std::string clientCertificateFile{};
  /// A PEM file with the private key of `clientCertificateFile`; empty: that file also contains the key.
  std::string clientKeyFile{};
  /// The client certificate as PEM text, followed by its intermediate certificates, if any. Set it instead of
  /// `clientCertificateFile`. If `clientKeyPem` is empty, the text also contains the private key. Kept in
  /// memory as long as the transport exists.
  std::string clientCertificatePem{};
  /// The private key, as PEM text, instead of `clientKeyFile`. Kept in memory as long as the transport
  /// exists.
  std::string clientKeyPem{};
  /// Decrypts the private key. If the password is wrong or missing, an encrypted key can't be used; there is
  /// no prompt.
  std::string clientKeyPassword{};
  /// The minimum version of TLS. A connection to a service that offers only earlier versions fails before a
  /// request is sent.
  TlsVersion minTlsVersion = TlsVersion::tls12;
  /// The proxy, such as `http://proxy.example:3128`. An empty string: none. Not set: the proxy from the
  /// environment (`https_proxy` and similar variables), which is never used for plain HTTP. A user name and
  /// password in the URL of the proxy are sent only to the proxy and never appear in errors. Plain HTTP to
  /// the loopback interface bypasses the proxy.
  std::optional<std::string> proxy{};
  /// Hosts that bypass the proxy, separated by commas, such as `internal.example,10.0.0.0/8`; `*`: all.
  /// Empty: none if `proxy` is set, regardless of the environment; otherwise the hosts in the environment
  /// (`no_proxy`).
  std::string noProxy{};
  /// The time limit for establishing a connection, including name lookup, proxy and TLS. Positive; values of
  /// more than 24 days count as 24 days.
  std::chrono::milliseconds connectTimeout{10'000};
  /// The maximum number of idle connections; 0: none. If there are more, the connection that has been idle
  /// longest is closed.
  std::size_t maxIdleConnections = 64;
  /// How long an idle connection is kept open, on the transport's clock. Positive. Should be shorter than the
  /// idle timeout of the service: requests sent while the service closes the connection may be lost.
  std::chrono::milliseconds maxIdleTime{30'000};
  /// The size limit, in bytes, for the decompressed body of a response. The same limit applies separately to
  /// the head of the response, including interim responses and trailers. In any case, a head is limited to
  /// 120 KiB, and each of its lines to 60 KiB. A larger response ends the call in
  /// ErrorKind::responseTooLarge.
  std::size_t maxResponseBytes = std::size_t{64} * 1024 * 1024;
  /// Allows `http://` URLs for hosts other than the loopback interface. Anyone on the network path can then
  /// read the API key.
  bool allowPlainHttp = false;
  /// Consulted before each request; null: every request may be sent. If a fence is set, the operating system
  /// discards unsent data when a connection is closed or the process is killed, and sends nothing after the
  /// time limit of the attempt that made the connection.
  std::shared_ptr<const SendFence> fence{};

  bool operator==(const CurlTransportOptions&) const = default;
};

/// Prints one line, without passwords or PEM strings.
std::ostream& operator<<(std::ostream& out, const CurlTransportOptions& value);

/// A transport that uses HTTPS through libcurl, and HTTP/2 if the server offers it. Connections are reused,
/// responses may be compressed, redirects are not followed, and URLs are sent unchanged.
///
/// Each attempt first closes idle connections that are too old or that the server has closed. No background
/// thread does this, so a transport that sends nothing keeps up to `maxIdleConnections` open.
///
/// If memory runs out, an attempt ends in a failure that shows whether the request may have been sent.
///
/// No request is sent twice, not even a read. libcurl would resend a request on its own if a reused
/// connection turns out to be closed, or if a server refuses the stream or goes away. In these cases, the
/// attempt ends in a failure whose `mayHaveBeenSent` is true. `mayHaveBeenSent` is false if the attempt fails
/// before the connection, including its proxy and TLS, is established. It is also false if the service
/// refuses the client certificate, or requires one, in the handshake of a new connection, because the service
/// then never processes the request.
///
/// A stop token or `SendLimits::deadline` ends an attempt immediately, whatever the attempt is waiting for. A
/// host name lookup in progress then continues in a separate thread.
///
/// A process made by fork() neither uses nor closes the connections of its parent.
///
/// An AsyncClient with this transport has its own connections; over HTTP/2, up to 100 requests share a
/// connection. Time limits, failures and guarantees are the same as for a Client. While requests are in
/// flight, `maxIdleConnections` applies separately to each group of up to 64 connections or, over TLS, up to
/// 100 requests. Once no connection is in use, the maximum applies to all connections together, and groups
/// are closed as a whole. While other connections are in use, an idle connection is kept for `maxIdleTime` of
/// real time, rounded up to whole seconds. An AsyncClient with this transport requires Linux.
///
/// Unless `allowPlainHttp` is set, plain `http://` is limited to the loopback interface.
/// `SendLimits::deadline` is a time on `clock`, which must not be null. Thread-safe; requires no
/// initialization and no particular order of destruction.
///
/// Throws std::invalid_argument, which names the option, if a string other than a PEM string contains a
/// control character, a PEM string has no certificate or key, options conflict with each other or are not
/// supported by this libcurl, or a duration is not positive. Throws std::runtime_error if libcurl can't be
/// initialized. If a file or PEM string turns out to be unusable, each attempt ends in `Kind::tls`, with a
/// message that names the option, and nothing is sent.
[[nodiscard]] std::shared_ptr<Transport> curlTransport(std::shared_ptr<Clock> clock,
                                                       CurlTransportOptions options = {});

}  // namespace tally
