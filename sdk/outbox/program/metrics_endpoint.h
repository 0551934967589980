#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "command_line.h"

namespace tally::detail {

/// Answers GET and HEAD requests over HTTP in a thread of its own. Requests are small, connections few and
/// short.
class MetricsEndpoint {
 public:
  struct Response {
    unsigned status = 200;
    std::string body{};
  };
  /// Called in the thread of the endpoint, with the path. Must not throw or block.
  using Handler = std::function<Response(std::string_view path)>;

  /// Listens from now on. Throws std::runtime_error, which names the address.
  MetricsEndpoint(const ListenAddress& address, Handler handler);
  MetricsEndpoint(const MetricsEndpoint&) = delete;
  MetricsEndpoint& operator=(const MetricsEndpoint&) = delete;
  ~MetricsEndpoint();

  /// Such as `http://127.0.0.1:9464`.
  [[nodiscard]] const std::string& url() const noexcept;

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace tally::detail
