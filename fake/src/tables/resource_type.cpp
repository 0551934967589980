#include "tables/resource_type.h"

#include <algorithm>
#include <stdexcept>

#include "codec/json_reader.h"

namespace tally::fake::detail {

namespace {

AnyObject readExample(const ResourceRules& rules) {
  const Resource& resource = *rules.resource;
  AnyObject example{*resource.model};
  if (const auto problem = tally::detail::readJson(rules.example, *resource.model, example.data()))
    throw std::logic_error{"the example of " + std::string{resource.name} +
                           " in the API description is invalid: " + *problem};
  return example;
}

}  // namespace

ResourceType::ResourceType(const ResourceRules& rules)
    : rules_(rules),
      example_(readExample(rules)),
      created_(model(), "created"),
      livemode_(model(), "livemode"),
      metadata_(model().find("metadata")),
      onCreate_(model(), rules.onCreate),
      states_(*rules.resource),
      words_(rules.resource->name) {
  for (const std::span<const Assignment> assignments : machine().shows)
    shows_.emplace_back(model(), assignments);
  freshIds_.emplace_back(model(), "id");
  for (const std::string_view path : rules.freshIds)
    if (path != "id") freshIds_.emplace_back(model(), path);
  std::ranges::replace(words_, '_', ' ');
}

std::string& ResourceType::id(void* object) const {
  return tally::detail::textAt(freshIds_.front().make(object));
}

std::chrono::sys_seconds& ResourceType::created(void* object) const {
  return *static_cast<std::chrono::sys_seconds*>(created_.make(object));
}

bool& ResourceType::livemode(void* object) const {
  return *static_cast<bool*>(livemode_.make(object));
}

Metadata* ResourceType::metadata(void* object) const {
  return metadata_ == nullptr ? nullptr : static_cast<Metadata*>(metadata_->in(object));
}

}  // namespace tally::fake::detail
