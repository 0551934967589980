#include <string>

#include <tally/fake/service.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/support/requests.h"

namespace tally::test {

namespace {

using testing::HasSubstr;

const std::string payouts = "/v1/payouts";

/// Requests whose parts are right, but in the wrong place or notation.
class MisdirectedRequest : public testing::Test {
 protected:
  HttpResponse list(const std::string& body = {}) {
    HttpRequest request = get(one.key, payouts);
    request.body = body;
    return one.service.handle(request);
  }

  OneAccount one{};
};

TEST_F(MisdirectedRequest, IsRefusedIfItNamesItsAccountInTheHeaderOfAnotherService) {
  const fake::Account shop = one.service.addAccount();
  one.service.connections().connect(one.account, shop);
  HttpRequest create = post(one.key, payouts, "amount=5&currency=eur");
  create.headers.push_back({"Stripe-Account", shop.id});
  const HttpResponse refused = one.service.handle(create);
  EXPECT_EQ(errorOf(refused), "400 parameter_invalid Stripe-Account");
  EXPECT_EQ(
      messageOf(refused),
      "the header 'Stripe-Account' names an account, but this service expects it in 'Service-Account'.");
  EXPECT_TRUE(idsOf(bodyOf(list())).empty());
  create.headers.push_back({"Service-Account", shop.id});
  EXPECT_EQ(one.service.handle(create).status, 200) << "with both headers";
}

TEST_F(MisdirectedRequest, LearnsThatItsParametersBelongInTheBody) {
  const HttpResponse refused = one.post(payouts + "?amount=5&currency=eur");
  EXPECT_EQ(errorOf(refused), "400 parameter_unknown amount");
  EXPECT_EQ(messageOf(refused), "The parameter 'amount' belongs in the body of the request.");
  EXPECT_EQ(messageOf(one.post(payouts + "?metadata[a]=b")),
            "The parameter 'metadata[a]' belongs in the body of the request.");
  EXPECT_EQ(messageOf(one.post(payouts + "?amout=5")), "This operation has no parameter 'amout'.");
}

TEST_F(MisdirectedRequest, LearnsThatItsParametersBelongInTheQuery) {
  EXPECT_EQ(errorOf(list("limit=3")), "400 parameter_unknown limit");
  EXPECT_EQ(messageOf(list("limit=3")), "The parameter 'limit' belongs in the query of the request.");
  EXPECT_EQ(messageOf(list("limits=3")), "This operation has no parameter 'limits'.");
  EXPECT_EQ(messageOf(list(R"({"limit":3})")),
            "the body is JSON, but a GET takes its parameters in the query.");
}

TEST_F(MisdirectedRequest, LearnsThatItsJsonShouldBeAForm) {
  HttpRequest create = post(one.key, payouts, R"({"amount":5,"currency":"eur"})");
  const std::string expected =
      "the body is JSON, but this operation takes a form, application/x-www-form-urlencoded.";
  EXPECT_EQ(messageOf(one.service.handle(create)), expected) << "as curl sends it";
  create.headers.pop_back();
  EXPECT_EQ(messageOf(one.service.handle(create)), expected) << "without Content-Type";
  create.body.insert(0, "\r\n\t ");
  EXPECT_EQ(messageOf(one.service.handle(create)), expected) << "after white space";
  create.body = "{amount=5";
  EXPECT_THAT(messageOf(one.service.handle(create)), HasSubstr("no parameter '{amount'"));
}

}  // namespace

}  // namespace tally::test
