#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include <tally/pacer.h>

#include "text/readable.h"

namespace [[gnu::visibility("default")]] tally {

std::ostream& operator<<(std::ostream& out, const PacerUsage& usage) {
  std::string line;
  detail::appendReadable(line, usage.limit);
  for (const std::string& of : {usage.operation, usage.object})
    if (!of.empty()) detail::appendReadable(line += " of ", of);
  line += ": " + std::to_string(usage.used);
  if (usage.allowed) line += " of " + std::to_string(*usage.allowed);
  line += " used";
  const auto number = [](std::optional<std::int64_t> value) {
    return value ? std::to_string(*value) : std::string{"unlimited"};
  };
  const auto ceiling = usage.share ? usage.share : usage.configured;
  if (usage.allowed != ceiling) line += ", lowered from " + number(ceiling);
  if (usage.share) line += ", share of " + number(usage.configured);
  if (usage.waiting != 0) line += ", " + std::to_string(usage.waiting) + " waiting";
  return out << line;
}

}  // namespace tally
