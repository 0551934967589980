#include "tables/refusal.h"

#include <gtest/gtest.h>

#include "errors.h"

namespace tally::fake::detail {

namespace {

TEST(ErrorBody, FillsInTheMessage) {
  EXPECT_EQ(errorBody(invalid("limit", "expected an integer")),
            R"({"error":{"type":"invalid_request_error","code":"parameter_invalid",)"
            R"("message":"The parameter 'limit' is invalid: expected an integer.","param":"limit"}})");
}

TEST(ErrorBody, HasAParamOnlyWhenAParameterIsBad) {
  EXPECT_EQ(errorBody({.response = &errors::resourceMissing, .value = "pr_1", .words = "payment record"}),
            R"({"error":{"type":"invalid_request_error","code":"resource_missing",)"
            R"("message":"There is no payment record 'pr_1'."}})");
}

TEST(ErrorBody, KeepsBracesThatAreNotPlaceholders) {
  const ErrorResponse odd{.name = "odd", .type = "t", .code = "c", .message = "a {b} and {"};
  EXPECT_EQ(errorBody({.response = &odd}), R"({"error":{"type":"t","code":"c","message":"a {b} and {"}})");
}

TEST(ErrorBody, IsValidJsonEvenIfItsInputIsNotUtf8) {
  const std::string body = errorBody({.response = &errors::parameterUnknown, .param = "a\"\xFF\n"});
  EXPECT_NE(body.find(R"("param":"a\"?\n")"), std::string::npos) << body;
  const ErrorResponse detailed{.name = "d", .type = "t", .code = "c", .message = "{detail}"};
  EXPECT_EQ(errorBody({.response = &detailed, .detail = "a\xFF"}),
            "{\"error\":{\"type\":\"t\",\"code\":\"c\",\"message\":\"a\uFFFD\"}}");
}

}  // namespace

}  // namespace tally::fake::detail
