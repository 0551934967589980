#include <ostream>
#include <string>

#include <tally/pacer.h>

#include "text/readable.h"

namespace tally {

std::ostream& operator<<(std::ostream& out, const PacerUsage& usage) {
  std::string line;
  detail::appendReadable(line, usage.limit);
  for (const std::string& of : {usage.operation, usage.object})
    if (!of.empty()) detail::appendReadable(line += " of ", of);
  line += ": " + std::to_string(usage.used);
  if (usage.number) line += " of " + std::to_string(*usage.number);
  line += " used";
  if (usage.number != usage.full)
    line += ", lowered from " + (usage.full ? std::to_string(*usage.full) : std::string{"unlimited"});
  if (usage.waiting != 0) line += ", " + std::to_string(usage.waiting) + " waiting";
  return out << line;
}

}  // namespace tally
