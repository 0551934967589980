#pragma once

#include <memory>
#include <string_view>

#include <tally/fake/service.h>
#include <tally/options.h>

namespace tally::conformance {

/// Whether requests leave the process. Then the service does not know how long its caller waits, so that time
/// leaps on to the end of what it does.
[[nodiscard]] bool overAWire();

/// Whether they go through a front server, which has answers of its own: 502 where the service breaks the
/// connection, and 400 to a path that can't be decoded.
[[nodiscard]] bool throughAFront();

/// The service of the specification, and the way to it that this run tests. What a test does to a service it
/// does in process; requests go over the wire.
class Service : public fake::Service {
 public:
  explicit Service(const fake::ServiceOptions& options = {});
  ~Service();

  /// What a request gets, and the time stands still, as fake::Service has it.
  [[nodiscard]] HttpResponse handle(const HttpRequest& request);

  /// What a client is made of whose calls take time, as fake::Service has it.
  [[nodiscard]] ClientOptions clientOptions(std::string_view key);

 private:
  struct Wire;
  std::unique_ptr<Wire> wire_;  // null in process
};

}  // namespace tally::conformance
