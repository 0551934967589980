#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <tally/transport.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/basic_resolver.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "net/channel.h"
#include "net/sockets.h"
#include "net/tls.h"
#include "record/upstream_url.h"

namespace tally::fake::detail {

/// What came of a request to the upstream.
struct UpstreamOutcome {
  std::optional<HttpResponse> response{};
  std::string failure{};  // why there is none
  bool silent = false;    // a connection that was used before broke without a byte of a response
};

struct UpstreamOptions {
  UpstreamUrl url{};
  std::shared_ptr<const TlsTrust> trust{};    // for HTTPS
  std::chrono::milliseconds timeout{80'000};  // of a request, with its connection
};

/// A request in the bytes of HTTP/1.1.
struct UpstreamRequest {
  std::string bytes{};
  bool isRead = false;    // and may be sent twice
  bool bodiless = false;  // its response has no body, as for HEAD
};

/// A connection to the upstream, for one request after the other. Confined to the thread of its loop.
class UpstreamConnection final : public std::enable_shared_from_this<UpstreamConnection> {
 public:
  using Done = std::function<void(UpstreamOutcome outcome)>;

  /// `options` must outlive this.
  UpstreamConnection(boost::asio::io_context& loop, const UpstreamOptions& options);

  /// Connects if need be. Calls `done` once, after this returns.
  void send(UpstreamRequest request, Done done);

  /// Ends the present request, if there is one, as failed.
  void abort(const std::string& why);

  /// Whether another request may be sent.
  [[nodiscard]] bool isUsable();

  [[nodiscard]] SteadyClock::time_point deadline() const noexcept { return deadline_; }

 private:
  using Error = boost::system::error_code;
  using Parser = boost::beast::http::response_parser<boost::beast::http::string_body>;
  using Resolver = boost::asio::ip::basic_resolver<Tcp, Executor>;

  void connect();
  void connected();
  void write();
  void read();
  void received(const Error& error, std::size_t size);
  void startParsing();
  [[nodiscard]] bool parse(Error& error);
  [[nodiscard]] bool hasLongHead(std::size_t parsed);
  [[nodiscard]] std::string complaintAbout(const Error& problem) const;
  void finish();
  void end(UpstreamOutcome outcome);
  [[nodiscard]] std::string where() const { return options_.url.authority; }

  const UpstreamOptions& options_;
  Resolver resolver_;
  Channel channel_;
  bool open_ = false;      // connected, with TLS if need be
  bool reusable_ = false;  // as the last response said
  bool usedBefore_ = false;
  bool writing_ = false;  // the present request
  bool heard_ = false;    // a byte of the present response
  SteadyClock::time_point deadline_{};
  UpstreamRequest request_{};
  Done done_{};
  std::optional<Parser> parser_{};
  std::string input_{};
  std::size_t headSize_ = 0;  // as far as it was parsed
  std::array<char, 16'384> chunk_{};
};

}  // namespace tally::fake::detail
