#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <tally/transport.h>

#include "schema/machine.h"
#include "schema/schema.h"

namespace tally::detail {

/// What an operation does, and with it the convention it follows.
enum class OperationKind : std::uint8_t { create, retrieve, update, report, list, search };

enum class BodyEncoding : std::uint8_t { none, form, json };

struct Resource {
  std::string_view name{};      // `payment_record`, also the value of the field `object`
  std::string_view plural{};    // `payment_records`
  std::string_view idPrefix{};  // `pr_`
  const Struct* model = nullptr;
  bool outsideReadAllocation = false;  // reads of it don't count
  const Machine* machine = nullptr;    // null unless each of its states can be told from the others
};

/// One row of the operation table that the client and the fake share.
struct Operation {
  std::string_view name{};  // `payment_records.report_failed`
  OperationKind kind = OperationKind::retrieve;
  Method method = Method::get;
  std::string_view path{};  // with `{id}` where the identifier stands
  const Resource* resource = nullptr;
  const Struct* params = nullptr;  // of the body, or of the query for a GET; null where there are none
  BodyEncoding body = BodyEncoding::none;

  /// Whether a request that was processed changed something.
  [[nodiscard]] bool writes() const noexcept { return method != Method::get; }

  /// Whether its requests count against the read allocation.
  [[nodiscard]] bool countsAsRead() const noexcept { return !writes() && !resource->outsideReadAllocation; }
};

/// Every operation of the API description, in its order.
extern const std::span<const Operation* const> operations;

}  // namespace tally::detail
