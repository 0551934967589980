#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tally/limit.h>

#include "schema/operation.h"

namespace tally::detail {

/// What has a number of its own: a limit, or a limit for one operation.
struct Slot {
  const Limit* limit = nullptr;
  const Operation* operation = nullptr;  // null but for a limit on each operation
};

/// Where an operation's requests are counted.
struct Check {
  std::size_t slot = 0;
  const Field* given = nullptr;          // only requests that give this parameter count; null: all
  std::vector<const Field*> notGiven{};  // requests that give one of these are another limit's
  const Field* object = nullptr;         // the parameter that names the object; null: the path does

  /// Whether a request with these parameters counts here; null: without any.
  [[nodiscard]] bool covers(const void* params) const;

  /// Which object a request for `id` with these parameters is about; empty where nothing names one.
  [[nodiscard]] std::string_view objectOf(std::string_view id, const void* params) const;
};

/// Which limits hold for which operations, and in which order they are asked.
/// Spec: "Limits"; assumed: "Several limits at once", "Named limits and the 25 requests per second per
/// endpoint".
class LimitPlan {
 public:
  /// Throws std::logic_error for a limit on a parameter that an operation does not have.
  LimitPlan(std::span<const Operation* const> known, std::span<const Limit* const> limits);

  [[nodiscard]] const std::vector<Slot>& slots() const noexcept { return slots_; }
  [[nodiscard]] const std::vector<Check>& checks(const Operation& operation) const;

  /// The rate of an operation as an endpoint, which counts nothing where a named limit has taken its place;
  /// nothing where there is no such limit.
  [[nodiscard]] std::optional<std::size_t> endpointRate(const Operation& operation) const;

  /// Whether any operation's requests are counted there; not so where another limit has taken its place.
  [[nodiscard]] bool isUsed(std::size_t slot) const { return used_[slot]; }

  /// Throws std::invalid_argument where there is nothing that the setting could change.
  void check(const LimitSetting& setting) const;

 private:
  using BySlot = std::unordered_map<const Operation*, std::vector<Check>>;

  void addChecks(std::size_t slot, std::span<const Operation* const> known);
  void addCheck(std::size_t slot, const Operation& operation);
  void order();
  void replaceEndpointRates();
  void noteUsed();

  std::vector<Slot> slots_{};
  std::vector<bool> used_{};
  BySlot checks_{};
  std::unordered_map<const Operation*, std::size_t> endpointRates_{};
};

/// The numbers of an account in one mode, by slot; nothing where the limit is off.
using LimitNumbers = std::vector<std::optional<std::int64_t>>;

/// What the description says.
[[nodiscard]] LimitNumbers documentedNumbers(const LimitPlan& plan, bool livemode);

/// Changes what the setting names.
void apply(const LimitPlan& plan, const LimitSetting& setting, bool livemode, LimitNumbers& numbers);

}  // namespace tally::detail
