#include "tables/resource_type.h"

#include <algorithm>
#include <stdexcept>

#include "json/json_reader.h"
#include "json/json_writer.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view ownId = "id";

AnyObject readExample(const ResourceRules& rules) {
  const Resource& resource = *rules.resource;
  AnyObject example{*resource.model};
  if (const auto problem = tally::detail::readJson(rules.example, example.ref()))
    throw std::logic_error{"the example of " + std::string{resource.name} +
                           " in the API description is invalid: " + *problem};
  return example;
}

std::string jsonOf(ConstObjectRef object) {
  std::string json;
  tally::detail::writeJson(json, object);
  return json;
}

}  // namespace

ResourceType::ResourceType(const ResourceRules& rules)
    : rules_(rules),
      example_(readExample(rules)),
      sharedJson_(jsonOf(example_.ref())),
      created_(model(), "created"),
      livemode_(model(), "livemode"),
      metadata_(model().find("metadata")),
      onCreate_(model(), rules.onCreate),
      states_(*rules.resource),
      words_(rules.resource->name) {
  for (const std::span<const Assignment> assignments : machine().shows)
    shows_.emplace_back(model(), assignments);
  freshIds_.push_back({ownId, FieldPath{model(), ownId}});
  for (const std::string_view name : rules.freshIds)
    if (name != ownId) freshIds_.push_back({name, FieldPath{model(), name}});
  std::ranges::replace(words_, '_', ' ');
}

std::string& ResourceType::id(ObjectRef object) const {
  return freshIds_.front().path.make(object).text();
}

std::chrono::sys_seconds& ResourceType::created(ObjectRef object) const {
  return created_.make(object).as<std::chrono::sys_seconds>();
}

bool& ResourceType::livemode(ObjectRef object) const {
  return livemode_.make(object).as<bool>();
}

Metadata* ResourceType::metadata(ObjectRef object) const {
  if (metadata_ == nullptr) return nullptr;
  const ValueRef value = object.value(*metadata_);
  return value ? &value.as<Metadata>() : nullptr;
}

}  // namespace tally::fake::detail
