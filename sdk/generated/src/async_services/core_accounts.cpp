// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_core_accounts.h>

#include "async/async_call.h"
#include "operations.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<CoreAccount>::value;

static_assert(std::is_trivially_destructible_v<Borrowed<CoreAccountCreateParams>>);

Call<CoreAccount> AsyncCoreAccounts::create(const Borrowed<CoreAccountCreateParams>& params,
                                            const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::coreAccountsCreate, {}, params, options);
}

}  // namespace tally
