#pragma once

#include <functional>
#include <string>

#include <tally/clock.h>
#include <tally/outbox.h>

#include "worker/store.h"

namespace tally::detail {

/// What the owner of a domain does from time to time: the store's maintenance, and retention. Nothing that is
/// sent relies on it, so a failure is told, and stops nothing. For one thread.
class Maintenance {
 public:
  /// `store` and `options` must outlive this. `first`: when it begins.
  Maintenance(DomainStore& store, const OutboxOptions& options, std::string domain, Instant first);

  /// When something is to be done.
  [[nodiscard]] Instant due() const noexcept;
  /// Does one thing that is due. Throws SessionOver.
  void perform(Instant now);

 private:
  [[nodiscard]] bool succeeds(const char* failure, const std::function<void()>& work) const;
  void keepUp(Instant now);
  void removeDecided(Instant now);

  DomainStore& store_;
  const OutboxOptions& options_;
  std::string domain_;
  Instant nextUpkeep_;
  Instant nextRemoval_;  // of reports that were decided long ago
};

}  // namespace tally::detail
