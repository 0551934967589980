#include "tables/resource_type.h"

#include <array>
#include <stdexcept>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "fake/support/gadget.h"
#include "json/model_json.h"
#include "tables/states.h"

namespace tally::test {

namespace {

using fake::detail::AnyOperation;
using fake::detail::Move;
using fake::detail::Resource;
using fake::detail::ResourceRules;
using fake::detail::ResourceType;
using fake::detail::States;
using tally::detail::StateMachine;
using tally::detail::StateRefusal;
using tally::detail::Transition;

const AnyOperation& operation(std::string_view name) {
  for (const AnyOperation* candidate : gadgets.operations)
    if (candidate->name == name) return *candidate;
  throw std::logic_error{"no such operation"};
}

TEST(ResourceType, ReadsTheExample) {
  const ResourceType type{gadgetRules};
  const Gadget& gadget = type.example().as<Gadget>();
  EXPECT_EQ(gadget.name, "Example");
  EXPECT_EQ(gadget.spare, (Part{"Spare", 9}));
}

/// The examples of the real API description.
TEST(ResourceType, WritesEveryExampleAsDescribed) {
  for (const ResourceRules* rules : fake::detail::resourceRules) {
    const ResourceType type{*rules};
    EXPECT_EQ(boost::json::parse(tally::detail::jsonOf(type.example())), boost::json::parse(rules->example))
        << type.words();
  }
}

TEST(ResourceType, FindsTheCommonFields) {
  const ResourceType type{gadgetRules};
  Gadget gadget;
  EXPECT_EQ(&type.id(refTo(gadget)), &gadget.id.str());
  EXPECT_EQ(&type.created(refTo(gadget)), &gadget.created);
  EXPECT_EQ(&type.livemode(refTo(gadget)), &gadget.livemode);
  EXPECT_EQ(type.metadata(refTo(gadget)), &gadget.metadata);
  EXPECT_EQ(type.words(), "test gadget");
}

TEST(ResourceType, RefusesAnIncompleteExample) {
  ResourceRules rules = gadgetRules;
  rules.example = R"({"id":"gad_1"})";
  EXPECT_THROW(ResourceType{rules}, std::logic_error);
}

TEST(States, ChangeAccordingToTheTriggerAndThePreviousState) {
  const States states{*gadgetRules.resource};
  const Move* move = states.find(operation("gadgets.start"), 0);
  ASSERT_NE(move, nullptr);
  EXPECT_EQ(move->after, 1);
  EXPECT_EQ(move->refusal, nullptr);
  EXPECT_NE(states.find(operation("gadgets.start"), 1)->refusal, nullptr);
  EXPECT_NE(states.find(operation("gadgets.start"), 2)->refusal, nullptr);
  EXPECT_EQ(states.find(operation("gadgets.stop"), 1)->after, 0);
}

TEST(States, AreNotChangedByOperationsThatTriggerNoTransition) {
  EXPECT_EQ(States{*gadgetRules.resource}.find(operation("gadgets.update"), 0), nullptr);
}

TEST(States, AreRefusedIfATriggerOmitsAState) {
  const std::array<Transition, 1> open{{{.trigger = &operation("gadgets.start"), .before = 3, .after = 1}}};
  StateMachine machine = *gadgetRules.resource->machine;
  machine.transitions = open;
  machine.refusals = {};
  Resource resource = *gadgetRules.resource;
  resource.machine = &machine;
  EXPECT_THROW(States{resource}, std::logic_error);
}

TEST(States, AreRefusedIfTheyNameAnUnknownError) {
  const std::array<StateRefusal, 1> unknown{
      {{.trigger = &operation("gadgets.start"), .before = 7, .error = "no_such_error"}}};
  StateMachine machine = *gadgetRules.resource->machine;
  machine.transitions = {};
  machine.refusals = unknown;
  Resource resource = *gadgetRules.resource;
  resource.machine = &machine;
  EXPECT_THROW(States{resource}, std::logic_error);
}

TEST(States, AreEmptyWithoutAStateMachine) {
  Resource resource = *gadgetRules.resource;
  resource.machine = nullptr;
  const States states{resource};
  EXPECT_TRUE(states.machine().states.empty());
  EXPECT_EQ(states.find(operation("gadgets.start"), 0), nullptr);
}

}  // namespace

}  // namespace tally::test
