#pragma once

#include <tally/detail/cpp20.h>

#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include <tally/fake/stored_object.h>

#include <gmock/gmock.h>

namespace tally::testing {

namespace detail {

class IsInStateMatcher {
 public:
  explicit IsInStateMatcher(::testing::Matcher<std::string> state) : state_(std::move(state)) {}

  bool MatchAndExplain(const fake::StoredObject& object, ::testing::MatchResultListener* listener) const {
    return explain(object.state, listener);
  }
  bool MatchAndExplain(const std::optional<fake::StoredObject>& object,
                       ::testing::MatchResultListener* listener) const {
    if (object) return explain(object->state, listener);
    *listener << "which does not exist";
    return false;
  }
  bool MatchAndExplain(const std::optional<std::string>& state,
                       ::testing::MatchResultListener* listener) const {
    return explain(state.value_or(""), listener);
  }
  void DescribeTo(std::ostream* out) const { state_.DescribeTo(&(*out << "is in a state that ")); }
  void DescribeNegationTo(std::ostream* out) const {
    state_.DescribeNegationTo(&(*out << "is in a state that "));
  }

 private:
  bool explain(const std::string& state, ::testing::MatchResultListener* listener) const {
    if (state.empty()) {
      *listener << "which has no state";
      return false;
    }
    *listener << "which is in state " << state;
    return state_.Matches(state);
  }

  ::testing::Matcher<std::string> state_;
};

}  // namespace detail

/// Matches an object in the store of a fake::Service if its state matches `state`, a string or a matcher:
/// `EXPECT_THAT(service.objects().get(key, id), IsInState("failed"));`. Also matches what
/// fake::Objects::stateOf() returns, and elements of fake::ObjectList::objects. An object that does not exist
/// or has no states is in no state. Spec: "States and transitions".
inline auto IsInState(const ::testing::Matcher<std::string>& state) {
  return ::testing::MakePolymorphicMatcher(detail::IsInStateMatcher{state});
}

}  // namespace tally::testing
