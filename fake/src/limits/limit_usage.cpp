#include <ostream>

#include <tally/fake/limit_usage.h>

namespace tally::fake {

std::ostream& operator<<(std::ostream& out, const LimitUsage& usage) {
  out << usage.limit;
  for (const std::string& of : {usage.operation, usage.object})
    if (!of.empty()) out << " of " << of;
  out << (usage.livemode ? " in live mode: " : " in the sandbox: ") << usage.used;
  if (usage.allowed) {
    out << " of " << *usage.allowed << " used";
  } else {
    out << " used, no limit";
  }
  return out;
}

}  // namespace tally::fake
