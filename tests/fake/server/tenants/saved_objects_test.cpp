#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <tally/fake/saved_service.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/control_fixture.h"
#include "format/control_json.h"
#include "support/random_runs.h"

// Objects are saved and loaded as the service sends them, byte for byte. What could not be loaded again, it
// does not take.

namespace tally::fake::detail {

namespace {

namespace json = boost::json;

using test::messageOf;
using testing::HasSubstr;

/// Arrays in each other.
std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

std::string nestedObjects(std::size_t levels) {
  std::string text = "1.50";
  for (std::size_t n = 0; n < levels; ++n)
    text = R"({"a":)" + text + '}';
  return text;
}

std::string record(const std::string& details) {
  return R"({"id":"pr_1","customer_details":)" + details + '}';
}

/// A JSON value with numbers as they are rarely spelled, and names and texts that need escapes.
std::string anyValue(int levels) {
  static const std::vector<std::string> scalars{"1.10",
                                                "-0",
                                                "-0.0",
                                                "1e5",
                                                "1E+05",
                                                "0.1000000000000000055511151231257827",
                                                "12345678901234567890123456789",
                                                "1e-400",
                                                "18446744073709551616",
                                                "-9223372036854775809",
                                                "100",
                                                "true",
                                                "false",
                                                "null",
                                                "\"\"",
                                                R"("a\"b")",
                                                R"("\u0000\u00fc/")",
                                                "1.0",
                                                "5e-324",
                                                "1.7976931348623157e308"};
  const auto kind = *rc::gen::inRange(0, levels == 0 ? 1 : 4);
  if (kind < 2) return scalars[*rc::gen::inRange<std::size_t>(0, scalars.size())];
  std::string text;
  const int size = *rc::gen::inRange(0, 4);
  for (int n = 0; n < size; ++n) {
    if (!text.empty()) text += ',';
    if (kind == 2) text += (n % 2 == 0 ? R"("a \" )" : R"("ü)") + std::to_string(n) + "\":";
    text += anyValue(levels - 1);
    if (*rc::gen::inRange(0, 3) == 0) text += " \n";
  }
  return kind == 2 ? '{' + text + '}' : "[ " + text + ']';
}

class SavedObjects : public ControlTest {
 protected:
  /// Why the control API refuses the record; empty if it does not.
  std::string insertion(const std::string& fields) {
    const HttpResponse response =
        post("/_fake/records", R"({"resource":"payment_record","fields":)" + fields + '}');
    return response.status == 200 ? "" : messageOf(response);
  }
  std::string calling(const std::string& fields) {
    try {
      (void)first.service.insert(key, "payment_record", fields);
      return {};
    } catch (const std::invalid_argument& problem) {
      return problem.what();
    }
  }
  std::string editing(const std::string& details) {
    try {
      (void)first.service.insert<PaymentRecord>(
          key, [&](PaymentRecord& made) { made.customerDetails = RawJson{details}; });
      return {};
    } catch (const std::invalid_argument& problem) {
      return problem.what();
    }
  }
  /// What a client and the control API read, and what is saved.
  std::vector<std::string> seen(Service& service) {
    std::vector<std::string> all{exportJson(service)};
    for (const std::string path : {"", "/pr_1", "/search?query=customer_details:null"})
      all.push_back(service.handle(test::get(key, records + path)).body);
    return all;
  }
  void expectUnchangedByLoading() {
    first.service.clock()->advance(std::chrono::seconds{1});
    const HttpResponse exported = get("/_fake/export");
    ASSERT_EQ(exported.status, 200) << exported.body;
    ASSERT_EQ(exported.body, exportJson(first.service));
    Service restored = importJson(exported.body);
    EXPECT_EQ(seen(restored), seen(first.service));
  }
};

TEST_F(SavedObjects, KeepTheirNumbersAsWritten) {
  for (const std::string number :
       {"1.10", "-0", "1E+05", "12345678901234567890123456789", "0.1000000000000000055511151231257827"}) {
    SCOPED_TRACE(number);
    (void)post("/_fake/reset");
    ASSERT_EQ(insertion(record(R"({"n":)" + number + "}")), "");
    EXPECT_THAT(get(records + "/pr_1").body, HasSubstr(R"("customer_details":{"n":)" + number + '}'));
    EXPECT_THAT(get("/_fake/objects/pr_1").body, HasSubstr(R"("customer_details":{"n":)" + number + '}'));
    expectUnchangedByLoading();
  }
}

TEST_F(SavedObjects, AreSentUnchangedAfterTheyAreLoaded) {
  test::holdsInRuns(150, [this] {
    (void)post("/_fake/reset");
    const std::string value = anyValue(4);
    RC_ASSERT(insertion(record(value)) == "");
    RC_ASSERT(editing(anyValue(3)) == "");
    RC_ASSERT(calling(R"({"shipping_details":)" + anyValue(3) + '}') == "");
    if (*rc::gen::arbitrary<bool>())
      (void)postForm(records + "/pr_1/report_payment_attempt_failed", "failed_at=1&metadata[a]=1.10");
    first.service.clock()->advance(std::chrono::seconds{1});
    const std::string saved = exportJson(first.service);
    Service restored = importJson(saved);
    RC_ASSERT(get("/_fake/export").body == saved);
    RC_ASSERT(exportJson(restored) == saved);
    RC_ASSERT(seen(restored) == seen(first.service));
  });
}

TEST_F(SavedObjects, AreUnchangedByAnImport) {
  ASSERT_EQ(insertion(record(R"({"n":[1.10,-0],"text":"\u0001"})")), "");
  const std::string before = get(records).body;
  const std::string saved = get("/_fake/export").body;
  ASSERT_EQ(send(test::get(key, "/_fake/accounts/" + first.account.id), "DELETE").status, 200);
  ASSERT_EQ(send({.method = Method::post, .url = "/_fake/import", .headers = {}, .body = saved}).status, 200);
  EXPECT_EQ(get(records).body, before);
}

/// The deepest value that is accepted is saved and loaded; one level more is refused, whichever way it comes.
TEST_F(SavedObjects, CanBeNestedUpToTheDepthThatCanBeLoaded) {
  constexpr std::size_t deepest = 32;
  for (const auto& value : {nested(deepest), nestedObjects(deepest)}) {
    (void)post("/_fake/reset");
    ASSERT_EQ(insertion(record(value)), "");
    ASSERT_EQ(calling(R"({"payment_method_details":{"billing_details":)" + value + "}}"), "");
    ASSERT_EQ(editing(value), "");
    expectUnchangedByLoading();
    EXPECT_THAT(get("/_fake/objects/pr_1").body, HasSubstr(value));
  }
  for (const std::size_t levels :
       {deepest + 1, deepest + 2, std::size_t{60}, std::size_t{129}, std::size_t{2'000}})
    for (const auto& value : {nested(levels), nestedObjects(levels)}) {
      SCOPED_TRACE(levels);
      EXPECT_THAT(insertion(record(value)), HasSubstr("customer_details"));
      EXPECT_THAT(insertion(record(value)), HasSubstr("nested more than"));
      EXPECT_THAT(calling(record(value)), HasSubstr("customer_details"));
      EXPECT_THAT(calling(record(value)), HasSubstr("nested more than"));
      EXPECT_THAT(editing(value), HasSubstr("customer_details"));
      EXPECT_THAT(editing(value), HasSubstr("nested more than"));
    }
  expectUnchangedByLoading();
}

/// An edited file is refused like any other input.
TEST_F(SavedObjects, AreRefusedIfAnEditHasMadeThemInvalid) {
  ASSERT_EQ(insertion(record("7")), "");
  const std::string saved = exportJson(first.service);
  const auto loading = [&](const std::string& details) {
    std::string edited = saved;
    const std::string field = R"("customer_details":)";
    edited.replace(edited.find(field + '7'), field.size() + 1, field + details);
    try {
      (void)importJson(edited);
      return std::string{};
    } catch (const std::invalid_argument& problem) {
      return std::string{problem.what()};
    }
  };
  const std::string place = "accounts[0].sandbox.objects.payment_record[0]";
  EXPECT_EQ(loading(nested(32)), "");
  EXPECT_EQ(loading(nested(33)),
            place +
                ": 'customer_details' of the payment record is invalid: nested more than "
                "32 levels deep");
  EXPECT_THAT(loading(nested(60)),
              HasSubstr("accounts[0].sandbox.objects.payment_record[0].object.customer_details[0]"));
  EXPECT_EQ(loading(R"({"a":{"b":1,"b":1}})"), place + ".object.customer_details.a.b: given twice");
  EXPECT_EQ(loading(R"(7,"metadata":{"k":"1","k":"2"})").substr(0, place.size()), place);
}

/// Every level at which a value may stand, in every way in, gives a response, and never a server error.
TEST_F(SavedObjects, AreEitherRefusedOrLoadableAtEveryDepth) {
  for (std::size_t levels = 1; levels < 140; ++levels) {
    SCOPED_TRACE(levels);
    (void)post("/_fake/reset");
    (void)insertion(record(nested(levels)));
    (void)insertion(nested(levels));
    (void)insertion(R"({"metadata":)" + nested(levels) + '}');
    (void)calling(nested(levels));
    (void)editing(nested(levels));
    const HttpResponse response = send(
        test::post(key, "/v2/core/accounts", R"({"metadata":)" + nested(levels) + '}', "application/json"));
    EXPECT_EQ(test::errorOf(response), "400 parameter_invalid metadata");
    const HttpResponse fault = post("/_fake/faults", R"({"params":)" + nestedObjects(levels) + '}');
    EXPECT_EQ(fault.status / 100, 4);
    ASSERT_NO_FATAL_FAILURE(expectUnchangedByLoading());
  }
}

TEST_F(SavedObjects, AreRefusedIfTheyHaveDuplicateNames) {
  const std::string twice = R"({"a":1,"b":[{"c":1,"\u0063":2}]})";
  for (const std::string& problem : {insertion(record(twice)), calling(record(twice)), editing(twice)}) {
    EXPECT_THAT(problem, HasSubstr("customer_details"));
    EXPECT_THAT(problem, HasSubstr("b[0].c' is given twice"));
  }
  EXPECT_THAT(insertion(R"({"metadata":{"k":"1","k":"2"}})"), HasSubstr("'metadata.k' is given twice"));
  EXPECT_THAT(calling(R"({"metadata":{"k":"1","k":"2"}})"), HasSubstr("'metadata.k' is given twice"));
  EXPECT_THAT(insertion(R"({"description":"1","description":"2"})"), HasSubstr("description"));
  EXPECT_EQ(test::errorOf(send(test::post(key, "/v2/core/accounts", R"({"country":"DE","country":"US"})",
                                          "application/json"))),
            "400 parameter_invalid country");
  EXPECT_EQ(test::errorOf(send(test::post(key, "/v2/core/accounts", R"({"metadata":{"k":"1","k":"2"}})",
                                          "application/json"))),
            "400 parameter_invalid metadata[k]");
  EXPECT_THAT(messageOf(post("/_fake/transactions", R"({"count":1,"count":2})")),
              HasSubstr("count: given twice"));
}

/// Otherwise the text of one field could contain others.
TEST_F(SavedObjects, AreRefusedUnlessEachFieldIsASingleJsonValue) {
  for (const char* text : {R"(1,"colour":"red")", "{", "1 2", "\xFF", "'a'", "01", "\"\\ud800\"", "nul"}) {
    EXPECT_THAT(editing(text), HasSubstr("customer_details")) << text;
    (void)calling(record(text));
  }
  expectUnchangedByLoading();
}

TEST_F(SavedObjects, AreSentWithoutWhitespace) {
  ASSERT_EQ(insertion("\n{ \"id\" : \"pr_1\",\t\"customer_details\" : { \"a\" : [ 1.0 , \"\\u00e4\" ] } }"),
            "");
  EXPECT_THAT(get(records + "/pr_1").body, HasSubstr(R"("customer_details":{"a":[1.0,"ä"]})"));
  const PaymentRecord made = first.service.insert<PaymentRecord>(
      key, [](PaymentRecord& edited) { edited.customerDetails = RawJson{"{ \"a\" : 1.0 }"}; });
  EXPECT_EQ(made.customerDetails, RawJson{R"({"a":1.0})"}) << "the object as the service sends it";
  expectUnchangedByLoading();
}

/// A file may be formatted by other programs.
TEST_F(SavedObjects, CanBeLoadedFromFormattedJson) {
  ASSERT_EQ(insertion(record(R"({"n":1.10})")), "");
  const std::string saved = exportJson(first.service);
  std::string formatted;
  for (const char c : saved) {
    formatted += c;
    if (c == ',' || c == '{' || c == '[') formatted += "\n  ";
  }
  EXPECT_EQ(exportJson(importJson(formatted)), saved);
}

}  // namespace

}  // namespace tally::fake::detail
