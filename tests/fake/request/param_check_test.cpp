#include "request/param_check.h"

#include <gtest/gtest.h>

#include "fake/support/gadget.h"

namespace tally::test {

namespace {

using fake::detail::checkRead;
using fake::detail::Fault;
using fake::detail::Identifiers;
using tally::detail::Schema;

template <class Params>
std::string faultOf(const Params& params, Identifiers identifiers = Identifiers::checked) {
  const Fault fault = checkRead(tally::detail::refTo(params), identifiers);
  if (!fault) return "none";
  const std::string line = std::string{fault->response->name} + ' ' + fault->param;
  return fault->detail.empty() ? line : line + ": " + fault->detail;
}

GadgetParams sound() {
  GadgetParams params;
  params.name = "Pot";
  return params;
}

TEST(ParamCheck, AcceptsValidParameters) {
  EXPECT_EQ(faultOf(sound()), "none");
  EXPECT_EQ(faultOf(GadgetListParams{}), "none");
}

TEST(ParamCheck, RefusesMissingRequiredParameters) {
  EXPECT_EQ(faultOf(GadgetParams{}), "parameter_missing name");
  GadgetParams params = sound();
  params.name = "";
  EXPECT_EQ(faultOf(params), "parameter_missing name");
  params = sound();
  params.spare = Part{};
  EXPECT_EQ(faultOf(params), "parameter_missing spare[name]");
}

TEST(ParamCheck, ChecksTheRangesOfNumbers) {
  for (const std::int64_t size : {-5, 100}) {
    GadgetParams params = sound();
    params.size = size;
    EXPECT_EQ(faultOf(params), "none");
    params.size = size < 0 ? size - 1 : size + 1;
    EXPECT_EQ(faultOf(params),
              "parameter_invalid size: must be from -5 to 100, not " + std::to_string(*params.size));
  }
  GadgetParams params = sound();
  params.at = std::chrono::sys_seconds{std::chrono::seconds{-1}};
  EXPECT_EQ(faultOf(params), "parameter_invalid at: must be at least 0, not -1");
}

TEST(ParamCheck, ChecksListElements) {
  GadgetParams params = sound();
  params.parts = std::vector{Part{"a", 1}, Part{"b", 0}};
  EXPECT_EQ(faultOf(params), "parameter_invalid parts[1][weight]: must be at least 1, not 0");
}

TEST(ParamCheck, RefusesMetadataKeysThatNoFormCanContain) {
  GadgetParams params = sound();
  params.metadata.set("", "1");
  EXPECT_EQ(faultOf(params), "parameter_invalid metadata[]: a metadata key can't be empty");
  for (const char* key : {"a[", "a]"}) {
    params.metadata = MetadataEdit{}.unset(key);
    EXPECT_EQ(faultOf(params), "parameter_invalid metadata[" + std::string{key} +
                                   "]: a metadata key can't contain '[' or ']'");
  }
}

TEST(ParamCheck, RefusesMutuallyExclusiveParameters) {
  GadgetListParams params;
  params.startingAfter = "gad_1";
  params.endingBefore = "gad_2";
  EXPECT_EQ(faultOf(params), "parameter_invalid starting_after: can't be combined with 'ending_before'");
}

TEST(ParamCheck, ChecksIdentifiersUnlessDisabled) {
  GadgetParams params = sound();
  const std::string fault = "parameter_invalid parent: not an identifier that starts with 'gad_'";
  for (const char* parent : {"pr_1", "gad_", ""}) {
    params.parent = parent;
    EXPECT_EQ(faultOf(params), fault);
    EXPECT_EQ(faultOf(params, Identifiers::unchecked), "none");
  }
}

}  // namespace

}  // namespace tally::test
