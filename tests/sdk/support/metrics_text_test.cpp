// The metrics reader of the tests is as strict as a scraper.

#include "sdk/support/metrics_text.h"

#include <stdexcept>

#include <gtest/gtest.h>

namespace tally::test {
namespace {

const std::string head = "# HELP a_total Some help.\n# TYPE a_total counter\n";
const std::string histogram = "# HELP h Some help.\n# TYPE h histogram\n";

TEST(ReadMetrics, ReturnsSamplesByNameAndLabels) {
  const auto samples = readMetrics(head + "a_total{x=\"1\",y=\"a \\\"b\\\"\"} 2.5\na_total 3\n" + histogram +
                                   "h_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 3\nh_sum 4.5\nh_count 3\n");
  EXPECT_EQ(samples.at(R"(a_total{x="1",y="a \"b\""})"), 2.5);
  EXPECT_EQ(samples.at("a_total{}"), 3);
  EXPECT_EQ(samples.at("h_sum{}"), 4.5);
}

TEST(ReadMetrics, RefusesMalformedText) {
  for (const std::string& text : {
           std::string{"a_total 1\n"},                                   // no HELP and TYPE
           "# TYPE a_total counter\na_total 1\n" + head,                 // help after type
           head,                                                         // no samples
           head + "a_total 1",                                           // no newline at the end
           head + "a_total 1\na_total 1\n",                              // twice
           head + "a_total 1\n" + head + "a_total{x=\"1\"} 1\n",         // in two places
           head + "a_total{x=\"a\"b\"} 1\n",                             // an unescaped quote
           head + "a_total{x=\"a\\b\"} 1\n",                             // an invalid escape
           head + "a_total{1x=\"a\"} 1\n",                               // an invalid label name
           head + "a_total -1\n",                                        // negative
           head + "a_total one\n",                                       // not a number
           head + "b_total 1\n",                                         // another family
           std::string{"# HELP a Some.\n# TYPE a counter\na 1\n"},       // a counter without _total
           histogram + "h_bucket{le=\"1\"} 2\nh_sum 4\nh_count 2\n",     // no +Inf
           histogram + "h_bucket{le=\"+Inf\"} 2\nh_sum 4\nh_count 3\n",  // the count differs
           histogram + "h_bucket{le=\"+Inf\"} 2\nh_count 2\n",           // no sum
           histogram + "h_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 1\nh_sum 4\nh_count 1\n",  // decreases
           histogram +
               "h_bucket{le=\"2\"} 1\nh_bucket{le=\"1\"} 1\nh_bucket{le=\"+Inf\"} 1\nh_sum 4\nh_count 1\n",
       })
    EXPECT_THROW(static_cast<void>(readMetrics(text)), std::runtime_error) << text;
}

}  // namespace
}  // namespace tally::test
