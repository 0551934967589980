#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

namespace tally::stress {

/// What a client says of a change.
enum class Said : std::uint8_t { happened, didNot, mayHave };

/// One change that was asked for, by the number that its request bears.
struct Claim {
  std::uint64_t number = 0;
  Said said = Said::mayHave;
  std::string what{};
};

std::ostream& operator<<(std::ostream& out, const Claim& claim);

}  // namespace tally::stress
