#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <tally/client.h>
#include <tally/payment_records.h>

#include <gtest/gtest.h>

#include "fake/support/requests.h"

// Objects that a test inserts: given fields are kept, the others are derived, and contradictions are refused
// by name.

namespace tally::test {

namespace {

class Insertion : public testing::Test {
 protected:
  using Edit = std::function<void(PaymentRecord&)>;

  PaymentRecord inserted(const Edit& edit, std::string_view state = {}) {
    return one.service.insert<PaymentRecord>(one.key, edit, state);
  }
  PaymentRecord insertedBy(std::string_view fields, std::string_view state = {}) {
    const std::string json = one.service.insert(one.key, "payment_record", fields, state);
    const std::string id = text(boost::json::parse(json).at("id"));
    return Client{one.service.clientOptions(one.key)}.paymentRecords().retrieve(id).value();
  }

  std::string stateOf(const PaymentRecord& record) {
    return one.service.objects().stateOf(one.key, record.id.str()).value_or("none");
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

TEST_F(Insertion, PutsAnObjectIntoTheRequestedState) {
  const auto failed = inserted(isInEuros, "failed");
  EXPECT_EQ(stateOf(failed), "failed");
  EXPECT_EQ(failed.amountFailed, (Amount{"eur", 250}));
  EXPECT_EQ(failed.amountGuaranteed, (Amount{"eur", 0}));
  EXPECT_EQ(insertedBy("{}", "canceled").amountCanceled, (Amount{"usd", 1000}));
  EXPECT_EQ(stateOf(inserted({}, "unreported")), "unreported");
  EXPECT_EQ(stateOf(inserted({})), "unreported");
}

TEST_F(Insertion, ProducesTheSameObjectAsAReportWhenAStateIsGiven) {
  const Client client{one.service.clientOptions(one.key)};
  auto reported = client.paymentRecords()
                      .reportGuaranteed(inserted(isInEuros).id, {.guaranteedAt = std::chrono::sys_seconds{}})
                      .value();
  const auto made = inserted(isInEuros, "guaranteed");
  reported.id = made.id;
  reported.latestPaymentAttemptRecord = made.latestPaymentAttemptRecord;
  EXPECT_EQ(made, reported);
  EXPECT_EQ(
      client.paymentRecords().reportFailed(made.id, {.failedAt = std::chrono::sys_seconds{}}).error().code(),
      "payment_attempt_already_guaranteed");
}

/// No form could set or unset them.
TEST_F(Insertion, RefusesMetadataKeysThatNoRequestCanContain) {
  EXPECT_EQ(problem([&] { return inserted([](PaymentRecord& r) { r.metadata = {{"a[b]", "1"}}; }); }),
            "'metadata[a[b]]' of the payment record is invalid: a metadata key can't contain '[' or ']'");
  EXPECT_EQ(problem([&] { return insertedBy(R"({"metadata":{"":"1"}})"); }),
            "'metadata[]' of the payment record is invalid: a metadata key can't be empty");
}

TEST_F(Insertion, DerivesTheStateFromTheObject) {
  EXPECT_EQ(stateOf(inserted([](PaymentRecord& r) { r.amountGuaranteed = r.amountRequested; })),
            "guaranteed");
  EXPECT_EQ(stateOf(inserted([](PaymentRecord& r) {
              isInEuros(r);
              r.amountFailed.value = 250;
            })),
            "failed");
  EXPECT_EQ(stateOf(insertedBy(R"({"amount_canceled":{"value":1000}})")), "canceled");
  EXPECT_EQ(stateOf(inserted([](PaymentRecord& r) { r.amountRequested.value = 0; })), "unreported");
}

TEST_F(Insertion, KeepsTheGivenFields) {
  const auto refunded = inserted([](PaymentRecord& r) {
    isInEuros(r);
    r.amountRefunded = {"usd", 5};
  });
  EXPECT_EQ(refunded.amountRefunded, (Amount{"usd", 5}));
  EXPECT_EQ(refunded.amountFailed, (Amount{"eur", 0}));
  EXPECT_EQ(insertedBy(R"({"amount_requested":{"currency":"eur"},"amount_refunded":{"currency":"usd"}})")
                .amountRefunded,
            (Amount{"usd", 0}))
      << "although the example has the same value";
  const auto partly = inserted([](PaymentRecord& r) {
    isInEuros(r);
    r.amountRefunded.value = 5;
  });
  EXPECT_EQ(partly.amountRefunded, (Amount{"eur", 5})) << "the rest is derived";
  EXPECT_EQ(inserted([](PaymentRecord& r) { r.amountRefunded.value = 7; }, "guaranteed").amountRefunded.value,
            7);
}

TEST_F(Insertion, UsesTheModeOfTheGivenKey) {
  EXPECT_FALSE(inserted([](PaymentRecord& r) { r.livemode = true; }).livemode);
}

TEST_F(Insertion, RefusesFieldsThatContradictTheState) {
  EXPECT_EQ(problem([&] { return inserted([](PaymentRecord& r) { r.amountFailed.value = 7; }, "failed"); }),
            "'amount_failed.value' contradicts the state 'failed' of a payment record");
  EXPECT_EQ(
      problem([&] { return inserted([](PaymentRecord& r) { r.amountFailed.value = 1000; }, "guaranteed"); }),
      "'amount_failed.value' contradicts the state 'guaranteed' of a payment record");
  EXPECT_EQ(problem([&] {
              return inserted([](PaymentRecord& r) { r.amountCanceled.value = 1000; }, "unreported");
            }),
            "'amount_canceled.value' contradicts the state 'unreported' of a payment record");
  EXPECT_EQ(problem([&] { return insertedBy(R"({"amount_guaranteed":{"value":0}})", "guaranteed"); }),
            "'amount_guaranteed.value' contradicts the state 'guaranteed' of a payment record")
      << "given explicitly, although the example has the same value";
  EXPECT_EQ(problem([&] {
              return inserted(
                  [](PaymentRecord& r) {
                    isInEuros(r);
                    r.amountFailed.currency = "usd";
                  },
                  "failed");
            }),
            "'amount_failed.currency' contradicts the state 'failed' of a payment record");
}

TEST_F(Insertion, RefusesFieldsThatMatchNoState) {
  EXPECT_EQ(problem([&] { return inserted([](PaymentRecord& r) { r.amountGuaranteed.value = 999; }); }),
            "'amount_guaranteed.value' fits no state of a payment record");
  EXPECT_EQ(
      problem([&] {
        return inserted([](PaymentRecord& r) { r.amountGuaranteed = r.amountFailed = r.amountRequested; });
      }),
      "'amount_failed.value' fits no state of a payment record");
}

TEST_F(Insertion, RefusesUnknownStates) {
  EXPECT_EQ(problem([&] { return inserted({}, "lost"); }),
            "a payment record has no state 'lost'; expected one of unreported, canceled, failed, guaranteed");
  EXPECT_EQ(problem([&] { return one.service.insert(one.key, "payout", "{}", "paid"); }),
            "a payout has no state 'paid'");
  EXPECT_EQ(problem([&] { return one.service.insert(one.key, "invoice", "{}", "paid"); }),
            "an invoice has no state 'paid'");
  EXPECT_EQ(problem([&] { return one.service.insert(one.key, "account", R"({"name":"a"})"); }),
            "an account has no field 'name'");
}

/// Keys and identifiers come from one random sequence, so a key of a service with the same seed predicts the
/// next account identifier.
TEST_F(Insertion, ReservesTheIdentifierOfAnInsertedAccount) {
  fake::Service same{};
  (void)same.addAccount();
  const std::string key = same.addAccount().sandboxKey;
  fake::Service service{};
  const std::string id = "acct_" + key.substr(std::string_view{"sk_test_"}.size());
  (void)service.insert(service.addAccount().sandboxKey, "account", R"({"id":")" + id + R"("})");
  EXPECT_NE(service.addAccount().id, id);
}

TEST_F(Insertion, ChangesNothingWhenItIsRefused) {
  (void)problem([&] { return inserted({}, "lost"); });
  EXPECT_TRUE(idsOf(bodyOf(one.get("/v1/payment_records"))).empty());
}

}  // namespace

}  // namespace tally::test
