// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/accounts.h>

#include "call/call.h"
#include "operations.h"
#include "pagination/pager_impl.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<Account>::value;

Result<Account> Accounts::create(const AccountCreateParams& params, const RequestOptions& options) const {
  return detail::call(*core_, detail::accountsCreate, {}, params, options);
}

Pager<Account> Accounts::list(const AccountListParams& params, const RequestOptions& options) const {
  return detail::walkPages(core_, detail::accountsList, params, options);
}

Result<Account> Accounts::retrieve(const Id<Account>& id, const RequestOptions& options) const {
  return detail::call(*core_, detail::accountsRetrieve, id.str(), options);
}

template class Pager<Account>;
template class Pages<Account>;
template std::ostream& operator<<(std::ostream& out, const Page<Account>& value);

}  // namespace tally
