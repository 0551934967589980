#pragma once

#include <memory>
#include <utility>
#include <variant>

#include <tally/transport.h>

namespace tally::fake {

class VirtualClock;

namespace detail {
class Server;
}

/// How a Client reaches a Service in the same process: the request's bytes go in, the answer's bytes come
/// out. Whatever scheme and host the URL names, the request goes to the service. Made by
/// Service::transport().
///
/// An attempt that was canceled, or whose time was over, before it began is not sent. Thread-safe; may
/// outlive its Service, whose objects it then keeps alive.
class Transport final : public tally::Transport {
 public:
  explicit Transport(std::shared_ptr<detail::Server> server) : server_(std::move(server)) {}

  std::variant<HttpResponse, TransportFailure> send(const HttpRequest& request,
                                                    const SendLimits& limits) override;
  [[nodiscard]] bool inProcess() const noexcept override { return true; }

 private:
  std::shared_ptr<detail::Server> server_;
};

}  // namespace tally::fake
