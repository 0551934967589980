#pragma once

#include <tally/detail/cpp20.h>

#include <array>
#include <cstdint>
#include <iosfwd>
#include <string_view>

namespace tally::fake {

struct LoggedRequest;

/// How a request ended.
enum class RequestOutcome : std::uint8_t {
  succeeded,   ///< A response with a status below 400 arrived.
  limited,     ///< A limit or the object's lock refused the request: status 429.
  refused,     ///< Another status from 400 to 499.
  failed,      ///< A status of 500 or more.
  unanswered,  ///< No response arrived, or only a damaged one.
};

inline constexpr std::array requestOutcomes{RequestOutcome::succeeded, RequestOutcome::limited,
                                            RequestOutcome::refused, RequestOutcome::failed,
                                            RequestOutcome::unanswered};

[[nodiscard]] RequestOutcome outcomeOf(const LoggedRequest& request) noexcept;

[[nodiscard]] std::string_view toString(RequestOutcome outcome) noexcept;

std::ostream& operator<<(std::ostream& out, RequestOutcome outcome);

}  // namespace tally::fake
