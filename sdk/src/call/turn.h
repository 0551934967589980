#pragma once

#include <optional>
#include <string>

#include "call/mutation_queues.h"
#include "pacing/paced_call.h"

namespace tally::detail {

/// What a call waits for before it is sent. Several calls made in one turn share it.
struct Turn {
  std::string object{};                          // to which `place` refers, if nothing else keeps it
  std::optional<MutationQueues::Place> place{};  // in the queue of the object
  std::optional<PacedCall> paced{};              // with the pacer; nullopt without one
};

}  // namespace tally::detail
