#include "tables/catalog.h"

#include <algorithm>

namespace tally::fake::detail {

Catalog::Catalog(const Description& description)
    : description_(description),
      router_(description.operations),
      plan_(description.operations, description.limits),
      documentedNumbers_{
          std::make_shared<const LimitNumbers>(tally::detail::documentedNumbers(plan_, false)),
          std::make_shared<const LimitNumbers>(tally::detail::documentedNumbers(plan_, true))} {
  for (const ResourceRules* rules : description.resources) {
    indices_.emplace(rules->resource, types_.size());
    types_.emplace_back(*rules);
  }
}

const AnyOperation* Catalog::findOperation(std::string_view name) const {
  const auto found = std::ranges::find(description_.operations, name, &AnyOperation::name);
  return found == description_.operations.end() ? nullptr : *found;
}

const ResourceType* Catalog::findType(std::string_view name) const {
  const auto found =
      std::ranges::find(types_, name, [](const ResourceType& type) { return type.resource().name; });
  return found == types_.end() ? nullptr : &*found;
}

const std::shared_ptr<const Catalog>& catalogOfTheApi() {
  static const auto catalog = std::make_shared<const Catalog>(Description{});
  return catalog;
}

}  // namespace tally::fake::detail
