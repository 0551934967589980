// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_gadgets.h>

#include "async/async_call.h"
#include "operations.h"

namespace tally {

template <>
const detail::Struct detail::Schema<Gadget>::value;

namespace {

static_assert(std::is_trivially_destructible_v<GadgetCreateArgs>);
GadgetCreateParams own(const GadgetCreateArgs& args) {
  return {
      .title = detail::own(args.title),
      .purposes = detail::own(args.purposes),
      .settings = detail::own(args.settings),
      .favourite = detail::own(args.favourite),
      .metadata = detail::own(args.metadata),
  };
}

static_assert(std::is_trivially_destructible_v<GadgetUpdateArgs>);
GadgetUpdateParams own(const GadgetUpdateArgs& args) {
  return {
      .title = detail::own(args.title),
      .metadata = detail::own(args.metadata),
  };
}

}  // namespace

Call<Gadget> AsyncGadgets::create(const GadgetCreateArgs& args, const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::gadgetsCreate, {}, own(args), options);
}

Call<Gadget> AsyncGadgets::retrieve(const Id<Gadget>& id, const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::gadgetsRetrieve, id.str(), options);
}

Call<Gadget> AsyncGadgets::update(const Id<Gadget>& id, const GadgetUpdateArgs& args,
                                  const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::gadgetsUpdate, id.str(), own(args), options);
}

}  // namespace tally
