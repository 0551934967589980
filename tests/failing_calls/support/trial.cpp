#include "failing_calls/support/trial.h"

#include <exception>
#include <stdexcept>

namespace tally::test {

namespace {

class ScenarioFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace

Trial::Trial(Injection& injection, Side side, const Place* place)
    : injection_(injection), side_(side), place_(place) {}

std::string Trial::attempt(const std::function<void()>& action) {
  try {
    const FailingCalls failing{injection_, side_, place_};
    action();
  } catch (const std::exception& thrown) {
    return *thrown.what() == '\0' ? "an exception without a text" : thrown.what();
  } catch (...) {
    return "something other than a std::exception";
  }
  return {};
}

void Trial::require(bool holds, const std::string& otherwise) {
  if (!holds) throw ScenarioFailed{otherwise};
}

void Trial::check(bool holds, std::string_view otherwise) {
  if (!holds) problems_.append(otherwise).append("\n");
}

std::string problemsOf(const Scenario& scenario, Injection& injection, Side side, const Place* place) {
  const OnSide client{Side::client};
  Trial trial{injection, side, place};
  try {
    scenario(trial);
  } catch (const std::exception& thrown) {
    trial.check(false, std::string{"after the failure: "} + thrown.what());
  }
  return trial.problems();
}

}  // namespace tally::test
