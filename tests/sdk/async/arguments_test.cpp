#include <chrono>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <tally/async_payment_records.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// Arguments of asynchronous calls refer to what the caller passes; own() copies it.

namespace tally {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

// g++ 12 would destroy these twice in a `co_await`.
static_assert(!std::is_convertible_v<PaymentRecordReport, PaymentRecordReportArgs>);
static_assert(!std::is_constructible_v<PaymentRecordReportArgs, PaymentRecordReport>);
static_assert(!std::is_convertible_v<PaymentRecordReportFailedParams, PaymentRecordReportArgs>);
static_assert(!std::is_constructible_v<PaymentRecordReportArgs, PaymentRecordReportFailedParams>);
static_assert(std::is_convertible_v<const PaymentRecordReport&, PaymentRecordReportArgs>);
static_assert(std::is_convertible_v<PaymentRecordReportFailedArgs, PaymentRecordReportArgs>);

TEST(Arguments, OwnTexts) {
  const std::vector<std::string> many{"1", "2", "3", "4", "5"};
  EXPECT_THAT(detail::own(TextsArg{}), IsEmpty());
  EXPECT_THAT(detail::own(TextsArg{"a"}), ElementsAre("a"));
  EXPECT_THAT(detail::own(TextsArg{"a", "b"}), ElementsAre("a", "b"));
  EXPECT_EQ(detail::own(TextsArg{many}), many);
}

TEST(Arguments, OwnEnumeratorsAndUnknownValues) {
  using Arg = OpenEnumArg<PaymentRecordCustomerPresence>;
  const OpenEnum<PaymentRecordCustomerPresence> unknown{"by_post"};
  EXPECT_THAT(detail::own(std::optional<Arg>{PaymentRecordCustomerPresence::onSession}),
              Optional(OpenEnum{PaymentRecordCustomerPresence::onSession}));
  EXPECT_THAT(detail::own(std::optional<Arg>{unknown}), Optional(unknown));
  EXPECT_EQ(detail::own(std::optional<Arg>{}), std::nullopt);
}

TEST(Arguments, OwnTheTargetsOfPointers) {
  const Amount amount{.currency = "usd", .value = 3};
  const std::vector<Amount> amounts{amount, amount};
  EXPECT_THAT(detail::own(&amount), Optional(amount));
  EXPECT_EQ(detail::own(static_cast<const Amount*>(nullptr)), std::nullopt);
  EXPECT_EQ(detail::own(&amounts), amounts);
  EXPECT_THAT(detail::own(static_cast<const std::vector<Amount>*>(nullptr)), IsEmpty());
}

TEST(Arguments, OwnMapsOfMetadata) {
  const Metadata pairs{{"order", "42"}, {"till", "7"}};
  EXPECT_EQ(detail::own(MetadataArg{pairs}), (MetadataEdit{{"order", "42"}, {"till", "7"}}));
}

TEST(Arguments, AcceptAnyTime) {
  const std::chrono::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds{1'999}};
  const PaymentRecordReportFailedArgs arguments{.failedAt = time};
  EXPECT_EQ(detail::own(arguments.failedAt), Timestamp{std::chrono::seconds{1}});
}

TEST(Arguments, OwnAnyReport) {
  const auto paramsOf = [](const auto&) {
    PaymentRecordReportFailedParams params;
    params.metadata.set("made", "by own");
    return params;
  };
  const auto editOf = [](const PaymentRecordReport& report) {
    return std::get<PaymentRecordReportFailedParams>(report).metadata;
  };
  const PaymentRecordReportArgs arguments = PaymentRecordReportFailedArgs{};
  EXPECT_EQ(editOf(arguments.report(paramsOf)), (MetadataEdit{{"made", "by own"}}));

  const PaymentRecordReport whole{PaymentRecordReportFailedParams{.metadata = {{"made", "before"}}}};
  EXPECT_EQ(editOf(PaymentRecordReportArgs{whole}.report(paramsOf)), (MetadataEdit{{"made", "before"}}));
}

}  // namespace

}  // namespace tally
