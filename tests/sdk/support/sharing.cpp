#include "sdk/support/sharing.h"

#include <random>
#include <stdexcept>
#include <utility>

namespace tally::test {

SharingProcesses::SharingProcesses(std::size_t processes, std::size_t endpoints,
                                   const std::shared_ptr<PacerShare>& share)
    : endpoints_(endpoints), shares_(share != nullptr) {
  for (std::size_t n = 0; n < processes; ++n) {
    Process& process = processes_.emplace_back();
    process.pacer = std::make_shared<Pacer>(PacerOptions{.share = share});
    ClientOptions options = service_.clientOptions(key_);
    options.pacer = process.pacer;
    process.client = std::make_unique<Client>(options);
  }
}

/// Whether it succeeds. Throws for any other error than a refusal.
bool SharingProcesses::call(const Client& client, std::size_t endpoint) const {
  const auto admitted = [](const auto& result) {
    if (!result && result.error() != ErrorKind::rateLimited)
      throw std::runtime_error{result.error().toString()};
    return result.has_value();
  };
  switch (endpoint % endpoints_) {
    case 0:
      return admitted(client.paymentRecords().retrieve(record_));
    case 1:
      return admitted(client.paymentIntents().retrieve(intent_));
    case 2:
      return admitted(client.paymentIntents().create({.amount = 1, .currency = "eur"}));
    case 3:
      return admitted(client.subscriptions().create());
    default:
      return admitted(client.payouts().retrieve(payout_));
  }
}

void SharingProcesses::work(const Client& client, std::size_t first, Instant start,
                            std::vector<Second>& seconds,
                            const std::function<bool(std::chrono::seconds)>& busy) const {
  fake::VirtualClock& clock = *service_.clock();
  const auto second = [&] { return std::chrono::floor<std::chrono::seconds>(clock.now() - start); };
  const std::chrono::seconds end{seconds.size()};
  for (std::size_t endpoint = first; second() < end;) {
    if (!busy(second())) {
      (void)clock.sleepUntil(clock.now() + 100ms, {});
      continue;
    }
    const bool admitted = call(client, endpoint++);
    if (second() >= end) return;
    Second& counts = seconds[static_cast<std::size_t>(second().count())];
    ++(admitted ? counts.admitted : counts.refused);
  }
}

std::vector<SharingProcesses::Second> SharingProcesses::run(std::chrono::seconds duration, const Busy& busy) {
  fake::VirtualClock& clock = *service_.clock();
  const Instant start = clock.now();
  std::vector<Second> seconds(static_cast<std::size_t>(duration.count()));
  const std::size_t each = threads + (shares_ ? 1 : 0);
  clock.runThreads(processes_.size() * each, [&](std::size_t thread) {
    const std::size_t n = thread / each;
    const Process& process = processes_[n];
    if (thread % each < threads)
      return work(*process.client, thread % each, start, seconds,
                  [&](std::chrono::seconds time) { return busy(n, time); });
    while (clock.now() < start + duration)
      (void)clock.sleepUntil(process.pacer->refreshShare(clock), {});
  });
  return seconds;
}

namespace {

constexpr std::chrono::seconds simulated{130};
constexpr std::size_t begins = 10;

struct Totals {
  std::int64_t admitted = 0;
  std::int64_t refused = 0;
};

Totals totalsOf(std::size_t processes, std::size_t endpoints, const std::shared_ptr<PacerShare>& share,
                const Busy& busy) {
  Totals totals;
  const auto seconds = SharingProcesses{processes, endpoints, share}.run(simulated, busy);
  for (std::size_t n = begins; n < seconds.size(); ++n) {
    totals.admitted += seconds[n].admitted;
    totals.refused += seconds[n].refused;
  }
  return totals;
}

ShareUse useOf(std::size_t endpoints, const Busy& busy) {
  const auto always = [](std::size_t, std::chrono::seconds) { return true; };
  const Totals alone = totalsOf(1, endpoints, nullptr, always);
  const Totals shared = totalsOf(8, endpoints, std::make_shared<MemoryShare>(), busy);
  return {.ofOneProcess = static_cast<double>(shared.admitted) / static_cast<double>(alone.admitted),
          .refused = shared.refused};
}

/// Whether each of some processes works in each second.
std::vector<std::vector<bool>> comingAndGoing(std::size_t processes, std::mt19937 random) {
  std::vector<std::vector<bool>> works(processes);
  for (auto& ofOne : works) {
    bool now = random() % 2 == 0;
    while (ofOne.size() < static_cast<std::size_t>(simulated.count()))
      ofOne.insert(ofOne.end(), 5 + random() % 31, std::exchange(now, !now));
  }
  return works;
}

}  // namespace

ShareUse steadyUse(std::size_t endpoints) {
  return useOf(endpoints, [](std::size_t, std::chrono::seconds) { return true; });
}

ShareUse changingUse(std::size_t endpoints, std::uint32_t seed) {
  const auto works = comingAndGoing(6, std::mt19937{seed});
  return useOf(endpoints, [&](std::size_t process, std::chrono::seconds time) {
    return process < 2 || works[process - 2][static_cast<std::size_t>(time.count())];
  });
}

}  // namespace tally::test
