// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/amount.h>

#include "json/model_json_impl.h"
#include "print/printer.h"

namespace tally::detail {

namespace {

constexpr Field amountFields[] = {
    lowercase(3, field<&Amount::currency>("currency", Presence::required)),
    field<&Amount::value>("value", Presence::required),
};

}  // namespace

template <>
constinit const Struct Schema<Amount>::value = describe<Amount>("amount", amountFields);

}  // namespace tally::detail

namespace [[gnu::visibility("default")]] tally {

template <class O>
BasicAmount<O>::operator BasicAmount<detail::OppositeOf<O>>() const& {
  return {.currency = currency, .value = value};
}
template struct BasicAmount<Owning>;
template struct BasicAmount<Borrowing>;

std::ostream& operator<<(std::ostream& out, const Amount& value) {
  return detail::print(out, value);
}

template std::string toJson(const Amount& object);
template Result<Amount> fromJson(std::string_view json);

}  // namespace tally
