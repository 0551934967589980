#pragma once

#include <string>
#include <vector>

#include "host.h"
#include "json_input.h"

namespace tally::fake::detail {

/// What Control can do, each as `POST /_fake/clock/advance`; `*` stands for a segment.
[[nodiscard]] std::vector<std::string> controlOperations();

/// The parameters that they take in their queries, each as `GET /_fake/requests limit`.
[[nodiscard]] std::vector<std::string> controlParameters();

/// The operations under `/_fake/`, which do to an account of tally-fake what a test in C++ does to a Service.
/// They are described in fake/server/control.openapi.json. Thread-safe.
class Control final : public Site {
 public:
  explicit Control(Host& host) : host_(host) {}

  /// Requests for other paths go to the host.
  [[nodiscard]] bool mayBlock(const HttpRequest& request) const override;
  [[nodiscard]] Reply reply(const Incoming& incoming, const std::stop_token& stop) override;

 private:
  [[nodiscard]] HttpResponse answer(const Incoming& incoming, const std::stop_token& stop);

  Host& host_;
};

}  // namespace tally::fake::detail
