#include "findings/accepted.h"

#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "findings/findings.h"

namespace tally::fake::detail {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(AcceptedDifferences, AreReadFromAFileWithComments) {
  Accepted accepted{"# known\nmissing:a.b  # until May\n\n\torder:list\r\n"};
  EXPECT_TRUE(accepted.accepts("missing:a.b"));
  EXPECT_TRUE(accepted.accepts("order:list"));
  EXPECT_FALSE(accepted.accepts("missing:a"));
}

TEST(AcceptedDifferences, AreReportedIfTheyDidNotOccur) {
  Accepted accepted{"missing:a.b\norder:list\norder:list"};
  EXPECT_TRUE(accepted.accepts("missing:a.b"));
  EXPECT_THAT(accepted.gone(), ElementsAre("order:list"));
}

TEST(AcceptedDifferences, MatchIdentifiersWithAnyTextFromARecording) {
  Findings findings;
  findings.differ("accepted:parameter_unknown:my\tfield # 1\n\u00e9 50%", Rule{}, "", 1);
  const std::string id = findings.differences().front().id;
  EXPECT_EQ(id, "accepted:parameter_unknown:my%09field%20%23%201%0A%C3%A9%2050%25");
  EXPECT_TRUE(Accepted{id}.accepts(id));
}

TEST(AcceptedDifferences, AreRefusedWhenAnIdentifierIsInvalid) {
  EXPECT_THAT([] { Accepted{"order:list\nthe order\n"}; },
              ThrowsMessage<std::invalid_argument>(HasSubstr("line 2: 'the order' is not the identifier")));
}

}  // namespace

}  // namespace tally::fake::detail
