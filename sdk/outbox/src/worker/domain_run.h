#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <tally/client.h>
#include <tally/outbox.h>
#include <tally/report_all.h>

#include "bulk/async_sender.h"
#include "bulk/lanes.h"
#include "worker/lease.h"
#include "worker/maintenance.h"
#include "worker/store.h"
#include "worker/waker.h"

namespace tally::detail {

/// How often a domain is asked for news.
struct PollIntervals {
  std::chrono::milliseconds busy{50};
  std::chrono::milliseconds idle{1'000};
};

/// Sends the reports of a domain that the worker owns, until something ends it. Reads heads, appends intents,
/// sends, and appends outcomes. What has not been written is left to the next run. For one thread; waits
/// nowhere but in wait().
class DomainRun final : private ReportSink {
 public:
  /// Everything must outlive this. `lease`: nothing is begun that it does not cover.
  DomainRun(const Client& client, DomainStore& store, const Lease& lease, Waker& waker,
            const OutboxDomain& domain, const OutboxOptions& options, PollIntervals intervals = {});

  enum class End : std::uint8_t {
    stopped,    // as asked
    paused,     // by a person, or because of the key
    lost,       // another worker may own the domain
    inTrouble,  // the service, or an option
  };

  /// Does what can be done without waiting. Returns the end, after which this is of no use.
  [[nodiscard]] std::optional<End> round(const StopToken& stop);
  /// Waits until there is something to do. A virtual clock moves to `timer`.
  void wait(Instant timer = Instant::max());
  /// When there is something to do, on the clock of the client; empty while only wait() can tell.
  [[nodiscard]] std::optional<Instant> due() const;

  /// Why it has ended, in one line.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
  /// Whether the service has refused the key.
  [[nodiscard]] bool isUnauthorized() const noexcept { return isUnauthorized_; }

 private:
  struct Item {
    Head head{};
    BulkRow row{};
    bool isCanceled = false;
    bool isDoubtful = false;  // the marker on its object may tell what a comparison can't
    bool isSentAgain = false;
    std::string refusal{};       // why that was refused
    bool isHeldBack = false;     // until a recheck of its object has ended
    std::uint64_t heldBack = 0;  // by this recheck
  };
  using Items = std::unordered_map<std::uint64_t, Item>;
  struct OnObject {
    std::size_t items = 0;
    std::uint64_t recheck = 0;  // that has not ended
  };

  void checkStop(const StopToken& stopToken);
  void stop(End end, std::string problem);
  void stopLike();
  void lose();
  void tellTrouble();

  [[nodiscard]] bool isReadDue() const;
  void read();
  void take(std::vector<Head> heads);
  void take(Head head);
  [[nodiscard]] std::optional<std::string> prepare(Item& item) const;
  void enqueue(const Item& item);
  void hasten(Head& head);
  void moveHastened();
  [[nodiscard]] Item* recheckOn(const std::string& object);
  void drop(std::uint64_t id);
  void admit();
  void admit(std::deque<std::uint64_t>& queue);
  void carryOut(const std::vector<OpenRequest>& requests);
  void cancel(Item& item, const OpenRequest& request);

  [[nodiscard]] bool intend(BulkRow& row) override;
  void ended(BulkRow& row) override;
  [[nodiscard]] bool maySendDoubtful(Item& item);
  [[nodiscard]] static bool mayBeApplied(const Item& item);
  void lookAgain(Item& item);
  void beginAgain(const BulkRow& row);
  [[nodiscard]] bool isOnlyRefused(const Item& item) const;
  [[nodiscard]] bool showsEarlier(const Item& item) const;
  void rechecked(Item& item);
  void recheckLater(const Item& item);
  void judge(const Item& item);
  void proceed(Item& next, const BulkRow& recheck);
  [[nodiscard]] bool isOverwritten(const Item& item) const;
  void conclude(Item& item, std::string outcome, std::string reason);
  void putOff(Item& item, std::chrono::nanoseconds least = std::chrono::nanoseconds{0});
  void park(Item& item);
  [[nodiscard]] bool isCommitDue() const;
  [[nodiscard]] std::size_t waitingForCommit() const noexcept;
  void commit();
  void startIntended(bool mayStart);
  void releaseEnded();
  void tellOutcomes() const;
  void emit(OutboxEvent::Kind kind, const Head& head, std::string reason) const;
  [[nodiscard]] Instant now() const;

  DomainStore& store_;
  const Lease& lease_;
  Waker& waker_;
  const OutboxDomain& domain_;
  const OutboxOptions& options_;
  PollIntervals intervals_;
  ReportAllOptions sending_;

  Items items_{};  // outlive the sender, whose destructor ends the calls in flight
  AsyncSender sender_;
  Lanes lanes_;
  std::deque<std::uint64_t> normal_{};  // not yet in the lanes
  std::deque<std::uint64_t> low_{};
  std::size_t inLanes_ = 0;  // or about to be
  std::unordered_map<std::string, OnObject> onObjects_{};
  bool areHastened_ = false;  // some of `low_`

  Batch batch_{};                       // of the next commit
  std::vector<BulkRow*> intended_{};    // begun once their intents are durable
  std::vector<std::uint64_t> ended_{};  // released once their outcomes are durable
  std::vector<std::uint64_t> again_{};  // enqueued once the batch is durable
  std::vector<LateFinding> late_{};
  bool isDurable_ = true;
  std::map<std::string, std::shared_ptr<const AnyObject>> objects_{};  // as reports that have ended left them

  std::optional<End> end_{};
  std::string problem_{};
  bool isUnauthorized_ = false;
  Maintenance maintenance_;
  bool isHungry_ = false;                // there is more than the window has room for
  Instant nextCommit_ = Instant::min();  // unless few calls are in flight
  Instant nextRead_ = Instant::min();
  Instant nextTrouble_ = Instant::min();
};

}  // namespace tally::detail
