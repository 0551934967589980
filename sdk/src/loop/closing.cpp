#include "loop/closing.h"

namespace tally::detail {

void Closing::add(const CloseResult& outcome) noexcept {
  if (!begun_) return;
  result_.completed += outcome.completed;
  result_.unsent += outcome.unsent;
  result_.unknown += outcome.unknown;
}

void Closing::cancelAt(EventLoop& loop, Instant deadline) noexcept {
  loop_ = &loop;
  deadline_ = deadline;
  loop.post(*this);
}

void Closing::cancelNow() {
  if (!std::exchange(cancels_, true)) cancelAll_();
}

CloseResult outcomeOf(const Error* error) noexcept {
  if (error == nullptr || error->kind() != ErrorKind::canceled) return {.completed = 1};
  return error->effect() == Effect::none ? CloseResult{.unsent = 1} : CloseResult{.unknown = 1};
}

}  // namespace tally::detail
