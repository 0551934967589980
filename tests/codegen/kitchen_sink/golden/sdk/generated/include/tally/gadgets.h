// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <chrono>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/id.h>
#include <tally/json.h>
#include <tally/last_response.h>
#include <tally/metadata.h>
#include <tally/options.h>
#include <tally/result.h>
#include <tally/widgets.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class ClientCore;
}

struct Widget;

/// A group of widgets.
/// Assumed (not specified): Gadgets.
struct Gadget {
  static constexpr std::string_view object = "gadget";

  Id<Gadget> id{};
  std::chrono::sys_seconds created{};
  bool livemode{};
  std::string title{};
  std::optional<std::vector<std::string>> purposes{};
  std::optional<RawJson> settings{};
  std::optional<Id<Widget>> favourite{};
  std::optional<WidgetSize> size{};  ///< How big it is.
  Metadata metadata{};               ///< Key-value pairs attached by the caller.
  UnknownFields unknownFields{};     ///< Other fields that the service sent.
  LastResponse lastResponse{};       ///< Of the call that returned the object.

  bool operator==(const Gadget&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Gadget& value);
};

/// Parameters of Gadgets::create.
struct GadgetCreateParams {
  std::optional<std::string> title{};     ///< Required. The name of the gadget.
  std::vector<std::string> purposes{};    ///< The purposes of the gadget.
  std::optional<RawJson> settings{};      ///< Anything at all.
  std::optional<Id<Widget>> favourite{};  ///< The preferred widget of the gadget.
  MetadataEdit metadata{};                ///< Sets or unsets keys, or unsets all keys.

  friend std::ostream& operator<<(std::ostream& out, const GadgetCreateParams& value);
};

/// Parameters of Gadgets::update.
struct GadgetUpdateParams {
  std::optional<std::string> title{};  ///< The name of the gadget.
  MetadataEdit metadata{};             ///< Sets or unsets keys, or unsets all keys.

  friend std::ostream& operator<<(std::ostream& out, const GadgetUpdateParams& value);
};

/// Gadgets: creates, retrieves and updates gadgets.
/// Thread-safe; may outlive its Client. Made by Client::gadgets().
class Gadgets {
 public:
  explicit Gadgets(std::shared_ptr<const detail::ClientCore> core) : core_(std::move(core)) {}
  // No move, which would leave it without a client.
  Gadgets(const Gadgets&) = default;
  Gadgets& operator=(const Gadgets&) = default;
  ~Gadgets() = default;

  /// Creates a gadget.
  /// Assumed (not specified): Gadgets.
  /// Assumed (not specified): Request body encoding.
  [[nodiscard]] Result<Gadget> create(const GadgetCreateParams& params,
                                      const RequestOptions& options = {}) const;

  /// Retrieves a gadget.
  /// Assumed (not specified): Gadgets.
  [[nodiscard]] Result<Gadget> retrieve(const Id<Gadget>& id, const RequestOptions& options = {}) const;

  /// Updates the given fields of a gadget.
  /// Assumed (not specified): Gadgets.
  [[nodiscard]] Result<Gadget> update(const Id<Gadget>& id, const GadgetUpdateParams& params,
                                      const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::ClientCore> core_;
};

}  // namespace tally
