#pragma once

#include <functional>

#include <boost/json/value.hpp>

#include "host.h"
#include "json_input.h"

namespace tally::fake::detail {

// How the control API and scenarios write what a Service takes and gives. Readers throw BadInput.

[[nodiscard]] AccountOptions readAccountOptions(JsonInput& input);
[[nodiscard]] TenantOptions readTenantOptions(JsonInput& input);
[[nodiscard]] Script readScript(JsonInput& input);
[[nodiscard]] LimitSetting readLimit(JsonInput& input);

/// How long requests for one operation take.
struct DurationSetting {
  std::string operation{};
  std::chrono::milliseconds duration{0};
};
[[nodiscard]] DurationSetting readDuration(JsonInput& input);

/// How many records are to be made at once.
[[nodiscard]] std::int64_t readCount(JsonInput& input);

/// Objects to put into the store.
struct Seeding {
  std::string resource{};
  std::int64_t count = 1;
  std::string fields = "{}";
  std::string state{};
};
[[nodiscard]] Seeding readSeeding(JsonInput& input);

[[nodiscard]] boost::json::value toJson(const Account& account);
[[nodiscard]] boost::json::value toJson(const Script& script);
[[nodiscard]] boost::json::value toJson(const LimitUsage& usage);
[[nodiscard]] boost::json::value toJson(const LoggedRequest& request);

/// A moment, as the API writes them with nanoseconds: `2026-01-01T00:00:00.000000000Z`.
[[nodiscard]] std::string toText(Instant time);

/// The identifiers of the objects. Once `stopped` says so, no more of them are made.
boost::json::array seed(Service& service, std::string_view key, const Seeding& seeding,
                        const std::function<bool()>& stopped);

}  // namespace tally::fake::detail
