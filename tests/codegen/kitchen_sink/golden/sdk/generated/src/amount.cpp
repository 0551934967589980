// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/amount.h>

#include "schema.h"

namespace tally::detail {

namespace {

constexpr Field amountFields[] = {
    field<&Amount::currency>("currency", Presence::required),
    field<&Amount::value>("value", Presence::required),
};

}  // namespace

template <>
constinit const Struct Schema<Amount>::value = describe<Amount>("amount", amountFields);

}  // namespace tally::detail
