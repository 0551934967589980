#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "claim.h"

namespace tally::stress {

/// The header that identifies the call of a request.
inline constexpr const char* callHeader = "Test-Call";

/// What a client claims about the changes that one call sent; for resolveReport(), about its
/// resends.
struct Sending {
  std::uint64_t call = 0;
  Said said = Said::mayHave;
  std::size_t requests = 0;  // handed to the transport
  std::string what{};
};

}  // namespace tally::stress
