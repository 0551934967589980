#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <tally/fake/service.h>
#include <tally/tally.h>

#include <sys/socket.h>
#include <unistd.h>

#include "bench/counts/canned.h"
#include "bench/counts/paths.h"
#include "control/control.h"
#include "net/connection.h"
#include "net/event_loop.h"
#include "tenants/host.h"

namespace tally::bench {

namespace {

namespace http = fake::detail;

/// The two ends of a connection. Bytes arrive at once, which TCP does not promise.
class Ends {
 public:
  Ends() { check(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()) == 0, "no connection"); }
  Ends(const Ends&) = delete;
  Ends& operator=(const Ends&) = delete;
  ~Ends() { close(ends_[0]); }

  /// To be closed by the caller.
  [[nodiscard]] int far() const noexcept { return ends_[1]; }

  void send(std::string_view bytes) const {
    check(::send(ends_[0], bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()), "not sent");
  }

  /// What has arrived.
  [[nodiscard]] std::string_view receive() {
    const ssize_t size = recv(ends_[0], buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    return {buffer_.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
  }

 private:
  std::array<int, 2> ends_{};
  std::array<char, 65'536> buffer_{};
};

/// What tally-fake consists of, with a connection. The loop is turned by this thread instead of its own.
class Served {
 public:
  Served() {
    http::Socket socket{loop_.context()};
    socket.assign(http::Tcp::v4(), ends_.far());
    http::serveIn(loop_, std::move(socket));
    loop_.context().poll();
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  ~Served() {
    loop_.beginStop();
    loop_.context().poll();
  }

  void request(std::size_t count) {
    for (std::size_t n = 0; n < count; ++n) {
      send();
      loop_.context().poll();
      receive();
    }
  }

 private:
  void send() const {
    const Uncounted uncounted;
    tenant_->service.clock()->advance(std::chrono::milliseconds{50});  // for the limits
    ends_.send(request_);
  }
  void receive() {
    const Uncounted uncounted;
    const std::string_view response = ends_.receive();
    check(response.starts_with("HTTP/1.1 200 ") && response.ends_with('}'), "a request failed");
  }

  http::Host host_{{.virtualClock = true}};
  std::shared_ptr<http::Tenant> tenant_ = host_.add();
  std::string request_ =
      "GET /v1/payment_records/" + tenant_->service.insert<PaymentRecord>(tenant_->account.liveKey).id.str() +
      " HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: tally\r\nAccept: */*\r\nAuthorization: Bearer " +
      tenant_->account.liveKey + "\r\n\r\n";
  http::Control control_{host_};
  http::Hub hub_{.options = {}, .handler = control_, .traffic = host_.traffic, .onClosed = [] {}};
  Ends ends_{};
  http::EventLoop loop_{hub_};
};

}  // namespace

Perform servedRequest() {
  return [served = std::make_shared<Served>()](std::size_t count) { served->request(count); };
}

}  // namespace tally::bench
