#pragma once

#include <optional>

#include "call/mutation_queues.h"
#include "pacing/paced_call.h"

namespace tally::detail {

/// What a call waits for before it is sent. Whoever makes several calls in one turn keeps it over all of
/// them.
struct Turn {
  std::optional<MutationQueues::Place> place{};  // among the calls on the same object
  std::optional<PacedCall> paced{};              // within the limits; nothing where no pacer is set
};

}  // namespace tally::detail
