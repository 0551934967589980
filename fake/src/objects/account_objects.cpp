#include "objects/account_objects.h"

#include <chrono>
#include <utility>

#include "accounts/account_limits.h"
#include "objects/objects.h"
#include "tables/object_merge.h"

namespace tally::fake::detail {

namespace {

/// Null if the account has no such field.
std::string* textIn(ObjectRef account, std::string_view name) {
  const Field* field = account.type().find(name);
  const auto value = field == nullptr ? tally::detail::ValueRef{} : account.value(*field);
  return value && value.kind() == tally::detail::Kind::string ? &value.text() : nullptr;
}

/// Reads the options of an account from its object, if it has fields for them.
AccountOptions optionsOf(ConstObjectRef object) {
  AnyObject account{object.type()};
  copyObject(object, account.ref());
  AccountOptions options;
  if (std::string* country = textIn(account.ref(), "country")) options.country = std::move(*country);
  if (std::string* industry = textIn(account.ref(), "industry")) options.industry = std::move(*industry);
  return options;
}

/// Represents an account as an object of a resource, from what the service knows about it.
AnyObject objectOf(const ResourceType& type, const AccountState& account, bool livemode, Instant now) {
  AnyObject made{type.model()};
  const ObjectRef object = made.ref();
  copyObject(type.example(), object);
  type.id(object) = account.account.id;
  type.created(object) = std::chrono::floor<std::chrono::seconds>(now);
  type.livemode(object) = livemode;
  if (Metadata* metadata = type.metadata(object)) metadata->clear();
  if (std::string* country = textIn(object, "country")) *country = account.options.country;
  if (std::string* industry = textIn(object, "industry")) *industry = account.options.industry;
  return made;
}

/// Adds the account to every account resource that lacks it. The new objects take shared fields from `known`,
/// if given.
void show(const Catalog& catalog, ModeState& platform, bool livemode, const AccountState& account,
          Instant now, ConstObjectRef known = {}) {
  for (std::size_t i = 0; i < catalog.types().size(); ++i) {
    const ResourceType& type = catalog.types()[i];
    Collection& collection = platform.collections[i];
    if (!type.rules().isAccount || collection.find(account.account.id) != nullptr) continue;
    AnyObject made = objectOf(type, account, livemode, now);
    const ObjectRef object = made.ref();
    if (known) mergeGiven(known, object);
    storeObject(type, collection, now, object, encode(object), type.machine().initial);
  }
}

}  // namespace

void makeAccount(const Catalog& catalog, Accounts& accounts, const LimitSettings& settings,
                 const Caller& platform, const ResourceType& type, ConstObjectRef object, Instant now) {
  AnyObject named{type.model()};
  copyObject(object, named.ref());
  AccountState& account = accounts.adopt(catalog, type.id(named.ref()), optionsOf(object), platform);
  applyOverrides(catalog, settings, account);
  show(catalog, platform.mode(), platform.livemode, account, now, object);
}

void connectAccounts(const Catalog& catalog, Accounts& accounts, const Account& platform,
                     const Account& connected, Instant now) {
  accounts.connect(platform, connected);
  AccountState& seer = accounts.stateOf(platform.id);
  for (const bool livemode : {false, true})
    show(catalog, seer.mode(livemode), livemode, accounts.stateOf(connected.id), now);
}

}  // namespace tally::fake::detail
