#pragma once

#include <chrono>
#include <optional>

#include "compare/limit_judge.h"
#include "compare/lock_judge.h"
#include "compare/page_differ.h"
#include "compare/response_differ.h"
#include "compare/settings.h"
#include "compare/world.h"
#include "findings/findings.h"
#include "findings/report.h"
#include "observed/inventory.h"
#include "observed/recorded.h"
#include "observed/timeline.h"

namespace tally::fake::detail {

struct ComparisonOptions {
  Settings settings{};
  /// How long after its recorded start a request may have reached the service.
  std::chrono::nanoseconds margin = std::chrono::milliseconds{500};
  bool messages = false;  // whether texts for people are compared
};

/// Sends the requests of a recording to a fake, at their times, and compares its responses with those of the
/// recording. After a difference, the fake gets the recorded state, so that each is found once, at its cause.
///
/// The recording is read twice. Memory depends on the number of its objects, and not on that of its requests.
class RecordingComparison {
 public:
  RecordingComparison(Recording& recording, const ComparisonOptions& options);

  void run();

  [[nodiscard]] const Findings& findings() const noexcept { return findings_; }
  [[nodiscard]] const RequestTotals& totals() const noexcept { return totals_; }

 private:
  [[nodiscard]] static Inventory inventoryOf(Recording& recording);
  void compare(const Observation& seen);
  void compareWithoutAccount(const Observation& seen);
  void compareRefusal(const Observation& seen, const Caller& caller, const ResourceType& type);
  void passUnknown(const Observation& seen, const Caller& caller, const ResourceType& type);
  void compareProcessed(const Observation& seen, const Caller& caller, const ResourceType& type);
  void compareCreate(const Observation& seen, const Caller& caller, const ResourceType& type);
  void compareRetrieve(const Observation& seen, const Caller& caller, const ResourceType& type);
  void compareChange(const Observation& seen, const Caller& caller, const ResourceType& type);
  void comparePage(const Observation& seen, const Caller& caller, const ResourceType& type);
  void compareShown(const Observation& seen, const Caller& caller, const ResourceType& type,
                    const JsonValue& object, const HttpResponse& fake, bool contested);
  void retryUncorrected(const Observation& seen, const Caller& caller, const ResourceType& type,
                        const std::optional<Mirror::Stored>& before, HttpResponse& fake);
  void announceReferences(const Observation& seen, const Caller& caller, const ResourceType& own);
  void prepareChange(const Observation& seen, const Caller& caller, const ResourceType& type);
  [[nodiscard]] bool compareOutcome(const Observation& seen, const HttpResponse& fake, bool contested);
  [[nodiscard]] bool namesNewcomer(const Observation& seen) const;
  [[nodiscard]] bool isContested(const Observation& seen) const;

  Recording& recording_;
  const Inventory inventory_;
  Findings findings_{};
  RequestTotals totals_{};
  World world_;
  Timeline timeline_;
  ResponseDiffer responses_;
  PageDiffer pages_;
  LimitJudge limits_;
  LockJudge locks_;
};

}  // namespace tally::fake::detail
