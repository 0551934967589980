// The constructor of Outbox refuses options with which a worker would own a domain but send nothing.

#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>

#include <tally/outbox.h>
#include <tally/outbox_share.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// Why the constructor refuses valid options after a change; empty if it accepts them.
std::string problemOf(const std::function<void(OutboxOptions&)>& change) {
  OutboxOptions options;
  options.domains = {
      {.name = "shop",
       .client = {.apiKey = "sk_test_1", .baseUrl = "https://api.example.com", .timeout = 5s}}};
  change(options);
  try {
    const Outbox outbox{"postgresql:///none", options};
    return {};
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
}

std::string problemOfDomain(const std::function<void(OutboxDomain&)>& change) {
  return problemOf([&](OutboxOptions& options) { change(options.domains[0]); });
}

constexpr const char* inDomain = "OutboxOptions::domains, shop: ";

/// libpq would take such a text for the name of a database on this machine. A password is not repeated.
TEST(OutboxConstructor, RefusesAUrlOfAnotherDatabase) {
  for (const char* const url : {"mysql://host/shop", "postgress://user:password@host/shop", "://"})
    EXPECT_THAT([&] { const Outbox outbox{url}; },
                testing::ThrowsMessage<std::invalid_argument>(
                    "the database must be postgresql://host/name, or sqlite: and the path of a file"));
  for (const char* const url : {"postgres://host/shop", "host=h dbname=postgres://", "sqlite://", "shop", ""})
    EXPECT_NO_THROW(const Outbox outbox{url}) << url;
}

/// The messages of libpq would contain a part of the password.
TEST(OutboxConstructor, RefusesAPasswordThatIsNotEncodedWithoutRepeatingIt) {
  for (const char* const url :
       {"postgresql://u:sec%zzret@h/db", "postgresql://u:sec@ret@h/db", "postgresql://u:sec/ret@h/db",
        "host=h password=sec ret", "u:secret@h/db", "host=h password='secret"}) {
    EXPECT_THAT([&] { const Outbox outbox{url}; },
                testing::ThrowsMessage<std::invalid_argument>(AllOf(HasSubstr("%25"), Not(HasSubstr("ret")))))
        << url;
    EXPECT_THROW((PostgresShare{url, "shop"}), std::invalid_argument) << url;
  }
  for (const char* const url :
       {"postgresql://u:sec%25ret@h1,h2:5433/db", "host=/run/a@b,@abstract port=5432,5433", "service=shop"})
    EXPECT_NO_THROW(const Outbox outbox{url}) << url;
}

TEST(OutboxConstructor, RefusesPacingThatNoPacerAccepts) {
  EXPECT_THAT(problemOfDomain([](OutboxDomain& domain) { domain.pacing.limits = {{"nope", 5}}; }),
              StartsWith(std::string{inDomain} + "unknown limit 'nope'"));
  EXPECT_EQ(problemOfDomain([](OutboxDomain& domain) { domain.pacing.shareLease = 1s; }),
            std::string{inDomain} + "PacerOptions::shareLease must be from 5 seconds to 10 minutes");
  EXPECT_EQ(problemOfDomain([](OutboxDomain& domain) { domain.pacing.limits = {{"global_rate", 5}}; }), "");
}

TEST(OutboxConstructor, RefusesAMarkerKeyThatMakesReportsInvalid) {
  EXPECT_EQ(problemOfDomain([](OutboxDomain& domain) { domain.markerKey = "tally[report]"; }),
            std::string{inDomain} + "markerKey must not contain '[' or ']'");
  EXPECT_EQ(problemOfDomain([](OutboxDomain& domain) { domain.markerKey.clear(); }), "");
}

TEST(OutboxConstructor, RefusesAClientWhoseCallsAllFail) {
  EXPECT_THAT(problemOfDomain([](OutboxDomain& domain) { domain.client.baseUrl.clear(); }),
              StartsWith(std::string{inDomain} + "baseUrl is missing"));
  EXPECT_THAT(problemOfDomain([](OutboxDomain& domain) { domain.client.apiKey = "sk_test_1\n"; }),
              StartsWith(std::string{inDomain} + "apiKey "));
  EXPECT_THAT(problemOfDomain([](OutboxDomain& domain) { domain.client.headers = {{"a b", "c"}}; }),
              StartsWith(std::string{inDomain} + "headers "));
  EXPECT_THAT(problemOfDomain([](OutboxDomain& domain) { domain.client.connectedAccount = "acct_1\n"; }),
              StartsWith(std::string{inDomain} + "connectedAccount "));
}

TEST(OutboxConstructor, RefusesADomainNameThatNoDatabaseCanStore) {
  EXPECT_EQ(problemOfDomain([](OutboxDomain& domain) { domain.name = std::string{"shop\0x", 6}; }),
            "OutboxDomain::name must not contain a NUL character");
  EXPECT_EQ(problemOfDomain([](OutboxDomain& domain) { domain.name = "caf\xE9"; }),
            "OutboxDomain::name must be UTF-8");
}

TEST(OutboxConstructor, RefusesAWindowThatIsOutOfRange) {
  const auto problemOfWindow = [](std::size_t window) {
    return problemOf([&](OutboxOptions& options) { options.window = window; });
  };
  EXPECT_EQ(problemOfWindow(1), "");
  EXPECT_EQ(problemOfWindow(1'000'000), "");
  for (const std::size_t window : {std::size_t{0}, std::size_t{1'000'001}})
    EXPECT_EQ(problemOfWindow(window), "OutboxOptions::window must be from 1 to 1,000,000");
}

TEST(OutboxConstructor, RefusesALeaseThatIsOutOfRange) {
  const auto problemOfLease = [](std::chrono::milliseconds lease) {
    return problemOf([&](OutboxOptions& options) {
      options.lease = lease;
      options.domains[0].client.timeout = 500ms;
    });
  };
  EXPECT_EQ(problemOfLease(1s), "");
  EXPECT_EQ(problemOfLease(1h), "");
  for (const std::chrono::milliseconds lease : {1s - 1ms, std::chrono::milliseconds{1h} + 1ms})
    EXPECT_EQ(problemOfLease(lease), "OutboxOptions::lease must be from 1 second to 1 hour");
}

TEST(OutboxConstructor, RefusesToHaveNoReportsInFlight) {
  const auto problemOfNumber = [](std::size_t maxInFlight) {
    return problemOf([&](OutboxOptions& options) { options.maxInFlight = maxInFlight; });
  };
  EXPECT_EQ(problemOfNumber(1), "");
  EXPECT_EQ(problemOfNumber(0), "OutboxOptions::maxInFlight must be at least 1");
}

}  // namespace
}  // namespace tally::test
