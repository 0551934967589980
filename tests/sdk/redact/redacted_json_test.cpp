#include "redact/redacted_json.h"

#include <initializer_list>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tally::detail {

namespace {

bool mayHave(std::string_view json) {
  static const SecretNames names{{"note"}};
  return mayHaveSecretMember(json, names);
}

TEST(SecretMember, IsFoundAtAnyDepth) {
  EXPECT_TRUE(mayHave(R"({"cvc":1})"));
  EXPECT_TRUE(mayHave(R"({"a":[{"b":{"note" : 1}}]})"));
  EXPECT_TRUE(mayHave(R"({"a":1,"cvc":)")) << "although it is cut off";
}

TEST(SecretMember, IsFoundEvenIfItsNameIsEscaped) {
  EXPECT_TRUE(mayHave(R"({"cv\u0063":1})"));
}

TEST(SecretMember, IsFoundOnlyByItsName) {
  EXPECT_FALSE(mayHave(R"({"a":"cvc","b":["note"]})"));
  EXPECT_FALSE(mayHave(""));
  EXPECT_FALSE(mayHave(R"({"cvc)"));
}

/// What is found is at least what the parser finds.
RC_GTEST_PROP(SecretMember, IsNeverOverlooked, ()) {
  const auto any = [](std::initializer_list<const char*> texts) {
    return std::string{*rc::gen::elementOf(std::vector<const char*>{texts})};
  };
  std::string json = "[";
  for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
    json +=
        '{' + any({"", " "}) + any({R"("cvc")", R"("a")", R"("no\u0074e")", R"("note")"}) + any({":", " : "});
    json += any({"1", R"("cvc")", R"(["note"])", R"({"note":{}})", R"("\"cvc\":")", "null"}) + "},";
  }
  json += "1]";
  const SecretNames names{{"note"}};
  SecretTexts secrets;
  std::string out;
  RC_ASSERT(appendRedactedJson(out, json, names, secrets));
  if (out.find(redacted) != std::string::npos) RC_ASSERT(mayHave(json));
}

}  // namespace

}  // namespace tally::detail
