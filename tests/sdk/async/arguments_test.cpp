#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tally/async_payment_records.h>
#include <tally/stop_token.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// The members of borrowed parameters convert from and to those that own.

namespace tally {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

/// What the borrowed form of `value` becomes when it is owned again.
template <class T, class Value>
T ownedAgain(const Value& value) {
  const Borrowed<T> borrowed = value;
  static_assert(std::is_trivially_destructible_v<Borrowed<T>>);
  return borrowed;
}

TEST(BorrowedArguments, ConvertToOwnedStrings) {
  using Texts = std::vector<std::string>;
  const Texts many{"1", "2", "3", "4", "5", "6", "7", "8", "9"};
  EXPECT_THAT(Texts(Borrowed<Texts>{}), IsEmpty());
  EXPECT_THAT(Texts(Borrowed<Texts>{"1"}), ElementsAre("1"));
  EXPECT_THAT(Texts(Borrowed<Texts>{"1", "2"}), ElementsAre("1", "2"));
  EXPECT_THAT(Texts(Borrowed<Texts>{"1", "2", "3"}), ElementsAre("1", "2", "3"));
  EXPECT_THAT(Texts(Borrowed<Texts>{"1", "2", "3", "4"}), ElementsAre("1", "2", "3", "4"));
  EXPECT_THAT(Texts(Borrowed<Texts>{"1", "2", "3", "4", "5"}), ElementsAre("1", "2", "3", "4", "5"));
  EXPECT_THAT(Texts(Borrowed<Texts>{"1", "2", "3", "4", "5", "6"}),
              ElementsAre("1", "2", "3", "4", "5", "6"));
  EXPECT_THAT(Texts(Borrowed<Texts>{"1", "2", "3", "4", "5", "6", "7"}),
              ElementsAre("1", "2", "3", "4", "5", "6", "7"));
  EXPECT_THAT(Texts(Borrowed<Texts>{"1", "2", "3", "4", "5", "6", "7", "8"}),
              ElementsAre("1", "2", "3", "4", "5", "6", "7", "8"));
  EXPECT_EQ(ownedAgain<Texts>(many), many);
  EXPECT_EQ(ownedAgain<std::string>("a"), "a");
  EXPECT_EQ(ownedAgain<std::optional<std::string>>(std::optional<std::string>{}), std::nullopt);
}

TEST(BorrowedArguments, ConvertToOwnedEnumeratorsAndUnknownValues) {
  using Presence = OpenEnum<PaymentRecordCustomerPresence>;
  const Presence unknown{"by_post"};
  EXPECT_EQ(ownedAgain<Presence>(PaymentRecordCustomerPresence::onSession),
            PaymentRecordCustomerPresence::onSession);
  EXPECT_EQ(ownedAgain<Presence>(unknown), unknown);
  EXPECT_EQ(ownedAgain<std::optional<Presence>>(std::optional<Presence>{}), std::nullopt);
  EXPECT_THAT(ownedAgain<std::optional<Presence>>(std::optional{unknown}), Optional(unknown));
  static_assert(!std::is_convertible_v<std::string, Borrowed<Presence>>);
}

TEST(BorrowedArguments, ConvertToOwnedIdentifiers) {
  using Record = Id<PaymentRecord>;
  EXPECT_EQ(ownedAgain<Record>("pr_1"), "pr_1");
  EXPECT_EQ(ownedAgain<Record>(std::string{"pr_1"}), "pr_1");
  EXPECT_EQ(ownedAgain<Record>(Record{"pr_1"}), "pr_1");
  EXPECT_EQ(ownedAgain<Record>(static_cast<const char*>(nullptr)), "");
  EXPECT_THAT(ownedAgain<std::optional<Record>>(std::optional<Record>{"pr_1"}), Optional(Record{"pr_1"}));
}

TEST(BorrowedArguments, ConvertToOwnedObjectsAndListsOfObjects) {
  const Amount amount{.currency = "usd", .value = 3};
  const std::vector<Amount> amounts(20, amount);
  EXPECT_THAT(ownedAgain<std::optional<Amount>>(amount), Optional(amount));
  EXPECT_EQ(ownedAgain<std::optional<Amount>>(std::optional<Amount>{}), std::nullopt);
  EXPECT_EQ(ownedAgain<std::vector<Amount>>(amounts), amounts);
  EXPECT_THAT(ownedAgain<std::vector<Amount>>(std::vector<Amount>{}), IsEmpty());
  EXPECT_EQ(ownedAgain<RawJson>(RawJson{"[1]"}), RawJson{"[1]"});
}

TEST(BorrowedArguments, ConvertToOwnedMetadata) {
  const MetadataEdit both{{"order", "42"}, {"till", "7"}};
  EXPECT_EQ(MetadataEdit(Borrowed<MetadataEdit>{{"order", "42"}, {"till", "7"}}), both);
  EXPECT_EQ(ownedAgain<MetadataEdit>(both), both);
  EXPECT_EQ(ownedAgain<MetadataEdit>(Metadata{{"order", "42"}, {"till", "7"}}), both);
  EXPECT_EQ(ownedAgain<MetadataEdit>(std::map<std::string, std::string>{{"order", "42"}, {"till", "7"}}),
            both);
  EXPECT_EQ(ownedAgain<MetadataEdit>(MetadataEdit::unsetAll()), MetadataEdit::unsetAll());
  EXPECT_EQ(Metadata(Borrowed<Metadata>{{"order", "42"}}), (Metadata{{"order", "42"}}));
}

TEST(BorrowedArguments, ConvertTimesToWholeSeconds) {
  const std::chrono::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds{1'999}};
  const Borrowed<PaymentRecordReportFailedParams> borrowed{.failedAt = time};
  EXPECT_EQ(borrowed.failedAt, Timestamp{std::chrono::seconds{1}});
}

TEST(BorrowedArguments, ConvertToOwnedReportParameters) {
  const auto editOf = [](const PaymentRecordReport& report) {
    return std::get<PaymentRecordReportFailedParams>(report).metadata;
  };
  const PaymentRecordReportFailedParams failed{.metadata = {{"made", "before"}}};
  const PaymentRecordReport whole = failed;
  EXPECT_EQ(editOf(ownedAgain<PaymentRecordReport>(failed)), failed.metadata);
  EXPECT_EQ(editOf(ownedAgain<PaymentRecordReport>(whole)), failed.metadata);
  EXPECT_EQ(editOf(Borrowed<PaymentRecordReportFailedParams>{.metadata = {{"made", "before"}}}),
            failed.metadata);
}

TEST(BorrowedArguments, ConvertToOwnedRequestOptions) {
  StopSource source;
  std::vector<Attempt> attempts;
  const RequestOptions options{.apiKey = "sk_test_other",
                               .connectedAccount = "acct_1",
                               .timeout = std::chrono::seconds{1},
                               .maxNetworkRetries = 2,
                               .retryRateLimited = true,
                               .totalTimeout = std::chrono::seconds{3},
                               .deadline = Instant{std::chrono::seconds{4}},
                               .stop = source.get_token(),
                               .headers = {{"X-Trace", "5"}},
                               .extraParams = {{"tea", "6"}},
                               .attempts = &attempts};
  const auto owned = ownedAgain<RequestOptions>(options);
  EXPECT_EQ(testing::PrintToString(owned), testing::PrintToString(options));
  ASSERT_TRUE(owned.apiKey);
  EXPECT_EQ(owned.apiKey->reveal(), "sk_test_other");
  EXPECT_EQ(owned.stop, options.stop);
  EXPECT_EQ(owned.headers, options.headers);
  EXPECT_EQ(owned.extraParams, options.extraParams);
  EXPECT_EQ(owned.attempts, &attempts);
}

TEST(BorrowedArguments, ConvertToOwnedReportCheckOptions) {
  using Known = ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>;
  const Known known{.before = PaymentRecord{.id = "pr_1"}, .attempt = "par_1"};
  const auto owned = ownedAgain<Known>(known);
  EXPECT_EQ(owned.before, known.before);
  EXPECT_EQ(owned.attempt, known.attempt);
  EXPECT_EQ(ownedAgain<Known>(Known{.attempt = "par_1"}).before, std::nullopt);
}

// g++ 12 would destroy these twice in a `co_await`.
static_assert(!std::is_constructible_v<Borrowed<PaymentRecordReport>, PaymentRecordReport>);
static_assert(!std::is_constructible_v<Borrowed<PaymentRecordReport>, PaymentRecordReportFailedParams>);
static_assert(std::is_convertible_v<const PaymentRecordReport&, Borrowed<PaymentRecordReport>>);
static_assert(std::is_convertible_v<const PaymentRecordReportFailedParams&, Borrowed<PaymentRecordReport>>);

}  // namespace

}  // namespace tally
