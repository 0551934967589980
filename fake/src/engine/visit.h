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
#include "faults/scripts.h"
#include "request/request_params.h"
#include "search/list_page.h"
#include "tables/router.h"

namespace tally::fake::detail {

struct State;

/// A request, read as far as that goes without looking at the service's state.
struct Arrival {
  const HttpRequest& request;
  std::string_view method{};  // as HTTP has it
  RequestHead head{};
  Route route{};
  std::string id{};
  RequestParams params{};
  Fault fault{};  // there is no such operation
};

/// What becomes of a request, while it is with the service.
struct Visit {
  const Arrival& arrival;
  bool blocks = false;             // its sender, until it is answered
  std::shared_ptr<State> state{};  // that it came to, in case another is put in its place meanwhile
  Instant arrived{};
  Instant until{};           // the sender waits no longer
  std::stop_token stop{};    // the sender's
  Caller caller{};           // once it is known
  bool scripted = false;     // `script` has happened to it; nothing else does then
  ScriptedFault script{};    // what a test has happen to it
  Answer answer{};           // what the service has to say
  std::string_view limit{};  // the limit that refused it
  bool admitted = false;     // by the limits
  bool waits = false;        // for its object's lock
  bool processed = false;    // it did what it is for, even if another answer is given, or none
  std::optional<TransportFailure> failure{};  // in place of an answer
  std::string requestId{};                    // of the answer, if it bears one
  Instant end{};                              // when whoever sent it knows

  [[nodiscard]] const Operation& operation() const { return *arrival.route.operation; }

  /// The status of the answer; 0 where there is none.
  [[nodiscard]] int status() const;

  /// Whether the answer bears a request id.
  [[nodiscard]] bool bearsRequestId() const;
};

/// Fills in an entry of the log. Everything is assigned rather than made anew, so that a full log allocates
/// nothing.
void note(const Visit& visit, const std::string& requestId, Instant end, LoggedRequest& entry);

}  // namespace tally::fake::detail
