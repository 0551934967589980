#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <tally/client.h>
#include <tally/payment_records.h>

#include <gtest/gtest.h>

#include "fake/support/requests.h"

// Objects that a test puts into the store: what it says stays, the rest follows, and what contradicts itself
// is refused by name.

namespace tally::test {

namespace {

class Seeding : public testing::Test {
 protected:
  using Edit = std::function<void(PaymentRecord&)>;

  PaymentRecord seeded(const Edit& edit, std::string_view state = {}) {
    return one.service.seed<PaymentRecord>(one.key, edit, state);
  }
  PaymentRecord seededBy(std::string_view fields, std::string_view state = {}) {
    const std::string json = one.service.seed(one.key, "payment_record", fields, state);
    const std::string id = text(boost::json::parse(json).at("id"));
    return Client{one.service.clientOptions(one.key)}.paymentRecords().retrieve(id).value();
  }

  std::string stateOf(const PaymentRecord& record) {
    return one.service.stateOf(one.key, record.id.str()).value_or("none");
  }

  template <class Action>
  static std::string problem(const Action& action) {
    try {
      (void)action();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "none";
  }

  static void isInEuros(PaymentRecord& record) { record.amountRequested = {"eur", 250}; }

  OneAccount one{};
};

TEST_F(Seeding, PutsAnObjectIntoTheStateThatIsRequested) {
  const auto failed = seeded(isInEuros, "failed");
  EXPECT_EQ(stateOf(failed), "failed");
  EXPECT_EQ(failed.amountFailed, (Amount{"eur", 250}));
  EXPECT_EQ(failed.amountGuaranteed, (Amount{"eur", 0}));
  EXPECT_EQ(seededBy("{}", "canceled").amountCanceled, (Amount{"usd", 1000}));
  EXPECT_EQ(stateOf(seeded({}, "unreported")), "unreported");
  EXPECT_EQ(stateOf(seeded({})), "unreported");
}

TEST_F(Seeding, InAStateIsAsAReportWouldHaveLeftIt) {
  const Client client{one.service.clientOptions(one.key)};
  auto reported = client.paymentRecords()
                      .reportGuaranteed(seeded(isInEuros).id, {.guaranteedAt = std::chrono::sys_seconds{}})
                      .value();
  const auto made = seeded(isInEuros, "guaranteed");
  reported.id = made.id;
  reported.latestPaymentAttemptRecord = made.latestPaymentAttemptRecord;
  EXPECT_EQ(made, reported);
  EXPECT_EQ(
      client.paymentRecords().reportFailed(made.id, {.failedAt = std::chrono::sys_seconds{}}).error().code(),
      "payment_attempt_already_guaranteed");
}

TEST_F(Seeding, TellsTheStateByWhatTheObjectShows) {
  EXPECT_EQ(stateOf(seeded([](PaymentRecord& r) { r.amountGuaranteed = r.amountRequested; })), "guaranteed");
  EXPECT_EQ(stateOf(seeded([](PaymentRecord& r) {
              isInEuros(r);
              r.amountFailed.value = 250;
            })),
            "failed");
  EXPECT_EQ(stateOf(seededBy(R"({"amount_canceled":{"value":1000}})")), "canceled");
  EXPECT_EQ(stateOf(seeded([](PaymentRecord& r) { r.amountRequested.value = 0; })), "unreported");
}

TEST_F(Seeding, KeepsWhatIsSaid) {
  const auto refunded = seeded([](PaymentRecord& r) {
    isInEuros(r);
    r.amountRefunded = {"usd", 5};
  });
  EXPECT_EQ(refunded.amountRefunded, (Amount{"usd", 5}));
  EXPECT_EQ(refunded.amountFailed, (Amount{"eur", 0}));
  EXPECT_EQ(seededBy(R"({"amount_requested":{"currency":"eur"},"amount_refunded":{"currency":"usd"}})")
                .amountRefunded,
            (Amount{"usd", 0}))
      << "although the example says so too";
  const auto partly = seeded([](PaymentRecord& r) {
    isInEuros(r);
    r.amountRefunded.value = 5;
  });
  EXPECT_EQ(partly.amountRefunded, (Amount{"eur", 5})) << "what is left follows";
  EXPECT_EQ(seeded([](PaymentRecord& r) { r.amountRefunded.value = 7; }, "guaranteed").amountRefunded.value,
            7);
}

TEST_F(Seeding, IsInTheModeOfTheKeyWhateverIsSaid) {
  EXPECT_FALSE(seeded([](PaymentRecord& r) { r.livemode = true; }).livemode);
}

TEST_F(Seeding, RefusesWhatContradictsTheState) {
  EXPECT_EQ(problem([&] { return seeded([](PaymentRecord& r) { r.amountFailed.value = 7; }, "failed"); }),
            "'amount_failed.value' contradicts the state 'failed' of a payment record");
  EXPECT_EQ(
      problem([&] { return seeded([](PaymentRecord& r) { r.amountFailed.value = 1000; }, "guaranteed"); }),
      "'amount_failed.value' contradicts the state 'guaranteed' of a payment record");
  EXPECT_EQ(
      problem([&] { return seeded([](PaymentRecord& r) { r.amountCanceled.value = 1000; }, "unreported"); }),
      "'amount_canceled.value' contradicts the state 'unreported' of a payment record");
  EXPECT_EQ(problem([&] { return seededBy(R"({"amount_guaranteed":{"value":0}})", "guaranteed"); }),
            "'amount_guaranteed.value' contradicts the state 'guaranteed' of a payment record")
      << "said, although the example says so too";
  EXPECT_EQ(problem([&] {
              return seeded(
                  [](PaymentRecord& r) {
                    isInEuros(r);
                    r.amountFailed.currency = "usd";
                  },
                  "failed");
            }),
            "'amount_failed.currency' contradicts the state 'failed' of a payment record");
}

TEST_F(Seeding, RefusesWhatGoesWithNoState) {
  EXPECT_EQ(problem([&] { return seeded([](PaymentRecord& r) { r.amountGuaranteed.value = 999; }); }),
            "'amount_guaranteed.value' matches no state of a payment record");
  EXPECT_EQ(
      problem([&] {
        return seeded([](PaymentRecord& r) { r.amountGuaranteed = r.amountFailed = r.amountRequested; });
      }),
      "'amount_failed.value' matches no state of a payment record");
}

TEST_F(Seeding, RefusesStatesThatDoNotExist) {
  EXPECT_EQ(problem([&] { return seeded({}, "lost"); }),
            "a payment record has no state 'lost'; there are unreported, canceled, failed, guaranteed");
  EXPECT_EQ(problem([&] { return one.service.seed(one.key, "payout", "{}", "paid"); }),
            "a payout has no state 'paid'");
}

/// Keys and identifiers are drawn from one sequence, so a key of a service of the same seed tells what its
/// next account would be called.
TEST_F(Seeding, OfAnAccountLeavesItsIdentifierToIt) {
  fake::Service same{};
  (void)same.addAccount();
  const std::string key = same.addAccount().sandboxKey;
  fake::Service service{};
  const std::string id = "acct_" + key.substr(std::string_view{"sk_test_"}.size());
  (void)service.seed(service.addAccount().sandboxKey, "account", R"({"id":")" + id + R"("})");
  EXPECT_NE(service.addAccount().id, id);
}

TEST_F(Seeding, LeavesNothingBehindWhereItRefuses) {
  (void)problem([&] { return seeded({}, "lost"); });
  EXPECT_TRUE(idsOf(bodyOf(one.get("/v1/payment_records"))).empty());
}

}  // namespace

}  // namespace tally::test
