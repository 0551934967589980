// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_accounts.h>

#include "async/async_call.h"
#include "async/async_pager_impl.h"
#include "operations.h"

namespace tally {

template <>
const detail::Struct detail::Schema<Account>::value;

namespace {

static_assert(std::is_trivially_destructible_v<AccountCreateArgs>);
AccountCreateParams own(const AccountCreateArgs& args) {
  return {
      .country = detail::own(args.country),
      .metadata = detail::own(args.metadata),
  };
}

static_assert(std::is_trivially_destructible_v<AccountListArgs>);
AccountListParams own(const AccountListArgs& args) {
  return {
      .limit = detail::own(args.limit),
      .startingAfter = detail::own(args.startingAfter),
      .endingBefore = detail::own(args.endingBefore),
  };
}

}  // namespace

Call<Account> AsyncAccounts::create(const AccountCreateArgs& args, const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::accountsCreate, {}, own(args), options);
}

AsyncPager<Account> AsyncAccounts::list(const AccountListArgs& args, const CallOptions& options) const {
  return detail::asyncPager(engine_, detail::accountsList, own(args), options);
}

Call<Account> AsyncAccounts::retrieve(const Id<Account>& id, const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::accountsRetrieve, id.str(), options);
}

template class AsyncPager<Account>;

}  // namespace tally
