// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/accounts.h>

#include "json/model_json_impl.h"
#include "operations.h"
#include "print/printer.h"

namespace tally::detail {

namespace {

constexpr Field accountFields[] = {
    identifier("acct_", field<&Account::id>("id", Presence::required)),
    constant("object", "account"),
    field<&Account::country>("country", Presence::required),
    field<&Account::metadata>("metadata", Presence::required),
    field<&Account::created>("created", Presence::required),
    field<&Account::livemode>("livemode", Presence::required),
};

constexpr Field accountCreateParamsFields[] = {
    field<&AccountCreateParams::country>("country"),
    field<&AccountCreateParams::metadata>("metadata"),
};

constexpr Field accountListParamsFields[] = {
    between(1, 100, field<&AccountListParams::limit>("limit")),
    excluding("ending_before",
              identifier("acct_", field<&AccountListParams::startingAfter>("starting_after"))),
    excluding("starting_after",
              identifier("acct_", field<&AccountListParams::endingBefore>("ending_before"))),
};

}  // namespace

template <>
constinit const Struct Schema<Account>::value = describe<Account>("account", accountFields);
template <>
constinit const Struct Schema<AccountCreateParams>::value =
    describe<AccountCreateParams>("account_create_params", accountCreateParamsFields);
template <>
constinit const Struct Schema<AccountListParams>::value =
    describe<AccountListParams>("account_list_params", accountListParamsFields);

constinit const Resource accountResource{
    .name = "account",
    .plural = "accounts",
    .idPrefix = "acct_",
    .model = &Schema<Account>::value,
};

constinit decltype(accountsCreate) accountsCreate{AnyOperation{
    .name = "accounts.create",
    .kind = OperationKind::create,
    .method = Method::post,
    .path = "/v1/accounts",
    .resource = &accountResource,
    .body = BodyEncoding::form,
}};

constinit decltype(accountsList) accountsList{AnyOperation{
    .name = "accounts.list",
    .kind = OperationKind::list,
    .method = Method::get,
    .path = "/v1/accounts",
    .resource = &accountResource,
}};

constinit decltype(accountsRetrieve) accountsRetrieve{AnyOperation{
    .name = "accounts.retrieve",
    .kind = OperationKind::retrieve,
    .method = Method::get,
    .path = "/v1/accounts/{id}",
    .resource = &accountResource,
}};

}  // namespace tally::detail

namespace [[gnu::visibility("default")]] tally {

std::ostream& operator<<(std::ostream& out, const Account& value) {
  return detail::print(out, value);
}

template std::string toJson(const Account& object);
template Result<Account> fromJson(std::string_view json);

template <class O>
BasicAccountCreateParams<O>::operator BasicAccountCreateParams<detail::OppositeOf<O>>() const& {
  return {.country = country, .metadata = metadata};
}
template struct BasicAccountCreateParams<Owning>;
template struct BasicAccountCreateParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const AccountCreateParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicAccountListParams<O>::operator BasicAccountListParams<detail::OppositeOf<O>>() const& {
  return {.limit = limit, .startingAfter = startingAfter, .endingBefore = endingBefore};
}
template struct BasicAccountListParams<Owning>;
template struct BasicAccountListParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const AccountListParams& value) {
  return detail::print(out, value);
}

}  // namespace tally
