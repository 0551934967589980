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
  if (usage.allowed) line += " of " + std::to_string(*usage.allowed);
  line += " used";
  if (usage.allowed != usage.configured)
    line +=
        ", lowered from " + (usage.configured ? std::to_string(*usage.configured) : std::string{"unlimited"});
  if (usage.waiting != 0) line += ", " + std::to_string(usage.waiting) + " waiting";
  return out << line;
}

}  // namespace tally
