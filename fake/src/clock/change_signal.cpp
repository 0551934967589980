#include <utility>

#include <tally/fake/change_signal.h>

namespace tally::fake {

std::shared_ptr<const void> ChangeSignal::onChange(Listener listener) {
  auto added = std::make_shared<const Listener>(std::move(listener));
  const std::lock_guard lock{mutex_};
  std::erase_if(listeners_, [](const auto& each) { return each.expired(); });
  listeners_.push_back(added);
  heard_.store(true, std::memory_order_release);
  return added;
}

/// Keeps the listeners alive, so that they can be called without the lock.
std::vector<std::shared_ptr<const ChangeSignal::Listener>> ChangeSignal::listeners() const {
  std::vector<std::shared_ptr<const Listener>> present;
  const std::lock_guard lock{mutex_};
  for (const auto& each : listeners_)
    if (auto listener = each.lock()) present.push_back(std::move(listener));
  return present;
}

void ChangeSignal::note() noexcept {
  count_.fetch_add(1, std::memory_order_acq_rel);
  if (!heard_.load(std::memory_order_acquire)) return;
  for (const auto& listener : listeners())
    (*listener)();
}

}  // namespace tally::fake
