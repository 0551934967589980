#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include <tally/transport.h>

#include "schema/object_ref.h"
#include "schema/schema.h"
#include "schema/state_machine.h"

namespace tally::detail {

/// What an operation does, which determines the conventions it follows.
enum class OperationKind : std::uint8_t { create, retrieve, update, report, list, search };

enum class BodyEncoding : std::uint8_t { none, form, json };

struct Resource {
  std::string_view name{};      // `payment_record`, also the value of the `object` field
  std::string_view plural{};    // `payment_records`
  std::string_view idPrefix{};  // `pr_`
  const Struct* model = nullptr;
  bool outsideReadAllocation = false;     // reads of it don't count against the read allocation
  const StateMachine* machine = nullptr;  // null if its objects have no states
};

/// Stands for the identifier in a path.
inline constexpr std::string_view idPlaceholder = "{id}";

/// One row of the operation table that the client and the fake share.
struct AnyOperation {
  std::string_view name{};  // `payment_records.report_failed`
  OperationKind kind = OperationKind::retrieve;
  Method method = Method::get;
  std::string_view path{};  // with `{id}` in place of the identifier
  const Resource* resource = nullptr;
  const Struct* params = nullptr;  // of the body, or of the query for a GET; null if there are none
  BodyEncoding body = BodyEncoding::none;

  /// Whether a processed request changes something.
  [[nodiscard]] bool writes() const noexcept { return method != Method::get; }

  /// Whether its requests count against the read allocation.
  [[nodiscard]] bool countsAsRead() const noexcept { return !writes() && !resource->outsideReadAllocation; }
};

/// A row with the C++ types of its parameters, `void` if there are none, and of its resource's model.
template <class Params, class Model>
struct Operation : AnyOperation {
  constexpr explicit Operation(const AnyOperation& row) : AnyOperation(row) {
    if constexpr (!std::is_void_v<Params>) params = &Schema<Params>::value;
  }
};

/// The parameters of a call; only they have the type that the row states.
template <class Params, class Model>
ConstObjectRef refTo(const Operation<Params, Model>& operation, const std::type_identity_t<Params>& params) {
  return {*operation.params, &params};
}

/// All operations, in the order of the API description.
extern const std::span<const AnyOperation* const> operations;

}  // namespace tally::detail
