// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <memory>
#include <utility>

#include <tally/call.h>
#include <tally/call_options.h>
#include <tally/gadgets.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// Arguments of AsyncGadgets::create.
struct GadgetCreateArgs {
  std::optional<std::string_view> title{};  ///< Required. The name of the gadget.
  TextsArg purposes{};                      ///< The purposes of the gadget.
  const RawJson* settings{};                ///< Anything at all.
  IdArg<Widget> favourite{};                ///< The preferred widget of the gadget.
  MetadataArg metadata{};                   ///< Sets or unsets keys, or unsets all keys.
};

/// Arguments of AsyncGadgets::update.
struct GadgetUpdateArgs {
  std::optional<std::string_view> title{};  ///< The name of the gadget.
  MetadataArg metadata{};                   ///< Sets or unsets keys, or unsets all keys.
};

/// The methods of Gadgets as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::gadgets().
class AsyncGadgets {
 public:
  explicit AsyncGadgets(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move, which would leave it without a client.
  AsyncGadgets(const AsyncGadgets&) = default;
  AsyncGadgets& operator=(const AsyncGadgets&) = default;
  ~AsyncGadgets() = default;

  /// Creates a gadget. See Gadgets::create().
  [[nodiscard]] Call<Gadget> create(const GadgetCreateArgs& args, const CallOptions& options = {}) const;

  /// Retrieves a gadget. See Gadgets::retrieve().
  [[nodiscard]] Call<Gadget> retrieve(const Id<Gadget>& id, const CallOptions& options = {}) const;

  /// Updates the given fields of a gadget. See Gadgets::update().
  [[nodiscard]] Call<Gadget> update(const Id<Gadget>& id, const GadgetUpdateArgs& args,
                                    const CallOptions& options = {}) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
