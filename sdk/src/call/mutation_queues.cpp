#include "call/mutation_queues.h"

namespace tally::detail {

using Guard = std::lock_guard<std::mutex>;

MutationCounts MutationQueues::counts() const {
  const Guard guard{mutex_};
  return {.inProgress = lines_.size(), .waiting = length_ - lines_.size()};
}

MutationQueues::Place::Place(MutationQueues& queues, std::string_view object)
    : queues_(queues), object_(object) {
  const Guard guard{queues_.mutex_};
  auto found = queues_.lines_.find(object);
  if (found == queues_.lines_.end()) {
    found = queues_.lines_.emplace(object, Line{}).first;
  } else {
    if (found->second.length > queues_.maxWaiting_) return;
    wake_ = StopSource{};
  }
  line_ = &found->second;
  join();
}

/// Allocates nothing: whatever may throw comes before, and leaves no entry in the queue.
void MutationQueues::Place::join() noexcept {
  before_ = line_->last;
  (before_ == nullptr ? line_->first : before_->after_) = this;
  line_->last = this;
  ++line_->length;
  ++queues_.length_;
  joined_ = true;
}

/// Wakes through a copy and without the lock, since the woken Place may be destroyed immediately.
MutationQueues::Place::~Place() {
  if (joined_) leave().request_stop();
}

/// Returns what wakes the new first; it may wake nobody.
StopSource MutationQueues::Place::leave() {
  const Guard guard{queues_.mutex_};
  StopSource next{noStopState};
  if (before_ == nullptr && after_ != nullptr) next = after_->wake_;
  (before_ == nullptr ? line_->first : before_->after_) = after_;
  (after_ == nullptr ? line_->last : after_->before_) = before_;
  --queues_.length_;
  if (--line_->length == 0) queues_.lines_.erase(queues_.lines_.find(object_));
  return next;
}

bool MutationQueues::Place::first() const {
  const Guard guard{queues_.mutex_};
  return before_ == nullptr;
}

bool MutationQueues::Place::await(Clock& clock, Instant time, const StopToken& stop) {
  if (first()) return true;
  const StopCallback interrupted{stop, [this] { wake_.request_stop(); }};
  clock.waitUntil(time, wake_.get_token());
  return first();
}

}  // namespace tally::detail
