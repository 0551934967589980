#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "claim.h"

namespace tally::stress {

/// The header by which a request tells of which call it is.
inline constexpr const char* callHeader = "Test-Call";

/// What a client says of the changes that one of its calls has sent: of a call of resolveReport(), of its
/// resends.
struct Sending {
  std::uint64_t call = 0;
  Said said = Said::mayHave;
  std::size_t requests = 0;  // that were handed to the transport
  std::string what{};
};

}  // namespace tally::stress
