#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tally/limit_types.h>

#include "schema/object_ref.h"
#include "schema/operation.h"

namespace tally::detail {

/// A limit, or a limit for one operation: each has its own number.
struct Slot {
  const Limit* limit = nullptr;
  const AnyOperation* operation = nullptr;  // set only for a limit on each operation
};

/// One count that an operation's requests are checked against.
struct Check {
  std::size_t slot = 0;
  const Field* given = nullptr;          // only requests with this parameter count; null: all
  std::vector<const Field*> notGiven{};  // requests with one of these belong to another limit
  const Field* object = nullptr;         // holds the object's identifier; null: in the path

  /// Whether a request with these parameters, possibly none, counts here. One that names no object counts in
  /// no limit on each object.
  [[nodiscard]] bool covers(ConstObjectRef params) const;

  /// The object that a request for `id` with these parameters concerns; empty if it names none.
  [[nodiscard]] std::string_view objectOf(std::string_view id, ConstObjectRef params) const;
};

/// Which limits apply to which operations, and in which order they are checked.
///
/// Spec: "Limits"; assumed: "Several limits at once", "Named limits and the 25 requests per second per
/// endpoint".
class LimitPlan {
 public:
  /// Throws std::logic_error if a limit uses a parameter that one of its operations lacks.
  LimitPlan(std::span<const AnyOperation* const> known, std::span<const Limit* const> limits);

  [[nodiscard]] const std::vector<Slot>& slots() const noexcept { return slots_; }
  /// For an operation that is not known: the limits on all requests of an account.
  [[nodiscard]] const std::vector<Check>& checks(const AnyOperation& operation) const;

  /// The slot of the general rate limit on this operation, even if a named limit replaces it; nullopt if
  /// there is no such limit.
  [[nodiscard]] std::optional<std::size_t> endpointRate(const AnyOperation& operation) const;

  /// Whether any requests are counted there; false if another limit replaces it.
  [[nodiscard]] bool isUsed(std::size_t slot) const { return used_[slot]; }

  /// Throws std::invalid_argument if the setting changes no limit, or its number is negative.
  void check(const LimitOverride& setting) const;

 private:
  using BySlot = std::unordered_map<const AnyOperation*, std::vector<Check>>;

  void addChecks(std::size_t slot, std::span<const AnyOperation* const> known);
  void addCheck(std::size_t slot, const AnyOperation& operation);
  void order();
  void replaceEndpointRates();
  void noteUsed();

  std::vector<Slot> slots_{};
  std::vector<bool> used_{};
  BySlot checks_{};
  std::vector<Check> checksOfUnknown_{};
  std::unordered_map<const AnyOperation*, std::size_t> endpointRates_{};
};

/// The numbers of an account in one mode, by slot; nullopt: the limit is off.
using LimitNumbers = std::vector<std::optional<std::int64_t>>;

/// The numbers in the API description.
[[nodiscard]] LimitNumbers documentedNumbers(const LimitPlan& plan, bool livemode);

void apply(const LimitPlan& plan, const LimitOverride& setting, bool livemode, LimitNumbers& numbers);

}  // namespace tally::detail
