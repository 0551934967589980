#include <optional>
#include <string>

#include <tally/tally.h>
#include <tally/testing/result_matchers.h>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "failure.h"

namespace {

using namespace tally::testing;
using tally::Amount;
using tally::Effect;
using tally::Error;
using tally::ErrorKind;
using tally::RateLimitedReason;
using tally::Result;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::Ge;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const Error locked{{.kind = ErrorKind::lockTimeout,
                    .effect = Effect::none,
                    .status = 429,
                    .code = "lock_timeout",
                    .message = "In use.",
                    .param = "id",
                    .attemptCount = 3}};
const Error limited{
    {.kind = ErrorKind::rateLimited, .rateLimitedReason = tally::OpenEnum{RateLimitedReason::globalRate}}};
const Error lost{{.kind = ErrorKind::connection, .effect = Effect::unknown}};
const Result<Amount> failed{locked};
const Result<Amount> fiveEuros{Amount{"eur", 500}};
const std::string lockedLine =
    "lock timeout: In use. [status 429, code lock_timeout, param id, attempts 3, effect none]";

TEST(IsOk, DistinguishesValuesFromErrors) {
  EXPECT_THAT(fiveEuros, IsOk());
  EXPECT_THAT(failed, Not(IsOk()));
  EXPECT_THAT(locked, Not(IsOk()));
  EXPECT_THAT(std::optional<Error>{}, IsOk());
  EXPECT_THAT(std::optional{locked}, Not(IsOk()));
}

TEST(IsOk, ShowsTheErrorInAFailure) {
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(failed, IsOk()), "Expected: is ok\n  Actual: " + lockedLine);
  EXPECT_EQ(explanationOf(failed, IsOk()), "which is an error");
  EXPECT_EQ(descriptionOf<Result<Amount>>(Not(IsOk())), "is an error");
}

TEST(IsApplied, MatchesOnlyChecksOfAppliedReports) {
  using Check = tally::ReportCheck<Amount>;
  const Check check{.status = tally::ReportStatus::applied};
  const Check other{.status = tally::ReportStatus::notApplied};
  EXPECT_THAT(check, IsApplied());
  EXPECT_THAT(Result<Check>{check}, IsApplied());
  EXPECT_THAT(Result<Check>{other}, Not(IsApplied()));
  EXPECT_THAT(Result<Check>{locked}, Not(IsApplied()));
  EXPECT_EQ(explanationOf(Result<Check>{other}, IsApplied()), "whose status is not applied");
  EXPECT_EQ(explanationOf(Result<Check>{locked}, IsApplied()), "which is an error");
  EXPECT_EQ(descriptionOf<Check>(IsApplied()), "shows that the report is applied");
}

TEST(IsOkAnd, MatchesTheValue) {
  EXPECT_THAT(fiveEuros, IsOkAnd(Amount{"eur", 500}));
  EXPECT_THAT(fiveEuros, IsOkAnd(Field("value", &Amount::value, Ge(500))));
  EXPECT_THAT(fiveEuros, Not(IsOkAnd(Amount{"eur", 501})));
  EXPECT_THAT(failed, Not(IsOkAnd(testing::_)));
}

TEST(IsOkAnd, ExplainsMismatches) {
  const auto matcher = IsOkAnd(Field("value", &Amount::value, 501));
  EXPECT_EQ(explanationOf(failed, matcher), "which is an error");
  EXPECT_THAT(explanationOf(fiveEuros, matcher), StartsWith("whose field `value` is 500 (of type long"));
  EXPECT_EQ(descriptionOf<Result<Amount>>(matcher),
            "is ok, with a value that is an object whose field `value` is equal to 501");
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(fiveEuros, matcher), "Actual: 500 eur");
}

TEST(IsOkAnd, CanMatchTheElementsOfARange) {
  EXPECT_THAT((std::vector{fiveEuros, failed}), ElementsAre(IsOkAnd(Amount{"eur", 500}), HasError()));
}

TEST(HasError, DistinguishesErrorsFromValues) {
  EXPECT_THAT(failed, HasError());
  EXPECT_THAT(locked, HasError());
  EXPECT_THAT(std::optional{locked}, HasError());
  EXPECT_THAT(fiveEuros, Not(HasError()));
  EXPECT_THAT(std::optional<Error>{}, Not(HasError()));
}

TEST(HasError, AcceptsAKindAndOtherMatchers) {
  EXPECT_THAT(failed, HasError(ErrorKind::lockTimeout));
  EXPECT_THAT(failed, Not(HasError(ErrorKind::timeout)));
  EXPECT_THAT(failed, HasError(ErrorKind::lockTimeout, WithAttempts(Ge(2)), WithCode("lock_timeout")));
  EXPECT_THAT(failed, Not(HasError(ErrorKind::lockTimeout, WithAttempts(2))));
}

TEST(HasError, ComparesEachGivenPartOfAnError) {
  EXPECT_THAT(locked, HasError(WithKind(ErrorKind::lockTimeout), WithEffect(Effect::none), WithStatus(429),
                               WithCode(HasSubstr("lock")), WithMessage("In use."), WithParam("id"),
                               WithReason(""), WithAttempts(3)));
  EXPECT_THAT(limited, HasError(WithReason(RateLimitedReason::globalRate)));
  EXPECT_THAT(limited, HasError(WithReason("global-rate")));
  for (const auto& other : {WithKind(ErrorKind::timeout), WithEffect(Effect::unknown), WithStatus(400),
                            WithCode("lock"), WithMessage(""), WithParam("page"), WithReason("global-rate"),
                            WithReason(RateLimitedReason::globalRate), WithAttempts(1)})
    EXPECT_THAT(locked, Not(HasError(other)));
}

TEST(HasError, ExplainsMismatches) {
  EXPECT_EQ(explanationOf(fiveEuros, HasError(ErrorKind::timeout)), "which is not an error");
  EXPECT_EQ(explanationOf(lost, HasError(WithEffect(Effect::none))), "whose effect is unknown");
  EXPECT_EQ(explanationOf(failed, HasError(ErrorKind::lockTimeout, WithCode("x"))),
            R"(whose code is "lock_timeout")");
  EXPECT_EQ(descriptionOf<Error>(HasError(ErrorKind::timeout, WithStatus(Ge(500)))),
            "is an error (whose kind is equal to timeout) and (whose status is >= 500)");
  EXPECT_EQ(descriptionOf<Error>(Not(HasError(ErrorKind::timeout))),
            "is ok, or an error whose kind isn't equal to timeout");
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(failed, HasError(ErrorKind::timeout)),
                          "Expected: is an error whose kind is equal to timeout\n  Actual: " + lockedLine);
}

}  // namespace
