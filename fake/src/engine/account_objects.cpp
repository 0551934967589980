#include "engine/account_objects.h"

#include <chrono>
#include <utility>

#include "accounts/account_limits.h"
#include "engine/objects.h"
#include "tables/object_merge.h"

namespace tally::fake::detail {

namespace {

/// Null if the account has no such field.
std::string* textIn(const ResourceType& type, void* account, std::string_view name) {
  const Field* field = type.model().find(name);
  void* value = field == nullptr ? nullptr : field->in(account);
  const bool text = value != nullptr && field->type.kind == tally::detail::Kind::string;
  return text ? static_cast<std::string*>(value) : nullptr;
}

/// Reads the options of an account from its object, if it has fields for them.
AccountOptions optionsOf(const ResourceType& type, const void* object) {
  AnyObject account{type.model()};
  copyObject(type.model(), object, account.data());
  AccountOptions options;
  if (std::string* country = textIn(type, account.data(), "country")) options.country = std::move(*country);
  if (std::string* industry = textIn(type, account.data(), "industry"))
    options.industry = std::move(*industry);
  return options;
}

/// Represents an account as an object of a resource, from what the service knows about it.
AnyObject objectOf(const ResourceType& type, const AccountState& account, bool livemode, Instant now) {
  AnyObject object{type.model()};
  copyObject(type.model(), type.example(), object.data());
  type.id(object.data()) = account.account.id;
  type.created(object.data()) = std::chrono::floor<std::chrono::seconds>(now);
  type.livemode(object.data()) = livemode;
  if (Metadata* metadata = type.metadata(object.data())) metadata->clear();
  if (std::string* country = textIn(type, object.data(), "country")) *country = account.options.country;
  if (std::string* industry = textIn(type, object.data(), "industry")) *industry = account.options.industry;
  return object;
}

/// An account, represented as an object of a resource.
struct Known {
  const ResourceType& type;
  const void* object = nullptr;
};

/// Adds the account to every account resource that lacks it. The new objects take shared fields from `known`,
/// if given.
void show(const Catalog& catalog, ModeState& platform, bool livemode, const AccountState& account,
          Instant now, const Known* known = nullptr) {
  for (std::size_t i = 0; i < catalog.types().size(); ++i) {
    const ResourceType& type = catalog.types()[i];
    Collection& collection = platform.collections[i];
    if (!type.rules().isAccount || collection.find(account.account.id) != nullptr) continue;
    AnyObject object = objectOf(type, account, livemode, now);
    if (known != nullptr) mergeGiven(known->type.model(), known->object, type.model(), object.data());
    storeObject(type, collection, now, object.data(), encode(type, object.data()), type.machine().initial);
  }
}

}  // namespace

void makeAccount(const Catalog& catalog, ServiceState& state, const Caller& platform,
                 const ResourceType& type, const void* object, Instant now) {
  AnyObject named{type.model()};
  copyObject(type.model(), object, named.data());
  AccountState& account =
      state.accounts.adopt(catalog, type.id(named.data()), optionsOf(type, object), platform);
  applyOverrides(catalog, state.settings, account);
  const Known known{type, object};
  show(catalog, platform.mode(), platform.livemode, account, now, &known);
}

void connectAccounts(const Catalog& catalog, ServiceState& state, const Account& platform,
                     const Account& connected, Instant now) {
  state.accounts.connect(platform, connected);
  AccountState& seer = state.accounts.stateOf(platform.id);
  for (const bool livemode : {false, true})
    show(catalog, seer.mode(livemode), livemode, state.accounts.stateOf(connected.id), now);
}

}  // namespace tally::fake::detail
