// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/core_accounts.h>

#include "call/call.h"
#include "operations.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<CoreAccount>::value;

Result<CoreAccount> CoreAccounts::create(const CoreAccountCreateParams& params,
                                         const RequestOptions& options) const {
  return detail::call(*core_, detail::coreAccountsCreate, {}, params, options);
}

}  // namespace tally
