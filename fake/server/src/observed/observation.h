#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/request_context.h"
#include "observed/recorded.h"
#include "request/json_document.h"
#include "tables/catalog.h"

namespace tally::fake::detail {

inline constexpr int unauthorized = 401;  // the key is missing or unknown
inline constexpr int forbidden = 403;     // the key exists, but does not act for the account

/// How a recorded request ended, as far as the response shows it.
enum class Outcome : std::uint8_t {
  unknown,      // no response, or a fault replaced it
  success,      // 2xx
  refused,      // 4xx, except for those below
  rateLimited,  // by a rate or concurrency limit
  locked,       // a lock timeout
  overAllocation,
  failed,  // 5xx
  other,   // 1xx or 3xx
};

/// The contents of an error response.
struct ErrorText {
  std::string type{};
  std::string code{};
  std::string message{};
  std::string param{};
};

/// A recorded request, parsed as the fake parses it.
class Observation {
 public:
  Observation(const Catalog& catalog, Recorded recorded);
  Observation(const Observation&) = delete;
  Observation& operator=(const Observation&) = delete;
  ~Observation() = default;

  [[nodiscard]] const Recorded& recorded() const noexcept { return recorded_; }
  /// Ends the observation: nothing else may be called afterwards.
  [[nodiscard]] Recorded release() noexcept { return std::move(recorded_); }
  [[nodiscard]] std::uint64_t number() const noexcept { return recorded_.number; }
  [[nodiscard]] Instant start() const noexcept { return recorded_.start; }
  [[nodiscard]] Instant end() const noexcept { return recorded_.end; }
  [[nodiscard]] const Arrival& arrival() const noexcept { return arrival_; }
  /// Null if the fake has no such operation.
  [[nodiscard]] const AnyOperation* operation() const noexcept { return arrival_.route.operation; }
  /// The name of the operation, or method and path.
  [[nodiscard]] std::string name() const;
  /// The object in the path; empty if there is none.
  [[nodiscard]] const std::string& id() const noexcept { return arrival_.id; }

  /// Whether the request is one for the service, and not for another host or for the control API. Behind a
  /// prefix, only an operation tells.
  [[nodiscard]] bool concernsService() const;
  /// Whether it changes the object in its path, and so needs the object's lock.
  [[nodiscard]] bool changesItsObject() const;
  [[nodiscard]] bool creates() const;
  /// Whether it lists or searches.
  [[nodiscard]] bool pages() const;
  /// Whether the request restricts its page to objects with certain values.
  [[nodiscard]] bool selects() const;

  [[nodiscard]] Outcome outcome() const noexcept { return outcome_; }
  [[nodiscard]] int status() const noexcept { return recorded_.response ? recorded_.response->status : 0; }
  /// Null if the body is not a JSON object. Parsed on first use.
  [[nodiscard]] const JsonDocument* body() const;
  [[nodiscard]] const ErrorText& error() const noexcept { return error_; }
  /// The objects that a successful response shows.
  [[nodiscard]] std::vector<JsonValue> objects() const;

  /// A parameter of the query that is text; empty if there is none.
  [[nodiscard]] std::string_view param(std::string_view name) const;

  /// The key of the caller and the account that it acts for, as a text of its own.
  [[nodiscard]] std::string caller() const;

 private:
  [[nodiscard]] Outcome classify() const;
  [[nodiscard]] Outcome classifyTooMany() const;

  Recorded recorded_;
  Arrival arrival_;
  mutable std::optional<JsonDocument> body_{};
  ErrorText error_{};
  Outcome outcome_ = Outcome::unknown;
};

/// The member of an object with that name.
[[nodiscard]] std::optional<JsonValue> memberOf(const JsonValue& object, std::string_view name);

/// The text of a member; empty if there is none, or it is no text.
[[nodiscard]] std::string textOf(const JsonValue& object, std::string_view name);

/// The integer of a member.
[[nodiscard]] std::optional<std::int64_t> integerOf(const JsonValue& object, std::string_view name);

}  // namespace tally::fake::detail
