#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <tally/fake/service.h>
#include <tally/memory_share.h>
#include <tally/tally.h>

namespace tally::test {

using namespace std::chrono_literals;

/// Whether process `n` makes calls at a time since the beginning.
using Busy = std::function<bool(std::size_t, std::chrono::seconds)>;

/// Processes that share the limits of one live account of a fake, in virtual time. Each has a pacer, a
/// client, threads that make calls one after the other, and a thread that refreshes the share.
class SharingProcesses {
 public:
  /// What all processes did in one second.
  struct Second {
    std::int64_t admitted = 0;
    std::int64_t refused = 0;
  };

  /// The calls go to `endpoints` operations in turn, at most 5. Without `share`, each process uses its pacer
  /// alone.
  SharingProcesses(std::size_t processes, std::size_t endpoints, const std::shared_ptr<PacerShare>& share);

  /// What happened in each second, by the time of the responses. Throws if a call fails for another reason
  /// than a refusal.
  std::vector<Second> run(std::chrono::seconds duration, const Busy& busy);

 private:
  struct Process {
    std::shared_ptr<Pacer> pacer{};
    std::unique_ptr<Client> client{};
  };

  static constexpr std::size_t threads = 6;  // of each process

  [[nodiscard]] bool call(const Client& client, std::size_t endpoint) const;
  void work(const Client& client, std::size_t first, Instant start, std::vector<Second>& seconds,
            const std::function<bool(std::chrono::seconds)>& busy) const;

  fake::Service service_{{.duration = 50ms}};
  std::string key_ = service_.addAccount().liveKey;
  Id<PaymentRecord> record_ = service_.insert<PaymentRecord>(key_).id;
  Id<PaymentIntent> intent_ = service_.insert<PaymentIntent>(key_).id;
  Id<Payout> payout_ = service_.insert<Payout>(key_).id;
  std::size_t endpoints_;
  bool shares_;
  std::vector<Process> processes_{};
};

/// How much of a limit 8 processes use that share it, in two minutes from the tenth second on.
struct ShareUse {
  double ofOneProcess = 0;  // the admitted requests, by those of one process that uses the account alone
  std::int64_t refused = 0;
};

/// All processes could use all of the limit at any time.
[[nodiscard]] ShareUse steadyUse(std::size_t endpoints);
/// Two processes could, and the others come and go: each works for 5 to 35 seconds, and then pauses as long.
[[nodiscard]] ShareUse changingUse(std::size_t endpoints, std::uint32_t seed);

}  // namespace tally::test
