#include "enqueue/requested_action.h"

#include <algorithm>
#include <array>
#include <string>

#include <tally/outbox_report.h>

namespace tally::detail {

namespace {

/// In which states a person may ask for it.
struct RequestedAction {
  std::string_view name;
  std::array<std::string_view, 2> states;
};

constexpr std::array requestedActions{RequestedAction{"retry", {"refused", "unknown"}},
                                      RequestedAction{"cancel", {"waiting", "parked"}},
                                      RequestedAction{"release", {"waiting", "parked"}}};

}  // namespace

void checkAction(std::string_view action, std::uint64_t report, std::optional<std::string_view> state) {
  const auto* const asked = std::ranges::find(requestedActions, action, &RequestedAction::name);
  if (asked == requestedActions.end())
    throw OutboxError{"tally: there is no request '" + std::string{action} + '\'', {}};
  const std::string number = std::to_string(report);
  if (!state) throw OutboxError{"tally: there is no report " + number, {}};
  if (std::ranges::find(asked->states, *state) != asked->states.end()) return;
  throw OutboxError{"tally." + std::string{action} + ": report " + number + " is " + std::string{*state} +
                        ". It must be one of: " + std::string{asked->states[0]} + ", " +
                        std::string{asked->states[1]},
                    {}};
}

void refuseToErase(std::uint64_t report, std::string_view object) {
  throw OutboxError{"tally.erase: report " + std::to_string(report) + " on '" + std::string{object} +
                        "' is not decided. Cancel it, or wait until it has been sent.",
                    {}};
}

}  // namespace tally::detail
