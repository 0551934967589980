#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include <tally/invoices.h>
#include <tally/payment_intents.h>
#include <tally/payment_records.h>
#include <tally/search_query.h>

#include <gtest/gtest.h>

namespace tally {
namespace {

using namespace std::chrono_literals;
using q = PaymentRecordSearchFields;
using std::chrono::sys_seconds;
using std::chrono::sys_time;

constexpr query::BooleanField<PaymentRecord> livemode{"livemode"};

const auto onText = q::description == "a";
const auto onNumber = q::amountRequested.value > 2;
const auto onKey = q::metadata("k") != "v";

TEST(SearchConditions, CompareText) {
  EXPECT_EQ((q::description == "tea").str(), R"(description:"tea")");
  EXPECT_EQ((q::description != std::string{"tea"}).str(), R"(-description:"tea")");
  EXPECT_EQ((q::description == std::string_view{}).str(), R"(description:"")");
  EXPECT_EQ((q::description == static_cast<const char*>(nullptr)).str(), R"(description:"")");
  EXPECT_EQ(q::description.contains("te").str(), R"(description~"te")");
  EXPECT_EQ((q::amountRequested.currency == "eur").str(), R"(amount_requested.currency:"eur")");
  EXPECT_EQ((q::processorDetails.custom.paymentReference == "ref").str(),
            R"(processor_details.custom.payment_reference:"ref")");
}

TEST(SearchConditions, CompareMetadataValues) {
  EXPECT_EQ((q::metadata("order") == "42").str(), R"(metadata["order"]:"42")");
  EXPECT_EQ(q::metadata(std::string{"order"}).contains("4").str(), R"(metadata["order"]~"4")");
  const auto order = q::metadata(std::string(40, 'k'));  // keeps the key
  EXPECT_EQ((order == std::nullopt).str(), "metadata[\"" + std::string(40, 'k') + "\"]:null");
}

TEST(SearchConditions, EscapeText) {
  EXPECT_EQ((q::description == R"(a"b\c)").str(), R"(description:"a\"b\\c")");
  EXPECT_EQ((q::metadata(R"("])") == "\\").str(), R"(metadata["\"]"]:"\\")");
  EXPECT_EQ((q::description == std::string_view{"\0\n", 2}).str(),
            std::string_view("description:\"\0\n\"", 16));
}

TEST(SearchConditions, CompareIdentifiers) {
  const std::string expected = R"(latest_payment_attempt_record:"par_1")";
  EXPECT_EQ((q::latestPaymentAttemptRecord == "par_1").str(), expected);
  EXPECT_EQ((q::latestPaymentAttemptRecord == Id<PaymentAttemptRecord>{"par_1"}).str(), expected);
  EXPECT_EQ(q::latestPaymentAttemptRecord.contains("par").str(), R"(latest_payment_attempt_record~"par")");
}

TEST(SearchConditions, CompareValuesOfOpenEnumerations) {
  const std::string expected = R"(customer_presence:"on_session")";
  EXPECT_EQ((q::customerPresence == PaymentRecordCustomerPresence::onSession).str(), expected);
  EXPECT_EQ((q::customerPresence == OpenEnum{PaymentRecordCustomerPresence::onSession}).str(), expected);
  EXPECT_EQ((q::customerPresence != "by_post").str(), R"(-customer_presence:"by_post")");
}

TEST(SearchConditions, CompareNumbers) {
  const auto& value = q::amountRequested.value;
  EXPECT_EQ((value == 1).str(), "amount_requested.value:1");
  EXPECT_EQ((value != 1U).str(), "-amount_requested.value:1");
  EXPECT_EQ((value < 1).str(), "amount_requested.value<1");
  EXPECT_EQ((value <= -1).str(), "amount_requested.value<=-1");
  EXPECT_EQ((value > std::numeric_limits<std::int64_t>::max()).str(),
            "amount_requested.value>9223372036854775807");
  EXPECT_EQ((value >= std::numeric_limits<std::int64_t>::min()).str(),
            "amount_requested.value>=-9223372036854775808");
}

TEST(SearchConditions, CompareTimes) {
  const sys_seconds seven{7s};
  EXPECT_EQ((q::created == seven).str(), "created:7");
  EXPECT_EQ((q::created != Timestamp{seven}).str(), "-created:7");
  EXPECT_EQ((q::created >= std::chrono::sys_days{std::chrono::January / 2 / 1970}).str(), "created>=86400");
}

TEST(SearchConditions, RoundTimesWithoutChangingTheComparison) {
  const sys_time<std::chrono::milliseconds> time{7500ms};
  EXPECT_EQ((q::created < time).str(), "created<8");
  EXPECT_EQ((q::created <= time).str(), "created<=7");
  EXPECT_EQ((q::created > time).str(), "created>7");
  EXPECT_EQ((q::created >= time).str(), "created>=8");
  EXPECT_EQ((q::created > -time.time_since_epoch() + sys_seconds{}).str(), "created>-8");
}

TEST(SearchConditions, CompareBooleans) {
  EXPECT_EQ((livemode == true).str(), R"(livemode:"true")");
  EXPECT_EQ((livemode != false).str(), R"(-livemode:"false")");
}

TEST(SearchConditions, CanCompareAFieldWithNullopt) {
  EXPECT_EQ((q::description == std::nullopt).str(), "description:null");
  EXPECT_EQ((q::created != std::nullopt).str(), "-created:null");
  EXPECT_EQ((livemode == std::nullopt).str(), "livemode:null");
}

TEST(SearchConditions, AreCombinedWithoutParentheses) {
  EXPECT_EQ((onText && onNumber && onKey).str(),
            R"(description:"a" AND amount_requested.value>2 AND -metadata["k"]:"v")");
  EXPECT_EQ((onText && (onNumber && onKey)), (onText && onNumber && onKey));
  EXPECT_EQ(((onText || onNumber) || onKey).str(),
            R"(description:"a" OR amount_requested.value>2 OR -metadata["k"]:"v")");
}

TEST(SearchConditions, CanBeNegated) {
  EXPECT_EQ((!onText).str(), R"(-description:"a")");
  EXPECT_EQ((!onKey).str(), R"(metadata["k"]:"v")");
  EXPECT_EQ(!!onText, onText);
  EXPECT_EQ((!(onText && onNumber && onKey)).str(),
            R"(-description:"a" OR -amount_requested.value>2 OR metadata["k"]:"v")");
  EXPECT_EQ((!(onText || onKey)).str(), R"(-description:"a" AND metadata["k"]:"v")");
  EXPECT_EQ((!(onText || onKey) && onNumber).str(),
            R"(-description:"a" AND metadata["k"]:"v" AND amount_requested.value>2)");
}

TEST(SearchConditions, AreNegatedWithoutChangesToTheirText) {
  const std::string text = R"(" AND -a:"b\" OR \)";
  const auto condition = q::description == text && q::metadata(text).contains(text);
  EXPECT_EQ(!condition, (q::description != text || !q::metadata(text).contains(text)));
  EXPECT_EQ(!!condition, condition);
}

TEST(SearchConditions, CanBeCombinedOneByOne) {
  query::AllOf<PaymentRecord> all = onText;
  all = all && onNumber;
  EXPECT_EQ(all, (onText && onNumber));
  query::AnyOf<PaymentRecord> any = onText;
  any = any || onNumber;
  EXPECT_EQ(any, (onText || onNumber));
}

TEST(SearchConditions, HaveSeparateFieldsForEachResource) {
  EXPECT_EQ((InvoiceSearchFields::subscription == "sub_1").str(), R"(subscription:"sub_1")");
  EXPECT_EQ((PaymentIntentSearchFields::amount >= 5).str(), "amount>=5");
  static_assert(!std::is_same_v<decltype(q::created), decltype(InvoiceSearchFields::created)>);
}

TEST(SearchQueries, CanBeMadeFromConditionsOrText) {
  EXPECT_EQ(SearchQuery<PaymentRecord>{"created>0"}.str(), "created>0");
  EXPECT_EQ(SearchQuery<PaymentRecord>{std::string{"created>0"}}, SearchQuery<PaymentRecord>{"created>0"});
  EXPECT_EQ(SearchQuery<PaymentRecord>{onText || onNumber}.str(), (onText || onNumber).str());
  EXPECT_TRUE(SearchQuery<PaymentRecord>{}.empty());
  EXPECT_TRUE(SearchQuery<PaymentRecord>{static_cast<const char*>(nullptr)}.empty());
}

TEST(SearchQueries, CanBePrinted) {
  std::ostringstream out;
  out << SearchQuery<PaymentRecord>{"a\nb"} << ' ' << (q::description == "\n");
  EXPECT_EQ(out.str(), R"(a\nb description:"\n")");
}

template <class Value>
std::string asParameter(const Value& query) {
  const PaymentRecordSearchParams params{.query = query};
  const Borrowed<PaymentRecordSearchParams> borrowed{.query = query};
  EXPECT_EQ(PaymentRecordSearchParams(borrowed).query, params.query);
  return params.query->str();
}

TEST(SearchQueries, AreAcceptedAsParametersInEveryForm) {
  EXPECT_EQ(asParameter(onText && onNumber), (onText && onNumber).str());
  EXPECT_EQ(asParameter(onText), onText.str());
  EXPECT_EQ(asParameter(SearchQuery<PaymentRecord>{"created>0"}), "created>0");
  EXPECT_EQ(asParameter("created>0"), "created>0");
  EXPECT_EQ(asParameter(std::string{"created>0"}), "created>0");
  EXPECT_EQ(asParameter(std::optional<std::string>{"created>0"}), "created>0");
}

}  // namespace
}  // namespace tally
