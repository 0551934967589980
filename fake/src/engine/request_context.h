#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tally/fake/logged_request.h>
#include <tally/stop_token.h>
#include <tally/transport.h>

#include "accounts/accounts.h"
#include "faults/fault_rules.h"
#include "request/request_params.h"
#include "search/list_page.h"
#include "tables/router.h"

namespace tally::fake::detail {

class Catalog;
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

/// Parses a request. The result refers to it. `otherMethod` is its method if it is neither GET nor POST.
[[nodiscard]] Arrival arrive(const Catalog& catalog, const HttpRequest& request,
                             std::string_view otherMethod);

/// The fault that a request asks for.
struct RequestedFault {
  FaultRule rule{};
  std::uint64_t request = 0;  // identifies the request and its retries
};

/// What is known about a request on its way through the service.
struct RequestContext {
  const Arrival& arrival;
  bool blocks = false;                    // whether the sender blocks until the response
  bool injected = false;                  // a fault rule has fired; no other rule does
  bool injectedByHeader = false;          // the one in its header
  bool admitted = false;                  // by the limits
  bool waits = false;                     // has waited for the lock of its object
  bool departed = false;                  // its sender gave up meanwhile
  bool processed = false;                 // it took effect, even if the response is replaced or lost
  std::shared_ptr<ServiceState> state{};  // the state at arrival; restore() may replace it meanwhile
  Instant arrived{};
  Instant until{};                            // the deadline of the sender
  StopToken stop{};                           // cancels the wait of the sender
  Caller caller{};                            // once the key is known
  std::optional<RequestedFault> requested{};  // by its header
  std::optional<FaultTarget> target{};        // once a fault may happen to it
  FaultEffect rule{};                         // the injected fault
  Response response{};                        // the response of the service
  std::string_view limit{};                   // the limit that refused it
  std::string_view object{};                  // in the path, once admitted; empty if there is no such object
  std::uint64_t turn = 0;                     // among the requests that wait; 0 before
  std::optional<TransportFailure> failure{};  // instead of a response
  std::string requestId{};                    // of the response, if it has one, until that is written
  std::optional<HttpResponse> sent{};         // the response as it is sent, once it is written
  std::uint64_t number = 0;                   // in the log; 0 before
  Instant end{};                              // when the sender learns the outcome

  [[nodiscard]] const AnyOperation& operation() const { return *arrival.route.operation; }

  /// The status of the response; 0 if there is none.
  [[nodiscard]] int status() const;

  [[nodiscard]] bool bearsRequestId() const;

  /// Whether the response still has to be produced, without the lock.
  [[nodiscard]] bool isDeferred() const;

  /// A constant such as `response lost`; empty if no fault rule has fired.
  [[nodiscard]] std::string_view faultName() const;
};

/// A request of a non-blocking sender, which may have to be resumed. Must not move, since its members refer
/// to each other.
struct ResumableRequest {
  ResumableRequest(const Catalog& catalog, HttpRequest sent, std::string_view method)
      : owned(std::move(sent)), otherMethod(method), arrival(arrive(catalog, owned, otherMethod)) {}
  /// `request` must outlive this. Its sender gives up at `deadline`.
  ResumableRequest(const Catalog& catalog, const HttpRequest* request, Instant deadline)
      : limits{.deadline = deadline}, arrival(arrive(catalog, *request, {})) {}
  ResumableRequest(const ResumableRequest&) = delete;
  ResumableRequest& operator=(const ResumableRequest&) = delete;
  ~ResumableRequest() = default;

  const HttpRequest owned{};
  const std::string otherMethod{};
  const SendLimits limits{.deadline = Instant::max()};
  const Arrival arrival;
  RequestContext context{.arrival = arrival};
  std::optional<StopSource> wake{};  // to be stopped when a test releases a lock
};

/// Fills in an entry of the log, except for the response. Assigns every member instead of creating new ones,
/// so a full log can reuse its buffers.
void note(const RequestContext& context, const std::string& requestId, Instant end, LoggedRequest& entry);

}  // namespace tally::fake::detail
