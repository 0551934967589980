#include "objects/reference_check.h"

#include <gtest/gtest.h>

#include "fake/support/gadget.h"

namespace tally::test {

namespace {

using fake::detail::checkReferences;
using fake::detail::Collection;
using fake::detail::Fault;
using fake::detail::Resource;
using fake::detail::ResourceRules;
using fake::detail::ResourceType;
using tally::detail::Schema;

/// Gadgets, of which only `gad_1` exists, and another resource with the same prefix.
class References : public testing::Test {
 protected:
  References() {
    types.emplace_back(gadgetRules);
    types.emplace_back(otherRules);
    put(0, "gad_1");
  }

  void put(std::size_t resource, std::string_view id) { collections[resource].add(id, "{}", 0, {}, 0); }

  std::string faultOf(const GadgetParams& params) const {
    const Fault fault = checkReferences(refTo(params), {.types = types, .collections = collections});
    return fault ? fault->param + ": " + errorBody(*fault) : "";
  }

  const Resource other{"other_thing", "other_things", "gad_", &Schema<Gadget>::value};
  const ResourceRules otherRules{.resource = &other, .example = gadgetRules.example};
  std::deque<ResourceType> types{};
  std::vector<Collection> collections = std::vector<Collection>(2);
};

bool isMissing(const std::string& fault, const std::string& param) {
  return fault.starts_with(param + ": ") &&
         fault.find("There is no test gadget 'gad_2'.") != std::string::npos;
}

TEST_F(References, MayBeOmitted) {
  EXPECT_EQ(faultOf({}), "");
}

TEST_F(References, AreResolvedToExistingObjects) {
  EXPECT_EQ(faultOf({.parent = "gad_1"}), "");
  EXPECT_TRUE(isMissing(faultOf({.parent = "gad_2"}), "parent"));
}

TEST_F(References, AreCheckedWithinObjectsAndLists) {
  EXPECT_EQ(faultOf({.spare = Part{.origin = "gad_1"}}), "");
  EXPECT_TRUE(isMissing(faultOf({.spare = Part{.origin = "gad_2"}}), "spare[origin]"));
  const std::vector parts{Part{.origin = "gad_1"}, Part{.origin = "gad_2"}};
  EXPECT_TRUE(isMissing(faultOf({.parts = parts}), "parts[1][origin]"));
  EXPECT_EQ(faultOf({.parts = std::vector{parts[0], parts[0]}}), "");
}

TEST_F(References, AreResolvedToAnyResourceWithThePrefix) {
  put(1, "gad_2");
  EXPECT_EQ(faultOf({.parent = "gad_2"}), "");
}

TEST_F(References, AreIgnoredIfTheResourceIsNotStored) {
  EXPECT_EQ(faultOf({.twin = "ser_1"}), "");
}

}  // namespace

}  // namespace tally::test
