#include "redact/secret_text.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tally::detail {
namespace {

std::string redactedText(std::string_view text, std::initializer_list<const char*> secrets = {}) {
  SecretTexts texts;
  for (const char* const secret : secrets)
    texts.add(secret);
  return texts.redact(text);
}

TEST(SecretNames, AreRecognizedInAnySpelling) {
  const SecretNames names{{"Nick_name"}};
  for (const char* const name :
       {"api_key", "apiKey", "API-Key", "key", "number", "card[number]", "a[b][cvc]", "client_secret",
        "accessToken", "password", "new_password", "nickname", "metadata[nick-name]", "expand[][key]"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(SecretNames, IncludeKeysPasswordsCardsAndBankAccounts) {
  const SecretNames names{{"x"}};
  for (const char* const name : {"Authorization", "PIN",         "pan",        "cvv",
                                 "CVC2",          "cvv_2",       "exp_month",  "expYear",
                                 "expiry",        "track-data",  "IBAN",       "account_number",
                                 "sort_code",     "Cookie",      "bic",        "routing_number",
                                 "security_code", "Signature",   "db_passwd",  "my_api_key",
                                 "accessKey",     "PRIVATE_KEY", "cardNumber", "credential",
                                 "credentials",   "X",           "x_",         "a[X-]"})
    EXPECT_TRUE(names.contains(name)) << name;
}

/// The same name, in another spelling.
std::string respelled(std::string_view name) {
  std::string spelled;
  for (const char c : name) {
    spelled += *rc::gen::element(std::string{}, std::string{"_"}, std::string{"-"});
    const bool isLower = c >= 'a' && c <= 'z';
    spelled += isLower && *rc::gen::arbitrary<bool>() ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return spelled + *rc::gen::element(std::string{}, std::string{"__"});
}

RC_GTEST_PROP(SecretNames, AreDistinguishedFromOrdinaryNamesInAnySpelling, ()) {
  const SecretNames names{{"nickname", "x"}};
  const std::string secret =
      *rc::gen::element<std::string>("key", "number", "cvc2", "expmonth", "routingnumber", "ahiddensecret",
                                     "sometoken", "mycardnumber", "x");
  const std::string ordinary = *rc::gen::element<std::string>("id", "currency", "numberofitems", "keyring",
                                                              "tokens", "xx", "secretly");
  RC_ASSERT(names.contains(respelled(secret)));
  RC_ASSERT(!names.contains(respelled(ordinary)));
}

TEST(SecretNames, DoNotIncludeOrdinaryNames) {
  const SecretNames names{{}};
  for (const char* const name : {"id", "amount", "metadata", "metadata[order]", "number_of_items", "keyring",
                                 "description", "", "[]", "livemode", "page", "payment_reference"})
    EXPECT_FALSE(names.contains(name)) << name;
}

TEST(SecretTexts, AreReplacedWhereverTheyAppear) {
  EXPECT_EQ(redactedText("tok1 and xtok1y", {"tok1"}), "[redacted] and x[redacted]y");
  EXPECT_EQ(redactedText("abcdef abc", {"abc", "abcdef"}), "[redacted] [redacted]") << "the longest first";
  EXPECT_EQ(redactedText("?t=a%2Fb%3D%3D", {"a/b=="}), "?t=[redacted]") << "percent-encoded";
  EXPECT_EQ(redactedText("t=my+secret", {"my secret"}), "t=[redacted]") << "as in a form";
  EXPECT_EQ(redactedText("tok1", {"red", "tok1"}), "[redacted]") << "not within a replacement";
  EXPECT_EQ(redactedText("a1b", {"1", ""}), "a1b") << "too short to be told from other text";
}

/// The search for each of them would take hours.
TEST(SecretTexts, ReplaceEverythingIfThereAreTooMany) {
  SecretTexts texts;
  for (int n = 0; n < 100'000; ++n)
    texts.add("secret" + std::to_string(n));
  EXPECT_EQ(texts.redact("secret7"), "[redacted]");
  EXPECT_EQ(texts.redact("secret99999"), "[redacted]");
  EXPECT_EQ(texts.redact("harmless"), "[redacted]") << "it may contain a secret that was not kept";
  EXPECT_EQ(texts.redact(""), "");
}

TEST(SecretTexts, AreFoundInLinearTime) {
  constexpr std::size_t size = 1'000'000;
  std::string digits;
  while (digits.size() < size)
    digits += "1 ";
  EXPECT_EQ(redactedText(digits), digits);
  const std::string spaces(size, ' ');
  EXPECT_EQ(redactedText(spaces + "!", {spaces.c_str()}), "[redacted]!");
}

TEST(SecretTexts, IncludeKeysAndCredentials) {
  EXPECT_EQ(redactedText("no such key: sk_live_Ab1_2."), "no such key: [redacted].");
  EXPECT_EQ(redactedText("(SK_test_1,rk_live_2) whsec_3"), "([redacted],[redacted]) [redacted]");
  EXPECT_EQ(redactedText("sk_ desk_1 risk_2"), "sk_ desk_1 risk_2");
  EXPECT_EQ(redactedText("authorization: bearer a.b-c/d==, next"), "authorization: bearer [redacted], next");
  EXPECT_EQ(redactedText("Basic dXNlcjpwYXNz"), "Basic [redacted]");
}

TEST(SecretTexts, IncludeCardNumbers) {
  for (const char* const number : {"4242424242424242", "4242 4242 4242 4242", "3782-822463-10005",
                                   "4222222222222", "6304000000000000000"})
    EXPECT_EQ(redactedText("card " + std::string{number} + "!"), "card [redacted]!") << number;
}

TEST(SecretTexts, DoNotIncludeDigitsOtherThanCardNumbers) {
  for (const char* const digits : {"4242424242424241", "424242424242", "1767225600", "42424242424242424242",
                                   "x4242424242424242", "4242424242424242x", "4242  4242  4242  4242"})
    EXPECT_EQ(redactedText(digits), digits);
}

}  // namespace
}  // namespace tally::detail
