#include "findings/report.h"

#include <sstream>

#include <gtest/gtest.h>

#include "text/utf8_sequence.h"

namespace tally::fake::detail {

namespace {

Findings someFindings() {
  Findings findings;
  for (const std::uint64_t request : {7U, 5U, 9U})
    findings.differ("order:list", Rule::assumed("list_order", "List operations"), "the objects of a.list\n",
                    request);
  findings.differ("missing:payment_record.created", Rule{.section = "Payment record"}, "created is missing",
                  8);
  findings.cannotJudge("the read allocation", 3);
  return findings;
}

TEST(Report, HasAHeadingForEachSectionAndALineForEachDifference) {
  Accepted none;
  std::ostringstream out;
  EXPECT_EQ(writeText(out, someFindings(), {.recorded = 9, .compared = 8}, none), 2U);
  EXPECT_EQ(
      out.str(),
      "Payment record\n"
      "  missing:payment_record.created: created is missing (request 8); contradicts the specification\n"
      "List operations\n"
      "  order:list: the objects of a.list\\n (3 times, first in request 5); refutes list_order, "
      "List order and cursors\n"
      "Can't be judged from the recording\n"
      "  the read allocation (request 3)\n"
      "8 of 9 requests compared: 2 differences\n");
}

TEST(Report, OmitsAcceptedDifferencesAndListsThoseThatDidNotOccur) {
  Accepted accepted{"order:list\nmissing:payment_record.created\nlimit.refused:global_rate"};
  std::ostringstream out;
  EXPECT_EQ(writeText(out, someFindings(), {.recorded = 9, .compared = 9}, accepted), 0U);
  EXPECT_EQ(out.str(),
            "Can't be judged from the recording\n"
            "  the read allocation (request 3)\n"
            "Accepted, but did not occur\n"
            "  limit.refused:global_rate\n"
            "9 of 9 requests compared: no difference, 2 accepted\n");
}

TEST(Report, WritesOneJsonObjectPerLine) {
  Accepted accepted{"order:list"};
  std::ostringstream out;
  EXPECT_EQ(writeJsonLines(out, someFindings(), {.recorded = 9, .compared = 8}, accepted), 1U);
  EXPECT_NE(out.str().find(R"({"kind":"difference","id":"missing:payment_record.created",)"
                           R"("section":"Payment record","assumption":null,"text":"created is missing",)"
                           R"("count":1,"first_request":8,"accepted":false})"),
            std::string::npos);
  EXPECT_NE(out.str().find(R"("assumption":{"key":"list_order","point":"List order and cursors",)"),
            std::string::npos);
  EXPECT_TRUE(
      out.str().ends_with(R"({"kind":"not_judged","text":"the read allocation","count":1,"first_request":3})"
                          "\n"
                          R"({"kind":"summary","recorded":9,"compared":8,"differences":1,"accepted":1})"
                          "\n"));
}

TEST(Report, IsUtf8InJsonWhateverTheRecordingContains) {
  Findings findings;
  findings.differ("value:payout.description", Rule{.section = "Endpoints"}, "description is \xFF", 1);
  findings.cannotJudge("requests to \xC3", 2);
  Accepted none;
  std::ostringstream out;
  (void)writeJsonLines(out, findings, {.recorded = 2, .compared = 1}, none);
  EXPECT_TRUE(tally::detail::isUtf8(out.str())) << out.str();
}

}  // namespace

}  // namespace tally::fake::detail
