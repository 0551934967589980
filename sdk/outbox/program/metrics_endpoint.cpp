#include "metrics_endpoint.h"

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

namespace tally::detail {

namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using beast::error_code;
using boost::asio::ip::tcp;

constexpr std::size_t longestHead = 8'192;
constexpr std::size_t mostConnections = 32;
constexpr std::chrono::seconds longestRequest{5};  // and response
constexpr std::chrono::milliseconds acceptAgainAfter{100};

/// One connection, with one request. Lives until that is answered or too late.
class Conversation : public std::enable_shared_from_this<Conversation> {
 public:
  Conversation(tcp::socket socket, const MetricsEndpoint::Handler& handler)
      : stream_(std::move(socket)), handler_(handler) {
    parser_.header_limit(longestHead);
    parser_.body_limit(0);
  }
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;
  ~Conversation() = default;

  /// Ends it before its time.
  void end() {
    error_code ignored;
    (void)stream_.socket().close(ignored);
  }

  void begin() {
    stream_.expires_after(longestRequest);
    // The body of a GET has no meaning.
    http::async_read_header(stream_, buffer_, parser_,
                            [self = shared_from_this()](error_code error, std::size_t) {
                              if (!error) self->answer();
                            });
  }

 private:
  void answer() {
    const auto& request = parser_.get();
    const std::string_view target{request.target().data(), request.target().size()};
    const bool isHead = request.method() == http::verb::head;
    MetricsEndpoint::Response made;
    if (isHead || request.method() == http::verb::get) {
      made = handler_(target.substr(0, target.find('?')));
    } else {
      made = {.status = 405, .body = "only GET and HEAD are allowed\n"};
      response_.set(http::field::allow, "GET, HEAD");
    }
    response_.result(made.status);
    response_.set(http::field::content_type, "text/plain; version=0.0.4; charset=utf-8");
    response_.body() = std::move(made.body);
    response_.keep_alive(false);
    response_.prepare_payload();
    if (isHead) response_.body().clear();
    stream_.expires_after(longestRequest);
    http::async_write(stream_, response_, [self = shared_from_this()](error_code, std::size_t) {
      error_code ignored;
      (void)self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    });
  }

  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{longestHead};
  http::request_parser<http::empty_body> parser_{};
  http::response<http::string_body> response_{};
  const MetricsEndpoint::Handler& handler_;
};

}  // namespace

class MetricsEndpoint::Server {
 public:
  Server(const ListenAddress& address, Handler handler) : handler_(std::move(handler)) {
    try {
      const tcp::endpoint endpoint{boost::asio::ip::make_address(address.address), address.port};
      acceptor_.open(endpoint.protocol());
      acceptor_.set_option(tcp::acceptor::reuse_address(true));
      acceptor_.bind(endpoint);
      acceptor_.listen();
      url_ = "http://" + (endpoint.address().is_v6() ? '[' + address.address + ']' : address.address) + ':' +
             std::to_string(acceptor_.local_endpoint().port());
    } catch (const boost::system::system_error& error) {
      throw std::runtime_error{"--metrics: can't listen on " + address.address + ':' +
                               std::to_string(address.port) + ": " + error.code().message() +
                               "; choose another address or port, or port 0 for any free one"};
    }
    accept();
    thread_ = std::thread{[this] { context_.run(); }};
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() {
    context_.stop();
    thread_.join();
  }

  [[nodiscard]] const std::string& url() const noexcept { return url_; }

 private:
  void accept() {
    acceptor_.async_accept([this](error_code error, tcp::socket socket) {
      if (error) return acceptLater();
      begin(std::move(socket));
      accept();
    });
  }

  /// If there are too many connections, closes the oldest one: clients that check the health of the worker
  /// send their request immediately.
  void begin(tcp::socket socket) {
    std::erase_if(open_, [](const auto& conversation) { return conversation.expired(); });
    if (open_.size() == mostConnections) {
      if (const auto oldest = open_.front().lock()) oldest->end();
      open_.pop_front();
    }
    const auto conversation = std::make_shared<Conversation>(std::move(socket), handler_);
    open_.push_back(conversation);
    conversation->begin();
  }

  /// Such as when the process has too many open files.
  void acceptLater() {
    pause_.expires_after(acceptAgainAfter);
    pause_.async_wait([this](error_code error) {
      if (!error) accept();
    });
  }

  Handler handler_;
  std::deque<std::weak_ptr<Conversation>> open_{};  // the oldest first
  std::string url_{};
  // Destroyed first, with the conversations.
  boost::asio::io_context context_{1};
  tcp::acceptor acceptor_{context_};
  boost::asio::steady_timer pause_{context_};
  std::thread thread_{};
};

MetricsEndpoint::MetricsEndpoint(const ListenAddress& address, Handler handler)
    : server_(std::make_unique<Server>(address, std::move(handler))) {}

MetricsEndpoint::~MetricsEndpoint() = default;

const std::string& MetricsEndpoint::url() const noexcept {
  return server_->url();
}

}  // namespace tally::detail
