#include "compare/world.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "accounts/account_limits.h"
#include "objects/account_objects.h"
#include "tables/schema_types.h"
#include "time/saturating.h"

namespace tally::fake::detail {

using tally::detail::saturatingAdd;

namespace {

constexpr std::uint64_t seed = 0x74616c6c79;  // other identifiers than those of a recorded tally-fake

ServiceOptions optionsOf(const Inventory& inventory) {
  const Instant start = inventory.requests() == 0 ? Instant{} : inventory.start();
  return {.seed = seed,
          .start = saturatingAdd(start, inventory.skew()),
          .duration = std::chrono::nanoseconds{0},
          .limits = false,
          .requestLog = 0};
}

}  // namespace

World::World(const Inventory& inventory, const Settings& settings)
    : engine_(std::make_shared<Engine>(optionsOf(inventory))),
      skew_(inventory.skew()),
      resolution_(inventory.resolution()),
      mirror_(*engine_) {
  addAccounts(inventory, settings);
}

/// Accounts first, as they may be connected with later ones.
void World::addAccounts(const Inventory& inventory, const Settings& settings) {
  std::vector<AccountState*> added;
  std::array<std::size_t, 2> numbers{};  // by mode
  for (const FoundAccount& found : inventory.accounts()) {
    const bool createdLater = found.keys.empty() && inventory.createdInRecording(found.id);
    added.push_back(createdLater ? nullptr : &addAccount(found, settings, ++numbers[found.livemode ? 1 : 0]));
  }
  for (std::size_t i = 0; i < added.size(); ++i) {
    if (added[i] == nullptr) continue;
    const FoundAccount& found = inventory.accounts()[i];
    for (const std::string& connected : found.connected)
      if (inventory.createdInRecording(connected)) {
        platforms_[connected].push_back({.account = added[i]->account.id, .livemode = found.livemode});
      } else {
        engine_->change()->accounts.connect(added[i]->account.id, connected, found.livemode);
      }
    addObjects(found, *added[i], inventory.start());
  }
}

/// The first key is that of the account, others act as it. A live and a sandbox key may belong to one
/// account, but only a connected account shows that they do: each of its modes is found by itself.
AccountState& World::addAccount(const FoundAccount& found, const Settings& settings, std::size_t number) {
  const auto change = engine_->change();
  Accounts& accounts = change->accounts;
  Account account{.id = found.id};
  if (account.id.empty())
    account.id = (found.livemode ? "acct_live" : "acct_sandbox") + std::to_string(number);
  const auto addTokens = [&](std::size_t first) {
    for (std::size_t i = first; i < found.keys.size(); ++i)
      accounts.add(Accounts::Token{.text = found.keys[i], .account = account.id, .livemode = found.livemode});
  };
  if (accounts.contains(account.id)) {
    addTokens(0);
    return accounts.stateOf(account.id);
  }
  const std::string key = found.keys.empty() ? "unused " + account.id : found.keys.front();
  account.liveKey = found.livemode ? key : "unused live " + account.id;
  account.sandboxKey = found.livemode ? "unused sandbox " + account.id : key;
  AccountState& state = accounts.add(engine_->catalog(), account, settings.optionsOf(number));
  addTokens(1);
  state.settings = settings.limitsOf(number);
  applyOverrides(engine_->catalog(), change->settings, state);
  return state;
}

void World::addObjects(const FoundAccount& found, AccountState& account, Instant start) {
  Caller caller;
  {
    const auto change = engine_->change();
    caller = change->accounts.ownerOf(found.livemode ? account.account.liveKey : account.account.sandboxKey);
  }
  for (const FoundObject& object : found.objects) {
    if (object.madeLater)
      newcomers_.try_emplace(object.id, Newcomer{.type = &typeOf(object), .time = *object.madeLater});
    if (!object.madeLater || object.madeLater->earliest <= start) {
      announce(caller, object);
    } else {
      awaited_.emplace(object.madeLater->earliest, Awaited{.caller = caller, .object = &object});
    }
  }
}

const ResourceType& World::typeOf(const FoundObject& object) const {
  return engine_->catalog().types()[engine_->catalog().indexOf(*object.resource)];
}

void World::announce(const Caller& caller, const FoundObject& object) {
  const ResourceType& type = typeOf(object);
  if (mirror_.has(caller, type, object.id)) return;
  mirror_.announce(caller, type, object.id, object.created, object.placed);
  if (type.rules().isAccount) adopt(caller, type, object.id);
}

void World::proceedTo(const Observation& seen) {
  while (!awaited_.empty() && awaited_.begin()->first <= seen.end()) {
    const Awaited next = std::move(awaited_.extract(awaited_.begin()).mapped());
    announce(next.caller, *next.object);
  }
}

std::optional<CreationTime> World::creationOf(std::string_view id) const {
  const auto found = newcomers_.find(id);
  return found == newcomers_.end() ? std::nullopt : std::optional{found->second.time};
}

/// Whether the service may have processed a request before a creation. Requests that started at the same
/// recorded time are in the order of the recording.
bool World::mayPrecede(const Observation& seen, const CreationTime& created) const {
  return seen.start() < created.latest ||
         (seen.start() < created.latest + resolution_ && seen.number() < created.shownBy);
}

bool World::mayLack(const Observation& seen, std::string_view id) const {
  const auto created = creationOf(id);
  return created && mayPrecede(seen, *created);
}

bool World::mayLackAny(const Observation& seen, const ResourceType& type) const {
  return std::ranges::any_of(newcomers_, [&](const auto& entry) {
    const auto& [made, time] = entry.second;
    return made == &type && time.earliest <= seen.end() && mayPrecede(seen, time);
  });
}

void World::adopt(const Caller& caller, const ResourceType& type, std::string_view id) {
  mirror_.adopt(caller, type, id);
  const auto found = platforms_.find(id);
  if (found == platforms_.end()) return;
  const auto change = engine_->change();
  for (const Platform& platform : found->second)
    change->accounts.connect(platform.account, id, platform.livemode);
}

std::optional<Caller> World::callerOf(const Observation& seen) {
  const auto change = engine_->change();
  auto authenticated = change->accounts.authenticate(seen.arrival().head);
  if (auto* caller = std::get_if<Caller>(&authenticated)) return std::move(*caller);
  return std::nullopt;
}

HttpResponse World::send(const Observation& seen, const HttpRequest& request) {
  const Instant time = saturatingAdd(seen.start(), skew_);
  if (time > engine_->clock()->now()) engine_->clock()->advanceTo(time);
  ScheduledResult timed =
      engine_->exchange(request, {.deadline = Instant::max()}, seen.recorded().otherMethod);
  auto* response = std::get_if<HttpResponse>(&timed.result);
  return response == nullptr ? HttpResponse{} : std::move(*response);
}

void World::forget(std::string_view account) {
  const auto change = engine_->change();
  if (change->accounts.contains(account)) change->remove(account);
}

}  // namespace tally::fake::detail
