#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

namespace tally::stress {

/// What a client claims about a change.
enum class Said : std::uint8_t { happened, didNot, mayHave };

/// One requested change, identified by the number in its request.
struct Claim {
  std::uint64_t number = 0;
  Said said = Said::mayHave;
  std::string what{};
};

std::ostream& operator<<(std::ostream& out, const Claim& claim);

}  // namespace tally::stress
