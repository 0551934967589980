#include <future>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include <tally/fake/virtual_clock.h>

namespace tally::fake {

using Lock = std::unique_lock<std::mutex>;

/// From now on, time stands until the thread has begun and waits. It need not exist yet.
VirtualClock::Membership::Membership(VirtualClock& clock) : clock_(clock) {
  Lock lock{clock_.mutex_};
  clock_.ready_.emplace(Turn{clock_.present(), ++clock_.waits_}, &self_);
  clock_.proceed(lock);
}

VirtualClock::Membership::~Membership() {
  Lock lock{clock_.mutex_};
  std::erase_if(clock_.ready_, [this](const auto& ready) { return ready.second == &self_; });
  if (clock_.turn_ == &self_) clock_.turn_ = nullptr;
  clock_.proceed(lock);
}

VirtualClock::Membership::Membership(VirtualClock& clock, std::thread::id self) : Membership(clock) {
  begin(self);
}

/// Waits for the first turn.
void VirtualClock::Membership::begin(std::thread::id self) {
  Lock lock{clock_.mutex_};
  self_.id = self;
  clock_.block(lock, self_);
}

VirtualClock::Membership VirtualClock::join() {
  requireNotJoined();
  return {*this, std::this_thread::get_id()};
}

void VirtualClock::requireNotJoined() const {
  const Lock lock{mutex_};
  if (hasTurn()) throw std::logic_error{"this thread has already joined the clock"};
}

/// All join before the first begins. If a thread can't start, those without a thread leave, and the others
/// finish.
void VirtualClock::runThreads(std::size_t count, const std::function<void(std::size_t)>& work) {
  requireNotJoined();
  std::vector<std::future<void>> threads;
  std::vector<std::unique_ptr<Membership>> members(count);
  for (auto& member : members)
    member.reset(new Membership{*this});  // its constructor is private
  threads.reserve(count);
  for (std::size_t n = 0; n < count; ++n)
    threads.push_back(std::async(std::launch::async, [&work, n, member = std::move(members[n])]() mutable {
      const auto joined = std::move(member);
      joined->begin(std::this_thread::get_id());
      work(n);
    }));
  for (auto& thread : threads)
    thread.get();
}

}  // namespace tally::fake
