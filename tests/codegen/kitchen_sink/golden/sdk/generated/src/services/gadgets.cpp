// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/gadgets.h>

#include "call/call.h"
#include "operations.h"

namespace tally {

template <>
const detail::Struct detail::Schema<Gadget>::value;

Result<Gadget> Gadgets::create(const GadgetCreateParams& params, const RequestOptions& options) const {
  return detail::call(*core_, detail::gadgetsCreate, {}, params, options);
}

Result<Gadget> Gadgets::retrieve(const Id<Gadget>& id, const RequestOptions& options) const {
  return detail::call(*core_, detail::gadgetsRetrieve, id.str(), options);
}

Result<Gadget> Gadgets::update(const Id<Gadget>& id, const GadgetUpdateParams& params,
                               const RequestOptions& options) const {
  return detail::call(*core_, detail::gadgetsUpdate, id.str(), params, options);
}

}  // namespace tally
