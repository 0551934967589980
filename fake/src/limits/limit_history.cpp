#include <ostream>

#include <tally/fake/limit_history.h>

#include "print/value_line.h"

namespace tally::fake {

std::ostream& operator<<(std::ostream& out, const RefusedMinute& value) {
  return out << tally::detail::ValueLine{"RefusedMinute"}
                    .add("start", value.start)
                    .add("refusals", value.refusals);
}

std::ostream& operator<<(std::ostream& out, const LimitHistory& history) {
  out << history.limit;
  if (!history.operation.empty()) out << " of " << history.operation;
  out << (history.livemode ? " in live mode: " : " in the sandbox: ") << history.refusals
      << " refused, highest use " << history.highestUse;
  if (history.allowed) out << " of " << *history.allowed;
  return out;
}

}  // namespace tally::fake
