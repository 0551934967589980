// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_accounts.h>

#include "async/async_call.h"
#include "async/async_pager_impl.h"
#include "operations.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<Account>::value;

static_assert(std::is_trivially_destructible_v<Borrowed<AccountCreateParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<AccountListParams>>);

Call<Account> AsyncAccounts::create(const Borrowed<AccountCreateParams>& params,
                                    const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::accountsCreate, {}, params, options);
}

AsyncPager<Account> AsyncAccounts::list(const Borrowed<AccountListParams>& params,
                                        const Borrowed<RequestOptions>& options) const {
  return detail::asyncPager(engine_, detail::accountsList, params, options);
}

Call<Account> AsyncAccounts::retrieve(const Id<Account>& id, const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::accountsRetrieve, id.str(), options);
}

template class AsyncPager<Account>;

}  // namespace tally
