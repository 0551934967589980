#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "packing/shared_text.h"
#include "tables/assignments.h"
#include "tables/rules.h"
#include "tables/schema_types.h"
#include "tables/states.h"

namespace tally::fake::detail {

/// A field that receives a new identifier on creation.
struct FreshId {
  std::string_view name{};
  FieldPath path;
};

/// The rules of one resource, with every name resolved.
class ResourceType {
 public:
  /// Throws std::logic_error for a description that contradicts itself.
  explicit ResourceType(const ResourceRules& rules);

  [[nodiscard]] const Resource& resource() const noexcept { return *rules_.resource; }
  [[nodiscard]] const Struct& model() const noexcept { return *rules_.resource->model; }
  [[nodiscard]] const ResourceRules& rules() const noexcept { return rules_; }
  /// Empty if objects have no states.
  [[nodiscard]] const StateMachine& machine() const noexcept { return states_.machine(); }
  [[nodiscard]] const States& states() const noexcept { return states_; }
  /// The fields that an object in the given state shows.
  [[nodiscard]] const Assignments& shows(std::size_t state) const { return shows_[state]; }
  [[nodiscard]] const Assignments& onCreate() const noexcept { return onCreate_; }

  /// Fields that receive a new identifier on creation. The first is the identifier of the object itself.
  [[nodiscard]] std::span<const FreshId> freshIds() const noexcept { return freshIds_; }

  [[nodiscard]] std::string& id(ObjectRef object) const;
  [[nodiscard]] std::chrono::sys_seconds& created(ObjectRef object) const;
  [[nodiscard]] bool& livemode(ObjectRef object) const;

  /// Null if the resource has no metadata.
  [[nodiscard]] Metadata* metadata(ObjectRef object) const;

  /// The example object of the description.
  [[nodiscard]] ConstObjectRef example() const noexcept { return example_.ref(); }

  /// The JSON of the example, of which that of other objects repeats large parts.
  [[nodiscard]] const SharedText& sharedJson() const noexcept { return sharedJson_; }

  /// The name of the resource, with spaces instead of underscores.
  [[nodiscard]] const std::string& words() const noexcept { return words_; }

 private:
  const ResourceRules& rules_;
  AnyObject example_;
  SharedText sharedJson_;
  FieldPath created_;
  FieldPath livemode_;
  const Field* metadata_;
  std::vector<FreshId> freshIds_{};
  Assignments onCreate_;
  std::vector<Assignments> shows_{};  // by state
  States states_;
  std::string words_;
};

}  // namespace tally::fake::detail
