#pragma once

#include <optional>
#include <string_view>

#include <tally/clock.h>
#include <tally/observer.h>
#include <tally/stop_token.h>
#include <tally/transport.h>

#include "attempt/attempt_request.h"
#include "attempt/call_report.h"
#include "attempt/call_state_machine.h"
#include "call/mutation_queues.h"
#include "http/response_reader.h"
#include "pacing/paced_call.h"

namespace tally::detail {

/// What a call is carried out with.
struct Means {
  Transport& transport;
  Clock& clock;
  MutationQueues& queues;
  std::optional<MutationQueues::Place>& place;  // set when the call joins a queue; its owner resets it
  Observer* observer = nullptr;
  PacedCall* paced = nullptr;         // null without a pacer
  AttemptRequest* renewed = nullptr;  // null if the request is complete
};

/// Carries out the steps of `machine` in the calling thread until the call ends. Null on success.
[[nodiscard]] std::optional<Error> drive(CallStateMachine& machine, const CallReport::Description& call,
                                         const Reader& reader, const Means& means);

}  // namespace tally::detail
