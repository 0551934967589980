#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tally/clock.h>
#include <tally/fake/fault_rule.h>

#include "faults/request_parts.h"
#include "tables/id_generator.h"
#include "tables/refusal.h"

namespace tally::fake::detail {

/// When a rule fires: on arrival of a request, after its operation ran, or only if the operation succeeded.
enum class Moment : std::uint8_t { arrival, responded, processed };

/// The effects of a rule on one request.
struct FaultEffect {
  std::uint64_t rule = 0;  // its id
  fake::Fault kind = fake::Fault::none;
  std::variant<std::monostate, Refusal, HttpResponse> response{};  // replaces the service's own
  std::vector<Header> headers{};
  std::chrono::nanoseconds latency{0};
  int chunks = 1;
  std::chrono::nanoseconds pause{0};
};

/// A rule in use.
struct ArmedRule {
  fake::InjectedFault fault{};
  int passed = 0;            // requests since it last fired, at most `every`
  std::uint64_t random = 0;  // the state of its random numbers
};

/// The script that a rule belongs to.
struct ScriptOrigin {
  std::uint64_t script = 0;
  std::uint64_t random = 0;  // for the rule's random numbers
};

/// A request that faults may happen to.
struct FaultTarget {
  std::string_view operation{};
  std::string_view object{};
  RequestParts parts;
  Instant arrived{};
  /// That the request asks for itself, without an id, and before all others; null if none.
  ArmedRule* own = nullptr;
  /// By rule, whether it was this request's turn. Drawn once, although the rules are asked several times.
  std::vector<std::pair<std::uint64_t, bool>> turns{};
};

/// The pending injected faults, in the order in which they were added. A copy continues in the same way.
class FaultRules {
 public:
  using Armed = ArmedRule;

  FaultRules(std::span<const AnyOperation* const> operations, std::span<const ErrorResponse* const> errors,
             std::uint64_t seed);

  /// Returns the id of the rule. Throws std::invalid_argument if the rule can never fire.
  std::uint64_t add(FaultRule rule, Instant now = {});
  /// The same for a rule of a script.
  std::uint64_t add(FaultRule rule, Instant now, const ScriptOrigin& origin);

  /// Throws like add(). Completes the rule.
  void check(FaultRule& rule) const;

  /// The random numbers of something that add() does not make.
  [[nodiscard]] std::uint64_t nextSeed() { return seeds_.nextNumber(); }

  /// Returns whether there was such a rule.
  bool remove(std::uint64_t id);
  void removeOf(std::uint64_t script);
  void clear() { rules_.clear(); }

  /// Consumes one use of the first rule that matches a request, if it fires at `moment`. If that rule fires
  /// at another moment, returns nothing, and later rules wait for it.
  [[nodiscard]] std::optional<FaultEffect> take(FaultTarget& target, Moment moment);

  [[nodiscard]] bool empty() const noexcept { return rules_.empty(); }

  /// The rules that have uses left, without those of scripts; an unlimited one only until it has fired.
  [[nodiscard]] std::vector<FaultRule> pending() const;

  [[nodiscard]] std::vector<fake::InjectedFault> all() const;

  // For a service that is saved and continued.
  [[nodiscard]] const std::vector<Armed>& armed() const noexcept { return rules_; }
  /// Throws like add(), and also if the id is not greater than those of the other rules, or greater than
  /// lastId().
  void resume(Armed armed);
  [[nodiscard]] std::uint64_t lastId() const noexcept { return lastId_; }
  [[nodiscard]] const IdGenerator& seeds() const noexcept { return seeds_; }
  void continueAt(std::uint64_t lastId, std::uint64_t seeds) noexcept {
    lastId_ = lastId;
    seeds_.continueAt(seeds);
  }

 private:
  /// Only lists and searches can have empty pages.
  [[nodiscard]] bool canHappen(fake::Fault fault, std::string_view operation) const;
  [[nodiscard]] bool applies(Armed& armed, FaultTarget& target) const;
  [[nodiscard]] FaultEffect effectOf(Armed& armed, std::string_view object) const;
  [[nodiscard]] Armed* firstFor(FaultTarget& target);
  void checkError(FaultRule& rule) const;
  void checkOperation(const FaultRule& rule) const;
  [[nodiscard]] Refusal refusalOf(const FaultRule& rule, std::string_view object) const;

  std::span<const AnyOperation* const> operations_;
  std::span<const ErrorResponse* const> errors_;
  IdGenerator seeds_;
  std::uint64_t lastId_ = 0;
  std::vector<Armed> rules_{};
};

/// A rule that is in use from `now` on, without an id.
[[nodiscard]] ArmedRule armRule(FaultRule rule, Instant now, std::uint64_t random);

/// What a rule does, such as `error lock_timeout`.
[[nodiscard]] std::string happening(const FaultRule& rule);

/// Describes a rule, for example `payment_records.retrieve of pr_1: response lost (2 times left)`.
[[nodiscard]] std::string describe(const FaultRule& rule);

}  // namespace tally::fake::detail
