#pragma once

#include <memory>
#include <string_view>

#include <tally/fake/service.h>
#include <tally/options.h>

namespace tally::conformance {

/// Whether requests leave the process. If so, the service does not know its caller's deadline, and time
/// advances to the end of the request.
[[nodiscard]] bool overAWire();

/// Whether requests pass through a front server, which adds responses of its own: 502 if the service breaks
/// the connection, and 400 to a path that can't be decoded.
[[nodiscard]] bool throughAFront();

/// The service, accessed as this run requires. Tests manipulate the service in process; requests go over the
/// wire.
class Service : public fake::Service {
 public:
  explicit Service(const fake::ServiceOptions& options = {});
  ~Service();

  /// As in fake::Service: sends a request without advancing time.
  [[nodiscard]] HttpResponse handle(const HttpRequest& request);

  /// As in fake::Service: options for a client whose calls take time.
  [[nodiscard]] ClientOptions clientOptions(std::string_view key);

 private:
  struct Wire;

  HttpResponse respond(const HttpRequest& request);

  std::unique_ptr<Wire> wire_;  // null in process
};

}  // namespace tally::conformance
