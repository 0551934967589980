#include <ostream>

#include <tally/attempt.h>

#include "text/readable.h"
#include "time/seconds_text.h"

namespace [[gnu::visibility("default")]] tally {

std::ostream& operator<<(std::ostream& out, const Attempt& attempt) {
  std::string line = toString(attempt.sent) + ": ";
  line += attempt.status == 0 ? "no response" : std::to_string(attempt.status);
  detail::appendSeconds(line += " after ", attempt.duration);
  line += 's';
  if (!attempt.requestId.empty()) detail::appendWord(line += ", request ", attempt.requestId);
  if (!attempt.failure.empty()) detail::appendReadable(line += ": ", attempt.failure);
  return out << line;
}

}  // namespace tally
