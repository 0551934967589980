// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_core_accounts.h>

#include "async/async_call.h"
#include "operations.h"

namespace tally {

template <>
const detail::Struct detail::Schema<CoreAccount>::value;

namespace {

static_assert(std::is_trivially_destructible_v<CoreAccountCreateArgs>);
CoreAccountCreateParams own(const CoreAccountCreateArgs& args) {
  return {
      .country = detail::own(args.country),
      .metadata = detail::own(args.metadata),
  };
}

}  // namespace

Call<CoreAccount> AsyncCoreAccounts::create(const CoreAccountCreateArgs& args,
                                            const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::coreAccountsCreate, {}, own(args), options);
}

}  // namespace tally
