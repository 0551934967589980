#pragma once

#include <optional>
#include <stop_token>
#include <string_view>

#include <tally/clock.h>
#include <tally/observer.h>
#include <tally/transport.h>

#include "call/attempts.h"
#include "call/call_report.h"
#include "call/mutation_queues.h"
#include "http/answer.h"
#include "pacing/paced_call.h"

namespace tally::detail {

/// What the calls of a client are carried out with.
struct Means {
  Transport& transport;
  Clock& clock;
  MutationQueues& queues;
  std::optional<MutationQueues::Place>&
      place;  // in a line of theirs: taken there, and given back by its owner
  Observer* observer = nullptr;
  PacedCall* paced = nullptr;  // the call, to the pacer; null where there is none
};

/// Carries out the steps that `attempts` asks for in the calling thread, until the call is over. Null when it
/// went well.
[[nodiscard]] std::optional<Error> drive(Attempts& attempts, const CallReport::Call& call,
                                         const Reader& reader, const Means& means);

}  // namespace tally::detail
