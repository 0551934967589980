#include <ostream>

#include <tally/observer.h>

namespace tally {

std::string_view toString(EventKind kind) noexcept {
  switch (kind) {
    case EventKind::queue:
      return "queue";
    case EventKind::dequeued:
      return "dequeued";
    case EventKind::throttled:
      return "throttled";
    case EventKind::admitted:
      return "admitted";
    case EventKind::attempt:
      return "attempt";
    case EventKind::response:
      return "response";
    case EventKind::backoff:
      return "backoff";
    case EventKind::backoffEnded:
      return "backoff_ended";
    case EventKind::end:
      return "end";
  }
  return "unknown event";
}

std::ostream& operator<<(std::ostream& out, EventKind kind) {
  return out << toString(kind);
}

}  // namespace tally
