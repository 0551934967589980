#include "tenants/host.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <new>
#include <set>
#include <stdexcept>

#include <malloc.h>

#include "engine/service_state.h"
#include "request/request_head.h"
#include "tenants/saved_service.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view stateFormat = "tally-fake state";
constexpr std::int64_t stateVersion = 1;

/// By default, requests have no simulated duration.
ServiceOptions serviceOptions(const HostOptions& host, const TenantOptions& tenant, std::uint64_t seed) {
  ServiceOptions made{.seed = seed,
                      .limits = tenant.limits.value_or(host.limits),
                      .requestLog = host.requestLog,
                      .requestLogBytes = host.requestLogBytes,
                      .faultHeader = tenant.faultHeader.value_or(host.faultHeader)};
  if (!tenant.virtualClock.value_or(host.virtualClock)) made.start = std::chrono::system_clock::now();
  made.duration = tenant.duration.value_or(std::chrono::milliseconds{0});
  if (tenant.lockWait) made.lockWait = *tenant.lockWait;
  made.searchLag = tenant.searchLag.value_or(made.searchLag);
  if (tenant.requestLog) made.requestLog = static_cast<std::size_t>(*tenant.requestLog);
  return made;
}

}  // namespace

Host::Host(HostOptions options) : options_(std::move(options)) {
  if (options_.stateFile) file_.emplace(*options_.stateFile);
}

/// Every service has its own seed, so that no two share a key.
std::uint64_t Host::nextSeed() {
  return options_.seed + made_++;
}

/// A service that was imported may have the keys of a new one.
template <class Make>
std::shared_ptr<Tenant> Host::unlessKnown(const Make& make) const {
  while (true) {
    std::shared_ptr<Tenant> made = make();
    const std::vector<Account> accounts = made->service.accounts().list();
    const std::shared_lock lock{mutex_};
    const auto isTaken = [&](const Account& each) { return isOfAnother(each, *made); };
    if (std::ranges::none_of(accounts, isTaken)) return made;
  }
}

bool Host::isOfAnother(const std::string& key, const Tenant& tenant) const {
  const auto found = byKey_.find(key);
  return found != byKey_.end() && found->second.served->tenant.get() != &tenant;
}

bool Host::isOfAnother(const Account& account, const Tenant& tenant) const {
  return isOfAnother(account.liveKey, tenant) || isOfAnother(account.sandboxKey, tenant);
}

std::shared_ptr<Tenant> Host::add(const TenantOptions& options) {
  const auto made = unlessKnown([&] {
    return std::make_shared<Tenant>(serviceOptions(options_, options, nextSeed()), options.account);
  });
  if (options_.faultScript) made->service.faults().play(*options_.faultScript);
  if (!options.virtualClock.value_or(options_.virtualClock)) {
    made->service.clock()->run();
    made->service.clock()->catchUp(std::chrono::system_clock::now());  // with the time that making it took
  }
  return begin(made);
}

std::shared_ptr<Tenant> Host::fork(const Tenant& origin, std::string_view account) {
  const auto made = unlessKnown([&] { return std::make_shared<Tenant>(origin, account, nextSeed()); });
  return begin(made);
}

void Host::refuseIfKnown(const JsonInput& saved, const std::string& key, Origin origin) const {
  const auto found = byKey_.find(key);
  if (found == byKey_.end() || !found->second.clientKnows()) return;
  if (origin == Origin::stateFile) saved.fail("the key '" + key + "' is in use");
  const KeyOwner& owner = found->second;
  const std::string subject = "the key '" + key + "' ";
  const std::string remedy = ", with DELETE /_fake/accounts/{id}";
  if (const auto holder = owner.served->tenant->holderOf(key))
    saved.fail(subject + "is in use; first delete its account, '" + holder->account.id + "'" + remedy);
  saved.fail(subject + "may come back: its account, '" + owner.account +
             "', was deleted, but a reset or a snapshot can restore it; first delete the other accounts of "
             "its service" +
             remedy);
}

std::shared_ptr<Tenant> Host::import(JsonInput& saved) {
  return join(saved, Origin::request);
}

/// Forgets the account with this key, if no client knows it. Its service keeps it.
void Host::giveWay(const std::string& key) {
  const auto found = byKey_.find(key);
  if (found == byKey_.end() || found->second.clientKnows()) return;
  Served& served = tenants_.at(found->second.served->tenant.get());
  const Account account = found->second.known->account;
  std::erase_if(served.accounts, [&](std::uint64_t number) {
    return accounts_.at(number).account.liveKey == account.liveKey && accounts_.erase(number) != 0;
  });
  std::erase_if(served.keys, [&](const std::string& each) {
    return (each == account.liveKey || each == account.sandboxKey) && byKey_.erase(each) != 0;
  });
}

/// As in the original, the accounts that requests have created need not be deleted. Without any others, they
/// are all that is left of the service. A request may create an account with a key of an imported service: in
/// a state file, such an account gives way, whichever of the two services comes first.
std::shared_ptr<Tenant> Host::join(JsonInput& saved, Origin origin) {
  auto tenant = std::make_shared<Tenant>(saved);
  const Snapshot begun = tenant->service.snapshots().take();
  const Accounts& accounts = begun.state()->accounts;
  const std::vector<Accounts::Token> tokens = accounts.tokens();
  const bool areAllAdopted =
      std::ranges::all_of(accounts.all(), [](const auto& each) { return each.second->adopted; });
  tenant->begin();
  const std::lock_guard lock{mutex_};
  std::vector<std::pair<Account, bool>> entering;  // and whether a client knows it
  for (const auto& [number, each] : accounts.all()) {
    const bool isKnown = areAllAdopted || !each->adopted;
    if (origin == Origin::stateFile && !isKnown && isOfAnother(each->account, *tenant)) continue;
    refuseIfKnown(saved, each->account.liveKey, origin);
    refuseIfKnown(saved, each->account.sandboxKey, origin);
    entering.emplace_back(each->account, isKnown);
  }
  for (const Accounts::Token& token : tokens)
    refuseIfKnown(saved, token.text, origin);
  for (const auto& [account, isKnown] : entering) {
    giveWay(account.liveKey);
    giveWay(account.sandboxKey);
    enter(account, tenant, isKnown);
  }
  for (const Accounts::Token& token : tokens) {
    giveWay(token.text);
    enter(token.text, {tenant, token.connected.value_or(token.account), token.livemode});
  }
  return tenant;
}

bool Host::loadState() {
  const auto state = file_ ? file_->contents() : std::nullopt;
  if (!state) return false;
  try {
    load(*state);
  } catch (const std::bad_alloc&) {
    throw std::runtime_error{file_->name() + ": there is not enough memory to load it; add some"};
  } catch (const std::exception& problem) {
    throw std::runtime_error{file_->name() + ": " + problem.what() +
                             "; repair the file, or move it away to begin with a new state"};
  }
  ::malloc_trim(0);  // reading takes several times the memory of what was read
  return true;
}

void Host::load(const std::string& state) {
  const JsonDocument parsed = parseInput(state);
  JsonInput input{parsed};
  checkFormat(input, stateFormat, stateVersion);
  made_ = input.required(input.bits("next_seed"), "next_seed") - options_.seed;
  const auto kept = input.integer("kept_services", 0);  // earlier versions keep all
  std::int64_t number = 0;
  for (JsonInput& service : input.objects("services")) {
    const auto tenant = join(service, Origin::stateFile);
    if (!kept || number++ < *kept) keep(*tenant);
  }
  input.finish();
}

void Host::saveState() {
  if (!file_) throw BadInput{"this tally-fake has no state file; start it with --state FILE"};
  const std::lock_guard lock{saving_};
  file_->replace(state(), [](const std::string& written) { Host{HostOptions{}}.load(written); });
  ::malloc_trim(0);
}

/// A service whose last account is deleted meanwhile is gone. Those that are kept come first.
std::string Host::state() const {
  std::vector<std::shared_ptr<Tenant>> present;
  std::vector<std::shared_ptr<Tenant>> others;
  for (std::shared_ptr<Tenant>& tenant : tenants())
    (isKept(*tenant) ? present : others).push_back(std::move(tenant));
  const std::size_t firstOther = present.size();
  std::ranges::move(others, std::back_inserter(present));
  std::string text = R"({"format":")" + std::string{stateFormat} + R"(","version":)" +
                     std::to_string(stateVersion) + R"(,"next_seed":")" +
                     std::to_string(options_.seed + made_) + R"(","kept_services":)";
  const std::size_t placeOfCount = text.size();
  text += R"(,"services":[)";
  std::size_t kept = 0;
  for (std::size_t i = 0; i < present.size(); ++i) {
    const std::string service = SavedService::write(present[i]->service);
    if (present[i]->service.accounts().list().empty()) continue;
    text += text.back() == '[' ? "\n" : ",\n";
    text += service;
    if (i < firstOther) ++kept;
  }
  text.insert(placeOfCount, std::to_string(kept));
  return text += "\n]}\n";
}

/// Those that have accounts, in the order in which they became known.
std::vector<std::shared_ptr<Tenant>> Host::tenants() const {
  std::vector<std::shared_ptr<Tenant>> present;
  std::set<const Tenant*> seen;
  {
    const std::shared_lock lock{mutex_};
    for (const auto& [number, one] : accounts_)
      if (seen.insert(one.served->tenant.get()).second) present.push_back(one.served->tenant);
  }
  std::erase_if(present, [](const auto& tenant) { return tenant->service.accounts().list().empty(); });
  return present;
}

std::shared_ptr<Tenant> Host::begin(const std::shared_ptr<Tenant>& tenant) {
  tenant->begin();
  know(tenant->account, tenant);
  return tenant;
}

void Host::remove(const std::shared_ptr<Tenant>& tenant, std::string_view account) {
  tenant->removeAccount(account);
  forgetGone(*tenant);
}

void Host::forgetGone(const Tenant& tenant) {
  std::shared_ptr<Tenant> dropped;  // destroyed without the lock
  const std::lock_guard lock{mutex_};
  const auto found = tenants_.find(&tenant);
  if (found == tenants_.end()) return;
  if (isReachable(found->second)) {
    forgetKeys(found->second);
  } else {
    dropped = drop(tenant);
  }
}

/// A key that a snapshot has reaches the service only once another key has restored it.
bool Host::isReachable(const Served& served) const {
  return std::ranges::any_of(served.keys, [&](const std::string& key) {
    return byKey_.find(key)->second.clientKnows() && served.tenant->has(key);
  });
}

bool Host::isIdle(const Served& served, Tenant::SteadyTime now) const {
  return !served.kept && served.tenant.use_count() == 1 &&
         now - served.tenant->lastUsed() >= *options_.dropIdle;
}

void Host::dropIdle(Tenant::SteadyTime now) {
  std::vector<std::shared_ptr<Tenant>> dropped;  // destroyed without the lock
  const std::lock_guard lock{mutex_};
  if (!options_.dropIdle) return;
  for (auto served = tenants_.begin(); served != tenants_.end();) {
    const auto next = std::next(served);
    if (isIdle(served->second, now)) dropped.push_back(drop(*served->first));
    served = next;
  }
}

void Host::keep(const Tenant& tenant) {
  const std::lock_guard lock{mutex_};
  const auto served = tenants_.find(&tenant);
  if (served != tenants_.end()) served->second.kept = true;
}

bool Host::isKept(const Tenant& tenant) const {
  const std::shared_lock lock{mutex_};
  const auto served = tenants_.find(&tenant);
  return served != tenants_.end() && served->second.kept;
}

void Host::keepAll() {
  const std::lock_guard lock{mutex_};
  for (auto& [tenant, served] : tenants_)
    served.kept = true;
}

/// Forgets the tenant and all its keys.
std::shared_ptr<Tenant> Host::drop(const Tenant& tenant) {
  auto node = tenants_.extract(&tenant);
  if (node.empty()) return nullptr;
  for (const std::string& key : node.mapped().keys)
    byKey_.erase(key);
  for (const std::uint64_t number : node.mapped().accounts)
    accounts_.erase(number);
  return std::move(node.mapped().tenant);
}

/// Forgets the keys and tokens that the service has neither now nor after a reset or a restored snapshot.
void Host::forgetKeys(Served& served) {
  const auto isGone = [&](const std::string& key) {
    return !served.tenant->has(key) && !served.tenant->mayReturn(key);
  };
  std::erase_if(served.accounts, [&](std::uint64_t number) {
    return isGone(accounts_.at(number).account.liveKey) && accounts_.erase(number) != 0;
  });
  std::erase_if(served.keys, [&](const std::string& key) { return isGone(key) && byKey_.erase(key) != 0; });
}

std::vector<Account> Host::accounts() const {
  std::vector<std::pair<Account, std::shared_ptr<Tenant>>> known;
  {
    const std::shared_lock lock{mutex_};
    for (const auto& [number, one] : accounts_)
      known.emplace_back(one.account, one.served->tenant);
  }
  std::vector<Account> present;
  for (const auto& [account, tenant] : known)
    if (auto holder = tenant->holderOf(account.sandboxKey)) present.push_back(std::move(holder->account));
  return present;
}

void Host::know(const Account& account, const std::shared_ptr<Tenant>& tenant) {
  if (!enterNew(account, tenant))
    throw BadInput{"the keys of the account '" + account.id +
                   "' are in use by another service; first delete the accounts of one of the two services, "
                   "with DELETE /_fake/accounts/{id}"};
}

/// A service that was imported may have the keys that this one generates next.
Account Host::addBeside(const std::shared_ptr<Tenant>& tenant, const AccountOptions& options) {
  while (true) {
    const Account added = tenant->service.addAccount(options);
    if (enterNew(added, tenant)) return added;
    tenant->removeAccount(added.id);
  }
}

std::string Host::addToken(const Owner& owner, const std::optional<std::string>& connected) {
  Tokens tokens = owner.tenant->service.tokens();
  const Account account{.id = owner.account};
  while (true) {
    std::string token = connected ? tokens.add(account, {.id = *connected}, owner.livemode)
                                  : tokens.add(account, owner.livemode);
    if (enterNew(token, {owner.tenant, connected.value_or(owner.account), owner.livemode})) return token;
    owner.tenant->removeToken(token);
  }
}

bool Host::enterNew(const Account& account, const std::shared_ptr<Tenant>& tenant) {
  const std::lock_guard lock{mutex_};
  if (isOfAnother(account, *tenant)) return false;
  enter(account, tenant);
  return true;
}

bool Host::enterNew(const std::string& token, const Owner& owner) {
  const std::lock_guard lock{mutex_};
  if (isOfAnother(token, *owner.tenant)) return false;
  enter(token, owner);
  return true;
}

void Host::enter(const Account& account, const std::shared_ptr<Tenant>& tenant, bool clientKnows) {
  if (!first_) first_ = tenant;
  Served& served = tenants_.try_emplace(tenant.get(), Served{.tenant = tenant}).first->second;
  if (const auto found = byKey_.find(account.liveKey); found != byKey_.end()) return found->second.use();
  const Known& known = accounts_.try_emplace(++lastAccount_, account, served, clientKnows).first->second;
  served.accounts.push_back(lastAccount_);
  route(served, account.liveKey, {&served, account.id, &known});
  route(served, account.sandboxKey, {&served, account.id, &known});
}

void Host::enter(const std::string& token, const Owner& owner) {
  const auto served = tenants_.find(owner.tenant.get());
  if (served != tenants_.end())  // it may have been dropped meanwhile
    route(served->second, token, {&served->second, owner.account});
}

void Host::route(Served& served, const std::string& key, KeyOwner to) {
  if (byKey_.insert_or_assign(key, std::move(to)).second) served.keys.push_back(key);
}

std::optional<Owner> Host::ownerOf(std::string_view key) const {
  std::shared_ptr<Tenant> tenant = find(key);
  if (tenant == nullptr) return std::nullopt;
  tenant->use();
  auto holder = tenant->holderOf(key);
  if (!holder) return std::nullopt;
  return Owner{std::move(tenant), std::move(holder->account.id), holder->livemode};
}

std::shared_ptr<Tenant> Host::find(std::string_view key) const {
  const std::shared_lock lock{mutex_};
  const auto found = byKey_.find(key);
  if (found == byKey_.end()) return nullptr;
  found->second.use();
  return found->second.served->tenant;
}

std::shared_ptr<Tenant> Host::tenantOf(const HttpRequest& request) const {
  const RequestHead head = headOf(request);
  const auto key = head.authorization == nullptr ? std::nullopt : keyOf(*head.authorization);
  std::shared_ptr<Tenant> owner = key ? find(*key) : nullptr;
  if (owner != nullptr) return owner;
  const std::shared_lock lock{mutex_};
  return first_;
}

bool Host::mayBlock(const HttpRequest& request) const {
  return ServiceHandler::mayTakeLong(request);
}

Reply Host::handle(const Incoming& incoming, const StopToken& stop) {
  const std::shared_ptr<Tenant> tenant = tenantOf(incoming.request);
  tenant->use();
  Reply reply = tenant->handler.handle(incoming, stop);
  counts.add(reply);
  return reply;
}

std::size_t Host::accountCount() const {
  const std::shared_lock lock{mutex_};
  return accounts_.size();
}

std::size_t Host::logSize() const {
  const std::shared_lock lock{mutex_};
  std::size_t size = 0;
  for (const auto& [tenant, served] : tenants_)
    size += tenant->service.requests().size();
  return size;
}

}  // namespace tally::fake::detail
