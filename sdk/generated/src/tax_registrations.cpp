// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/tax_registrations.h>

#include "json/model_json_impl.h"
#include "operations.h"
#include "print/printer.h"

namespace tally::detail {

namespace {

constexpr Field taxRegistrationFields[] = {
    identifier("txr_", field<&TaxRegistration::id>("id", Presence::required)),
    constant("object", "tax_registration"),
    field<&TaxRegistration::created>("created", Presence::required),
    field<&TaxRegistration::livemode>("livemode", Presence::required),
};

constexpr Field taxRegistrationListParamsFields[] = {
    between(1, 100, field<&TaxRegistrationListParams::limit>("limit")),
    excluding("ending_before",
              identifier("txr_", field<&TaxRegistrationListParams::startingAfter>("starting_after"))),
    excluding("starting_after",
              identifier("txr_", field<&TaxRegistrationListParams::endingBefore>("ending_before"))),
};

}  // namespace

template <>
constinit const Struct Schema<TaxRegistration>::value =
    describe<TaxRegistration>("tax_registration", taxRegistrationFields);
template <>
constinit const Struct Schema<TaxRegistrationListParams>::value =
    describe<TaxRegistrationListParams>("tax_registration_list_params", taxRegistrationListParamsFields);

constinit const Resource taxRegistrationResource{
    .name = "tax_registration",
    .plural = "tax_registrations",
    .idPrefix = "txr_",
    .model = &Schema<TaxRegistration>::value,
    .outsideReadAllocation = true,
};

constinit decltype(taxRegistrationsList) taxRegistrationsList{AnyOperation{
    .name = "tax_registrations.list",
    .kind = OperationKind::list,
    .method = Method::get,
    .path = "/v1/tax/registrations",
    .resource = &taxRegistrationResource,
}};

}  // namespace tally::detail

namespace [[gnu::visibility("default")]] tally {

std::ostream& operator<<(std::ostream& out, const TaxRegistration& value) {
  return detail::print(out, value);
}

template std::string toJson(const TaxRegistration& object);
template Result<TaxRegistration> fromJson(std::string_view json);

template <class O>
BasicTaxRegistrationListParams<O>::operator BasicTaxRegistrationListParams<detail::OppositeOf<O>>() const& {
  return {.limit = limit, .startingAfter = startingAfter, .endingBefore = endingBefore};
}
template struct BasicTaxRegistrationListParams<Owning>;
template struct BasicTaxRegistrationListParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const TaxRegistrationListParams& value) {
  return detail::print(out, value);
}

}  // namespace tally
