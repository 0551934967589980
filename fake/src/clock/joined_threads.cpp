#include <exception>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <tally/fake/virtual_clock.h>

namespace tally::fake {

using Lock = std::unique_lock<std::mutex>;

namespace {

/// Threads that end before this does. std::async() would not do: if a thread can't start, that of libc++
/// waits for it without end.
class Threads {
 public:
  explicit Threads(std::size_t most) : problems_(most) { threads_.reserve(most); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() { join(); }

  template <class Work>
  void start(Work work) {
    threads_.emplace_back([&problem = problems_[threads_.size()], work = std::move(work)]() mutable {
      try {
        work();
      } catch (...) {
        problem = std::current_exception();
      }
    });
  }

  /// Waits for all. Throws the exception of the first thread that ended with one.
  void get() {
    join();
    for (const std::exception_ptr& problem : problems_)
      if (problem) std::rethrow_exception(problem);
  }

 private:
  void join() {
    for (std::thread& thread : threads_)
      if (thread.joinable()) thread.join();
  }

  std::vector<std::exception_ptr> problems_;  // by thread
  std::vector<std::thread> threads_{};
};

}  // namespace

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
  Threads threads{count};
  std::vector<std::unique_ptr<Membership>> members(count);
  for (auto& member : members)
    member.reset(new Membership{*this});  // its constructor is private
  for (std::size_t n = 0; n < count; ++n)
    threads.start([&work, n, member = std::move(members[n])]() mutable {
      const auto joined = std::move(member);
      joined->begin(std::this_thread::get_id());
      work(n);
    });
  threads.get();
}

}  // namespace tally::fake
