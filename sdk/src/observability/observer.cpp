#include <ostream>
#include <utility>

#include <tally/observer.h>

namespace [[gnu::visibility("default")]] tally {

namespace {

class All final : public Observer {
 public:
  explicit All(std::vector<std::shared_ptr<Observer>> all) : all_(std::move(all)) {}

  void on(const Event& event) noexcept override {
    for (const auto& observer : all_)
      observer->on(event);
  }

 private:
  std::vector<std::shared_ptr<Observer>> all_;
};

}  // namespace

std::string_view toString(EventKind kind) noexcept {
  switch (kind) {
    case EventKind::queued:
      return "queued";
    case EventKind::dequeued:
      return "dequeued";
    case EventKind::throttled:
      return "throttled";
    case EventKind::unthrottled:
      return "unthrottled";
    case EventKind::attemptStarted:
      return "attempt_started";
    case EventKind::attemptEnded:
      return "attempt_ended";
    case EventKind::backoffStarted:
      return "backoff_started";
    case EventKind::backoffEnded:
      return "backoff_ended";
    case EventKind::callEnded:
      return "call_ended";
  }
  return "unknown event";
}

std::ostream& operator<<(std::ostream& out, EventKind kind) {
  return out << toString(kind);
}

std::shared_ptr<Observer> combineObservers(std::vector<std::shared_ptr<Observer>> all) {
  std::erase(all, nullptr);
  return std::make_shared<All>(std::move(all));
}

}  // namespace tally
