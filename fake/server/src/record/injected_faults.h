#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tally/clock.h>
#include <tally/fake/fault_rule.h>
#include <tally/transport.h>

#include "faults/fault_rules.h"
#include "net/handler.h"
#include "tables/description.h"
#include "tables/router.h"

namespace tally::fake::detail {

/// A request that faults may happen to, and the one that did.
struct FaultedRequest {
  std::optional<FaultTarget> target{};
  std::string object{};  // the decoded identifier in its path
  const AnyOperation* operation = nullptr;
  std::optional<FaultEffect> effect{};

  /// The name of the fault, as the control API writes it; that of an error or `response` for a response
  /// instead of the upstream's; or what a rule without a fault does. Empty if there was none.
  [[nodiscard]] std::string name() const;
};

/// The faults of a recorder: the rules of a service, applied to requests on their way. Thread-safe.
class InjectedFaults {
 public:
  /// Begins with `rules`. Throws as add() does.
  InjectedFaults(std::uint64_t seed, std::span<const FaultRule> rules, Instant now,
                 const Description& description = {});

  /// Returns its id. Throws std::invalid_argument for a rule that can never apply.
  std::uint64_t add(FaultRule rule, Instant now);
  bool remove(std::uint64_t id);
  void clear();
  [[nodiscard]] std::vector<InjectedFault> list() const;

  /// `incoming` must outlive `request`. Returns what happens instead of forwarding it, if anything.
  [[nodiscard]] std::optional<TransportResult> onArrival(const Incoming& incoming, Instant now,
                                                         FaultedRequest& request);

  /// What the client receives instead of the response. Nothing if that is the response itself.
  [[nodiscard]] std::optional<TransportResult> onResponse(const HttpResponse& response,
                                                          FaultedRequest& request);

 private:
  void take(FaultedRequest& request, Moment moment);

  const Description description_;
  const Router router_;
  mutable std::mutex mutex_{};
  FaultRules rules_;
};

}  // namespace tally::fake::detail
