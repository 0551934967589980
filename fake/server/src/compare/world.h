#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/mirror.h"
#include "compare/settings.h"
#include "engine/engine.h"
#include "observed/inventory.h"
#include "text/string_map.h"

namespace tally::fake::detail {

/// The fake to which recorded requests are sent: with the keys, the accounts and the objects of the
/// recording. It enforces no limits and no locks, since these depend on times that a recording does not have
/// exactly; see LimitJudge and LockJudge.
class World {
 public:
  /// `inventory` must outlive this.
  World(const Inventory& inventory, const Settings& settings);

  [[nodiscard]] Engine& engine() noexcept { return *engine_; }
  [[nodiscard]] Mirror& mirror() noexcept { return mirror_; }

  /// The account that a request acts for; nothing if the fake refuses its key or its account.
  [[nodiscard]] std::optional<Caller> callerOf(const Observation& seen);

  /// Adds the objects that the service may have at the end of a request, although no recorded request has
  /// created them.
  void proceedTo(const Observation& seen);

  /// Whether the service may not have had an object yet when it processed a request.
  [[nodiscard]] bool mayLack(const Observation& seen, std::string_view id) const;
  /// The same for any object of a resource that the fake has by then.
  [[nodiscard]] bool mayLackAny(const Observation& seen, const ResourceType& type) const;

  /// When an object was created without a recorded request; empty if that was before the recording.
  [[nodiscard]] std::optional<CreationTime> creationOf(std::string_view id) const;

  /// Sends a request at the time of the recording.
  [[nodiscard]] HttpResponse send(const Observation& seen, const HttpRequest& request);

  /// If a new object is an account, adds the account. Every account that acts for it in the recording can do
  /// so.
  void adopt(const Caller& caller, const ResourceType& type, std::string_view id);

  /// Removes an account that the fake has made under an identifier of its own.
  void forget(std::string_view account);

 private:
  /// An account that acts for another, in one mode.
  struct Platform {
    std::string account{};
    bool livemode = false;
  };

  /// An object that was created during the recording, or may have been.
  struct Newcomer {
    const ResourceType* type = nullptr;
    CreationTime time{};
  };

  [[nodiscard]] bool mayPrecede(const Observation& seen, const CreationTime& created) const;

  /// One that the fake does not have yet.
  struct Awaited {
    Caller caller{};
    const FoundObject* object = nullptr;
  };

  void addAccounts(const Inventory& inventory, const Settings& settings);
  AccountState& addAccount(const FoundAccount& found, const Settings& settings, std::size_t number);
  void addObjects(const FoundAccount& found, AccountState& account, Instant start);
  void announce(const Caller& caller, const FoundObject& object);
  [[nodiscard]] const ResourceType& typeOf(const FoundObject& object) const;

  std::shared_ptr<Engine> engine_;
  std::chrono::seconds skew_;
  std::chrono::nanoseconds resolution_;  // of the recorded times
  Mirror mirror_;
  tally::detail::StringMap<Newcomer> newcomers_{};
  std::multimap<Instant, Awaited> awaited_{};                    // by the time when each may first exist
  tally::detail::StringMap<std::vector<Platform>> platforms_{};  // of accounts that the recording creates
};

}  // namespace tally::fake::detail
