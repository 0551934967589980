// The control API responds to any requests without an internal error and in JSON, and a request that it
// refuses, or that only reads, changes nothing.
#include "control/control.h"

#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>

#include "fuzz.h"

namespace tally::fuzz {

namespace {

using fake::detail::Control;
using fake::detail::Host;
using fake::detail::Incoming;
using fake::detail::Reply;

constexpr int mostRequests = 4;

class Server {
 public:
  /// Waits end immediately.
  HttpResponse send(const std::string& method, const std::string& path, const std::string& body = {}) {
    Incoming incoming{.request = {.method = method == "POST" ? Method::post : Method::get,
                                  .url = path,
                                  .headers = {{"Host", "localhost"}, {"Authorization", "Bearer " + key_}},
                                  .body = body}};
    if (method != "POST" && method != "GET") incoming.otherMethod = method;
    std::stop_source stop;
    stop.request_stop();
    const Reply reply = control_.handle(incoming, stop.get_token());
    const auto* const response = std::get_if<HttpResponse>(&reply.result);
    return response == nullptr ? HttpResponse{} : *response;
  }

  /// What a refused request must not change.
  std::string everything() {
    std::string all;
    for (const char* path : {"accounts", "export", "holds", "snapshots"})
      all += send("GET", std::string{"/_fake/"} + path).body + '\n';
    return all;
  }

 private:
  Host host_{{.virtualClock = true}};
  std::shared_ptr<fake::detail::Tenant> tenant_ = host_.add();
  Control control_{host_};
  std::string key_ = tenant_->account.sandboxKey;
};

}  // namespace

/// Each request is a line with its method and its path below `/_fake/`, and a line with its body. The server
/// of earlier inputs is kept while nothing has changed it, since most inputs don't.
void test(std::string_view input) {
  static std::optional<Server> server;
  static std::string unchanged;
  if (!server) unchanged = server.emplace().everything();
  std::string before = unchanged;
  bool hasChanged = false;
  Choices choices{input};
  for (int left = mostRequests; left > 0 && !choices.isOver(); --left) {
    const std::string method{choices.until(' ')};
    const std::string path{choices.until('\n')};
    const std::string body{choices.until('\n')};
    const HttpResponse response = server->send(method, "/_fake/" + path, body);
    require(response.status >= 200 && response.status < 500, "there is no internal error");
    const std::string* const type = response.header("Content-Type");
    if (type != nullptr && *type == "application/json")
      require(parsedJson(response.body).has_value(), "a response is JSON");
    if (method == "GET" || response.status >= 400) continue;
    before = server->everything();
    hasChanged = true;
  }
  require(server->everything() == before, "a request that is refused, or only reads, changes nothing");
  if (hasChanged) server.reset();
}

}  // namespace tally::fuzz
