// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/core_accounts.h>

#include "json/model_json_impl.h"
#include "operations.h"
#include "print/printer.h"

namespace tally::detail {

namespace {

constexpr Field coreAccountFields[] = {
    identifier("acct_", field<&CoreAccount::id>("id", Presence::required)),
    constant("object", "core_account"),
    field<&CoreAccount::country>("country", Presence::required),
    field<&CoreAccount::metadata>("metadata", Presence::required),
    field<&CoreAccount::created>("created", Presence::required),
    field<&CoreAccount::livemode>("livemode", Presence::required),
};

constexpr Field coreAccountCreateParamsFields[] = {
    field<&CoreAccountCreateParams::country>("country"),
    field<&CoreAccountCreateParams::metadata>("metadata"),
};

}  // namespace

template <>
constinit const Struct Schema<CoreAccount>::value = describe<CoreAccount>("core_account", coreAccountFields);
template <>
constinit const Struct Schema<CoreAccountCreateParams>::value =
    describe<CoreAccountCreateParams>("core_account_create_params", coreAccountCreateParamsFields);

constinit const Resource coreAccountResource{
    .name = "core_account",
    .plural = "core_accounts",
    .idPrefix = "acct_",
    .model = &Schema<CoreAccount>::value,
};

constinit decltype(coreAccountsCreate) coreAccountsCreate{AnyOperation{
    .name = "core_accounts.create",
    .kind = OperationKind::create,
    .method = Method::post,
    .path = "/v2/core/accounts",
    .resource = &coreAccountResource,
    .body = BodyEncoding::json,
}};

}  // namespace tally::detail

namespace [[gnu::visibility("default")]] tally {

std::ostream& operator<<(std::ostream& out, const CoreAccount& value) {
  return detail::print(out, value);
}

template std::string toJson(const CoreAccount& object);
template Result<CoreAccount> fromJson(std::string_view json);

template <class O>
BasicCoreAccountCreateParams<O>::operator BasicCoreAccountCreateParams<detail::OppositeOf<O>>() const& {
  return {.country = country, .metadata = metadata};
}
template struct BasicCoreAccountCreateParams<Owning>;
template struct BasicCoreAccountCreateParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const CoreAccountCreateParams& value) {
  return detail::print(out, value);
}

}  // namespace tally
