#include "tables/states.h"

#include <stdexcept>
#include <string>

namespace tally::fake::detail {

States::States(const ResourceRules& rules) {
  for (const Transition& transition : rules.transitions)
    moves_.push_back({transition.trigger, transition.before, transition.after, transition.refusal,
                      Assignments{*rules.resource->model, transition.effects}});
  checkComplete(rules);
}

void States::checkComplete(const ResourceRules& rules) const {
  for (const Move& move : moves_)
    for (std::size_t state = 0; state < rules.states.size(); ++state)
      if (find(*move.trigger, static_cast<std::uint8_t>(state)) == nullptr)
        throw std::logic_error{"the API description does not say what " + std::string{move.trigger->name} +
                               " does in the state " + std::string{rules.states[state]}};
}

const Move* States::find(const Operation& trigger, std::uint8_t state) const {
  for (const Move& move : moves_)
    if (move.trigger == &trigger && (move.before >> state & 1U) != 0) return &move;
  return nullptr;
}

}  // namespace tally::fake::detail
