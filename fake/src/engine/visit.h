#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include <tally/fake/logged_request.h>
#include <tally/transport.h>

#include "accounts/accounts.h"
#include "faults/fault_rules.h"
#include "request/request_params.h"
#include "search/list_page.h"
#include "tables/router.h"

namespace tally::fake::detail {

struct ServiceState;

/// A request, parsed as far as possible without the state of the service.
struct Arrival {
  const HttpRequest& request;
  std::string_view method{};  // the HTTP method
  RequestHead head{};
  Route route{};
  std::string id{};
  RequestParams params{};
  Fault fault{};  // the path is malformed or has no such operation
};

/// The progress of a request through the service.
struct Visit {
  const Arrival& arrival;
  bool blocks = false;                    // whether the sender blocks until the response
  std::shared_ptr<ServiceState> state{};  // the state at arrival; restore() may replace it meanwhile
  Instant arrived{};
  Instant until{};                            // the deadline of the sender
  std::stop_token stop{};                     // cancels the wait of the sender
  Caller caller{};                            // once the key is known
  bool injected = false;                      // `script` has fired; no other script does
  InjectedFault rule{};                       // the injected fault
  Response response{};                        // the response of the service
  std::string_view limit{};                   // the limit that refused it
  bool admitted = false;                      // by the limits
  bool waits = false;                         // for the lock of its object
  bool processed = false;                     // it took effect, even if the response is replaced or lost
  std::optional<TransportFailure> failure{};  // instead of a response
  std::string requestId{};                    // of the response, if it has one
  Instant end{};                              // when the sender learns the outcome

  [[nodiscard]] const Operation& operation() const { return *arrival.route.operation; }

  /// The status of the response; 0 if there is none.
  [[nodiscard]] int status() const;

  [[nodiscard]] bool bearsRequestId() const;
};

/// Fills in an entry of the log. Assigns every member instead of creating new ones, so a full log can reuse
/// its buffers.
void note(const Visit& visit, const std::string& requestId, Instant end, LoggedRequest& entry);

}  // namespace tally::fake::detail
