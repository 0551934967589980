#pragma once

#include <tally/detail/cpp20.h>

#include <optional>
#include <string>
#include <string_view>

#include <tally/fake/service_part.h>
#include <tally/fake/stored_object.h>

namespace tally::fake {

/// Reads the objects of a Service without requests. Made by Service::objects(). Service::insert() adds
/// objects. Functions throw std::invalid_argument for an unknown key. Thread-safe, cheap to copy, and may
/// outlive the Service.
class Objects : public detail::ServicePart {
 public:
  using ServicePart::ServicePart;

  /// An object; empty if no such object is visible to `key`.
  [[nodiscard]] std::optional<StoredObject> get(std::string_view key, std::string_view id) const;

  /// The objects of the account and mode of `key`. Takes time in proportion to their number, but does not
  /// delay requests. Also throws std::invalid_argument for an unknown resource or state.
  [[nodiscard]] ObjectList list(std::string_view key, const ObjectFilter& filter = {}) const;

  /// The state of an object, such as `guaranteed`; empty if no such object is visible to `key`, or if it has
  /// no states. Spec: "States and transitions".
  [[nodiscard]] std::optional<std::string> stateOf(std::string_view key, std::string_view id) const;
};

}  // namespace tally::fake
