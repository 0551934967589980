#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <unordered_map>

#include "schema/limit_plan.h"
#include "tables/description.h"
#include "tables/resource_type.h"
#include "tables/router.h"

namespace tally::fake::detail {

using tally::detail::LimitNumbers;
using tally::detail::LimitPlan;

/// The API description with every name resolved once. Immutable and independent of accounts.
class Catalog {
 public:
  /// Throws std::logic_error for a description that contradicts itself.
  explicit Catalog(const Description& description);

  [[nodiscard]] const Description& description() const noexcept { return description_; }
  [[nodiscard]] const Router& router() const noexcept { return router_; }
  [[nodiscard]] const std::deque<ResourceType>& types() const noexcept { return types_; }
  [[nodiscard]] const LimitPlan& plan() const noexcept { return plan_; }
  /// The numbers in the API description. The accounts without other numbers share them.
  [[nodiscard]] const std::shared_ptr<const LimitNumbers>& documentedNumbers(bool livemode) const noexcept {
    return documentedNumbers_[livemode ? 1 : 0];
  }
  [[nodiscard]] const ReadAllocation& readAllocation() const noexcept { return *description_.readAllocation; }

  /// The index of a resource in types() and in the collections of every account.
  [[nodiscard]] std::size_t indexOf(const Resource& resource) const { return indices_.at(&resource); }

  /// Null if the name is unknown.
  [[nodiscard]] const AnyOperation* findOperation(std::string_view name) const;
  [[nodiscard]] const ResourceType* findType(std::string_view name) const;

 private:
  Description description_;
  Router router_;
  std::deque<ResourceType> types_{};
  std::unordered_map<const Resource*, std::size_t> indices_{};
  LimitPlan plan_;
  std::array<std::shared_ptr<const LimitNumbers>, 2> documentedNumbers_;
};

/// That of the generated description. Shared, since resolving it takes long compared with the rest of an
/// engine, and memory.
[[nodiscard]] const std::shared_ptr<const Catalog>& catalogOfTheApi();

}  // namespace tally::fake::detail
