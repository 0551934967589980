#include "tables/states.h"

#include <stdexcept>
#include <string>

namespace tally::fake::detail {

using tally::detail::StateRefusal;
using tally::detail::Transition;

namespace {

const StateMachine& machineOf(const Resource& resource) {
  static constexpr StateMachine none;
  return resource.machine == nullptr ? none : *resource.machine;
}

const ErrorResponse* errorNamed(std::string_view name) {
  if (const ErrorResponse* error = findError(errorResponses, name)) return error;
  throw std::logic_error{"the description refuses a report with an unknown error, " + std::string{name}};
}

}  // namespace

States::States(const Resource& resource) : machine_(machineOf(resource)) {
  for (const Transition& transition : machine_.transitions)
    moves_.push_back({transition.trigger, transition.before, transition.after, nullptr,
                      Assignments{*resource.model, transition.effects}});
  for (const StateRefusal& refusal : machine_.refusals)
    moves_.push_back(
        {refusal.trigger, refusal.before, 0, errorNamed(refusal.error), Assignments{*resource.model, {}}});
  checkComplete();
}

void States::checkComplete() const {
  for (const Move& move : moves_)
    for (std::size_t state = 0; state < machine_.states.size(); ++state)
      if (find(*move.trigger, static_cast<std::uint8_t>(state)) == nullptr)
        throw std::logic_error{"the API description does not say what " + std::string{move.trigger->name} +
                               " does in the state " + std::string{machine_.states[state]}};
}

const Move* States::find(const AnyOperation& trigger, std::uint8_t state) const {
  for (const Move& move : moves_)
    if (move.trigger == &trigger && (move.before >> state & 1U) != 0) return &move;
  return nullptr;
}

}  // namespace tally::fake::detail
