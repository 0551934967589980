#include <ostream>

#include <tally/observer.h>

namespace tally {

std::string_view toString(EventKind kind) noexcept {
  switch (kind) {
    case EventKind::queue:
      return "queue";
    case EventKind::turn:
      return "turn";
    case EventKind::pace:
      return "pace";
    case EventKind::paced:
      return "paced";
    case EventKind::attempt:
      return "attempt";
    case EventKind::answer:
      return "answer";
    case EventKind::wait:
      return "wait";
    case EventKind::retry:
      return "retry";
    case EventKind::end:
      return "end";
  }
  return "unknown event";
}

std::ostream& operator<<(std::ostream& out, EventKind kind) {
  return out << toString(kind);
}

}  // namespace tally
