// docs/reference/assumptions.md, "Unknown ID, parameter or value" and "Unknown path or method": an invalid
// request is refused with a code and the parameter at fault, and changes nothing.

#include <array>

#include "conformance/support/conformance.h"
#include "fake/support/requests.h"

namespace tally::conformance {
namespace {

constexpr const char* formType = "application/x-www-form-urlencoded";
constexpr const char* json = "application/json";

/// A request, and the status, code and parameter of its refusal. `{intent}` and `{subscription}` are
/// placeholders for identifiers.
struct BadInput {
  std::string name;
  Method method = Method::get;
  std::string target;
  std::string body;
  const char* contentType = formType;
  std::string refusal;
};

void PrintTo(const BadInput& input, std::ostream* out) {
  *out << input.name;
}

BadInput getOf(std::string name, std::string target, std::string refusal) {
  return {.name = std::move(name), .target = std::move(target), .body = {}, .refusal = std::move(refusal)};
}

BadInput postOf(std::string name, std::string target, std::string body, std::string refusal,
                const char* contentType = formType) {
  return {.name = std::move(name),
          .method = Method::post,
          .target = std::move(target),
          .body = std::move(body),
          .contentType = contentType,
          .refusal = std::move(refusal)};
}

BadInput createOf(std::string name, const std::string& more, std::string refusal) {
  return postOf(std::move(name), "/v1/payment_intents", "amount=5&currency=eur" + more, std::move(refusal));
}

BadInput jsonOf(std::string name, std::string body, std::string refusal) {
  return postOf(std::move(name), "/v2/core/accounts", std::move(body), std::move(refusal), json);
}

/// A service with an object of each resource that an invalid request could change.
class World {
 public:
  HttpResponse handle(const BadInput& input) {
    HttpRequest request{.method = input.method,
                        .url = "https://service.test" + filledIn(input.target),
                        .headers = {{"Authorization", "Bearer " + account_.sandboxKey}},
                        .body = filledIn(input.body)};
    if (!request.body.empty()) request.headers.push_back({"Content-Type", input.contentType});
    return service_.handle(request);
  }

  /// Every object that can be listed, plus a newly created one: its identifier reveals whether objects that
  /// can't be listed were created before.
  std::string contents() {
    std::string result;
    for (const std::string& key : {account_.sandboxKey, account_.liveKey})
      for (const char* path : lists) {
        service_.clock()->advance(std::chrono::seconds{1});
        const HttpResponse page = service_.handle(test::get(key, path + std::string{"?limit=100"}));
        EXPECT_EQ(page.status, 200) << page.body;
        result += page.body + '\n';
      }
    return result + service_.handle(test::post(account_.sandboxKey, "/v2/core/accounts", "{}", json)).body;
  }

  std::string filledIn(std::string text) const {
    replace(text, "{intent}", intent_);
    replace(text, "{subscription}", subscription_);
    return text;
  }

 private:
  static constexpr std::array lists{"/v1/accounts",         "/v1/files",
                                    "/v1/invoices",         "/v1/issuing/cards",
                                    "/v1/payment_intents",  "/v1/payment_records",
                                    "/v1/payouts",          "/v1/subscriptions",
                                    "/v1/data/exports",     "/v1/reporting/report_runs",
                                    "/v1/tax/registrations"};

  static void replace(std::string& text, const std::string& what, const std::string& with) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at))
      text.replace(at, what.size(), with);
  }

  Service service_{};
  fake::Account account_ = service_.addAccount();
  std::string intent_ = service_.insert<PaymentIntent>(account_.sandboxKey).id.str();
  std::string subscription_ = service_.insert<Subscription>(account_.sandboxKey).id.str();
};

class BadInputs : public testing::TestWithParam<BadInput> {};

TEST_P(BadInputs, AreRefusedAndChangeNothing) {
  if (throughAFront() && GetParam().name == "PercentInThePath") GTEST_SKIP() << "refused before that";
  World world;
  const HttpResponse response = world.handle(GetParam());
  EXPECT_EQ(test::errorOf(response), world.filledIn(GetParam().refusal)) << response.body;
  World spared;
  EXPECT_EQ(world.contents(), spared.contents());
}

TEST(WorldContents, DifferAfterAPaymentIntentIsCreated) {
  World world;
  World spared;
  EXPECT_EQ(world.handle(createOf("", "", "")).status, 200);
  EXPECT_NE(world.contents(), spared.contents());
}

TEST(WorldContents, DifferAfterACoreAccountIsCreated) {
  World world;
  World spared;
  EXPECT_EQ(world.handle(jsonOf("", "{}", "")).status, 200);
  EXPECT_NE(world.contents(), spared.contents());
}

std::string nameOf(const testing::TestParamInfo<BadInput>& info) {
  return info.param.name;
}

std::string repeated(int times, const std::string& text) {
  std::string result;
  for (int i = 0; i < times; ++i)
    result += text;
  return result;
}

INSTANTIATE_TEST_SUITE_P(
    UnknownParameter, BadInputs,
    testing::Values(
        createOf("Create", "&colour=red", "400 parameter_unknown colour"),
        createOf("Nested", "&amount_details[colour]=red", "400 parameter_unknown amount_details[colour]"),
        createOf("FieldThatNobodyCanSet", "&livemode=true", "400 parameter_unknown livemode"),
        createOf("Escaped", "&%63olour%5Bx%5D=red", "400 parameter_unknown colour[x]"),
        postOf("Update", "/v1/payment_intents/{intent}", "description=a&amount=1",
               "400 parameter_unknown amount"),
        jsonOf("Json", R"({"country":"NO","colour":"red"})", "400 parameter_unknown colour"),
        getOf("List", "/v1/invoices?limit=1&colour=red", "400 parameter_unknown colour"),
        getOf("Search", "/v1/invoices/search?query=created%3E0&ending_before=in_1",
              "400 parameter_unknown ending_before"),
        getOf("Retrieve", "/v1/payment_intents/{intent}?expand[]=amount", "400 parameter_unknown expand[]"),
        getOf("ExpansionOfAList", "/v1/payment_intents?expand[]=data.amount",
              "400 parameter_unknown expand[]")),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    MissingParameter, BadInputs,
    testing::Values(postOf("Create", "/v1/payment_intents", "description=a", "400 parameter_missing amount"),
                    postOf("OneOfTwo", "/v1/payment_intents", "amount=5", "400 parameter_missing currency"),
                    postOf("Empty", "/v1/payment_intents",
                           "amount=5&currency=", "400 parameter_missing currency"),
                    postOf("WithoutBody", "/v1/invoices", "", "400 parameter_missing subscription"),
                    getOf("Search", "/v1/invoices/search?limit=1", "400 parameter_missing query")),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    WrongType, BadInputs,
    testing::Values(
        postOf("WordForANumber", "/v1/subscriptions", "quantity=three", "400 parameter_invalid quantity"),
        postOf("Fraction", "/v1/subscriptions/{subscription}", "description=a&quantity=1.5",
               "400 parameter_invalid quantity"),
        postOf("EmptyNumber", "/v1/subscriptions", "quantity=", "400 parameter_invalid quantity"),
        postOf("ObjectForANumber", "/v1/payouts", "amount[value]=5&currency=eur",
               "400 parameter_invalid amount[value]"),
        postOf("CapitalsForACurrency", "/v1/payouts", "amount=5&currency=EUR",
               "400 parameter_invalid currency"),
        postOf("OneLetterForACurrency", "/v1/payment_intents", "amount=5&currency=x",
               "400 parameter_invalid currency"),
        postOf("FourLettersForACurrency", "/v1/payment_intents", "amount=5&currency=euro",
               "400 parameter_invalid currency"),
        postOf("DigitsInACurrency", "/v1/payment_intents", "amount=5&currency=eu1",
               "400 parameter_invalid currency"),
        postOf("NeitherLettersNorDigitsInACurrency", "/v1/payment_intents", "amount=5&currency=%C3%A9u",
               "400 parameter_invalid currency"),
        getOf("CapitalsForACurrencyInAQuery", "/v1/payment_intents/search?query=currency:%22EUR%22",
              "400 parameter_invalid query"),
        postOf("WordForAnAmount", "/v1/payouts", "amount=five&currency=eur", "400 parameter_invalid amount"),
        createOf("TextForAMap", "&metadata=a", "400 parameter_invalid metadata"),
        jsonOf("BracketInAMetadataKey", R"({"metadata":{"a[b]":"c"}})",
               "400 parameter_invalid metadata[a[b]]"),
        createOf("MapWithinAMap", "&metadata[a][b]=c", "400 parameter_invalid metadata[a][b]"),
        createOf("ObjectForText", "&description[a]=b", "400 parameter_invalid description[a]"),
        createOf("ListForText", "&description[]=b", "400 parameter_invalid description[]"),
        getOf("List", "/v1/files?limit=ten", "400 parameter_invalid limit"),
        getOf("NoList", "/v1/invoices/search?query=created%3E0&expand=total_count",
              "400 parameter_invalid expand")),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    OutOfRange, BadInputs,
    testing::Values(postOf("Create", "/v1/subscriptions", "quantity=-1", "400 parameter_invalid quantity"),
                    postOf("Update", "/v1/subscriptions/{subscription}", "description=a&quantity=-1",
                           "400 parameter_invalid quantity"),
                    getOf("LimitTooSmall", "/v1/files?limit=0", "400 parameter_invalid limit"),
                    getOf("LimitTooLarge", "/v1/files?limit=101", "400 parameter_invalid limit"),
                    postOf("NumberAbove64Bits", "/v1/subscriptions", "quantity=9223372036854775808",
                           "400 parameter_invalid quantity"),
                    postOf("NumberBelow64Bits", "/v1/payouts", "amount=-9223372036854775809&currency=eur",
                           "400 parameter_invalid amount"),
                    postOf("EndlessNumber", "/v1/subscriptions/{subscription}",
                           "quantity=" + repeated(10'000, "9"), "400 parameter_invalid quantity"),
                    getOf("LimitAbove64Bits", "/v1/files?limit=18446744073709551617",
                          "400 parameter_invalid limit"),
                    jsonOf("JsonNumberAbove64Bits", R"({"country":99999999999999999999})",
                           "400 parameter_invalid country")),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    BrokenForm, BadInputs,
    testing::Values(
        createOf("PercentWithoutDigits", "&description=%zz", "400 parameter_invalid"),
        createOf("PercentAtTheEnd", "&description=5%", "400 parameter_invalid"),
        createOf("PercentInTheName", "&descr%iption=a", "400 parameter_invalid"),
        getOf("PercentInTheQuery", "/v1/files?limit=%zz", "400 parameter_invalid"),
        getOf("PercentInThePath", "/v1/payment_intents/pi_%zz", "400 parameter_invalid"),
        createOf("BracketNotClosed", "&metadata[a=1", "400 parameter_invalid"),
        createOf("BracketNotOpened", "&metadata]a=1", "400 parameter_invalid"),
        createOf("BracketsAlone", "&[a]=1", "400 parameter_invalid"),
        createOf("BracketsWithinBrackets", "&metadata[a[b]]=1", "400 parameter_invalid"),
        createOf("NoName", "&=1", "400 parameter_invalid"),
        createOf("NotUtf8", "&description=%FF", "400 parameter_invalid"),
        createOf("NotUtf8AndNotEscaped", "&description=\xC3\x28", "400 parameter_invalid"),
        createOf("NotUtf8InTheName", "&metadata[%FF]=1", "400 parameter_invalid"),
        getOf("NotUtf8InTheQuery", "/v1/invoices/search?query=%C3%28", "400 parameter_invalid"),
        createOf("SameNameTwice", "&description=a&description=a", "400 parameter_invalid description"),
        createOf("SameNameTwiceInOtherEncodings", "&metadata[a]=1&metadata%5Ba%5D=2",
                 "400 parameter_invalid metadata[a]"),
        createOf("SameNameTwiceRequired", "&amount=6", "400 parameter_invalid amount"),
        postOf("SameNameTwiceInAnUpdate", "/v1/subscriptions/{subscription}", "quantity=2&quantity=3",
               "400 parameter_invalid quantity"),
        getOf("SameNameTwiceInTheQuery", "/v1/files?limit=1&limit=2", "400 parameter_invalid limit"),
        createOf("UnsetsAllAndOne", "&metadata=&metadata[a]=", "400 parameter_invalid metadata[a]"),
        createOf("DeepBrackets", "&metadata" + repeated(20, "[a]") + "=1",
                 "400 parameter_invalid metadata" + repeated(20, "[a]")),
        createOf("EndlessBrackets", "&metadata" + repeated(10'000, "[a]") + "=1",
                 "400 parameter_invalid metadata" + repeated(64, "[a]") + "...")),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    BrokenJson, BadInputs,
    testing::Values(jsonOf("NotClosed", R"({"country":"NO")", "400 parameter_invalid"),
                    jsonOf("NoValue", R"({"country":})", "400 parameter_invalid"),
                    jsonOf("CommaAtTheEnd", R"({"country":"NO",})", "400 parameter_invalid"),
                    jsonOf("MoreBehind", R"({"country":"NO"} {})", "400 parameter_invalid"),
                    jsonOf("SingleQuotes", "{'country':'NO'}", "400 parameter_invalid"),
                    jsonOf("OnlySpace", "  ", "400 parameter_invalid"),
                    jsonOf("NotUtf8", "{\"country\":\"\xFF\"}", "400 parameter_invalid"),
                    jsonOf("HalfASurrogate", R"({"country":"\uD800"})", "400 parameter_invalid"),
                    jsonOf("Form", "country=NO", "400 parameter_invalid")),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    WrongJson, BadInputs,
    testing::Values(
        jsonOf("List", "[]", "400 parameter_invalid"),
        jsonOf("Text", R"("country")", "400 parameter_invalid"),
        jsonOf("Null", "null", "400 parameter_invalid"),
        jsonOf("NumberForText", R"({"country":47})", "400 parameter_invalid country"),
        jsonOf("ObjectForText", R"({"country":{"code":"NO"}})", "400 parameter_invalid country"),
        jsonOf("ListForAMap", R"({"country":"NO","metadata":[]})", "400 parameter_invalid metadata"),
        jsonOf("TextForAMap", R"({"metadata":"a"})", "400 parameter_invalid metadata"),
        jsonOf("NumberInAMap", R"({"metadata":{"a":"1","b":2}})", "400 parameter_invalid metadata[b]"),
        jsonOf("DeepValue", R"({"country":)" + repeated(20, "[") + repeated(20, "]") + '}',
               "400 parameter_invalid country"),
        jsonOf("DeepMap", R"({"metadata":)" + repeated(20, R"({"a":)") + '1' + repeated(20, "}") + '}',
               "400 parameter_invalid metadata[a]"),
        jsonOf("BottomlessList", R"({"country":)" + repeated(100'000, "[") + repeated(100'000, "]") + '}',
               "400 parameter_invalid country"),
        jsonOf("BottomlessObject", repeated(100'000, R"({"metadata":)"), "400 parameter_invalid metadata")),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    WrongContentType, BadInputs,
    testing::Values(
        postOf("JsonForAForm", "/v1/subscriptions", R"({"quantity":1})", "400 parameter_invalid", json),
        postOf("FormCalledJson", "/v1/subscriptions", "quantity=1", "400 parameter_invalid", json),
        postOf("FormForJson", "/v2/core/accounts", "country=NO", "400 parameter_invalid", formType),
        postOf("JsonCalledAForm", "/v2/core/accounts", "{}", "400 parameter_invalid", formType),
        postOf("Multipart", "/v1/files", "--a--", "400 parameter_invalid", "multipart/form-data; boundary=a"),
        postOf("PlainText", "/v1/subscriptions/{subscription}", "quantity=2", "400 parameter_invalid",
               "text/plain")),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    UnknownPath, BadInputs,
    testing::Values(getOf("NoResource", "/v1/nothing", "404 path_unknown"),
                    getOf("NoNamespace", "/payment_intents", "404 path_unknown"),
                    getOf("OtherNamespace", "/v2/payment_intents", "404 path_unknown"),
                    getOf("RetrieveInTheOtherNamespace", "/v2/core/accounts/acct_1", "404 path_unknown"),
                    getOf("Empty", "/", "404 path_unknown"),
                    getOf("Product", "/v1/issuing", "404 path_unknown"),
                    getOf("MoreBehind", "/v1/payment_intents/{intent}/amount", "404 path_unknown"),
                    getOf("Capitals", "/v1/Payment_Intents", "404 path_unknown"),
                    postOf("Post", "/v1/payment_intents/{intent}/cancel", "description=a",
                           "404 path_unknown")),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    WrongMethod, BadInputs,
    testing::Values(getOf("GetOfACreate", "/v2/core/accounts", "405 method_not_allowed"),
                    postOf("PostToAList", "/v1/data/exports", "", "405 method_not_allowed"),
                    postOf("PostToASearch", "/v1/invoices/search", "query=a", "405 method_not_allowed"),
                    postOf("PostToARetrieve", "/v1/files/file_1", "purpose=a", "405 method_not_allowed")),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    ForeignIdentifier, BadInputs,
    testing::Values(
        getOf("Retrieve", "/v1/payment_intents/{subscription}", "404 resource_missing"),
        postOf("Update", "/v1/payment_intents/{subscription}", "description=a", "404 resource_missing"),
        postOf("Parameter", "/v1/invoices", "subscription={intent}", "400 parameter_invalid subscription"),
        postOf("ParameterOfNoObject", "/v1/invoices", "subscription=sub_nobody",
               "404 resource_missing subscription"),
        postOf("PrefixAlone", "/v1/invoices", "subscription=sub_", "400 parameter_invalid subscription"),
        getOf("StartingAfter", "/v1/payment_intents?starting_after={subscription}",
              "400 resource_missing starting_after"),
        getOf("EndingBefore", "/v1/payment_intents?ending_before={subscription}",
              "400 resource_missing ending_before")),
    nameOf);

INSTANTIATE_TEST_SUITE_P(WrongPlace, BadInputs,
                         testing::Values(postOf("QueryOfACreate", "/v1/subscriptions?quantity=2", "",
                                                "400 parameter_unknown quantity"),
                                         postOf("QueryAndBody", "/v1/subscriptions?quantity=2",
                                                "description=a", "400 parameter_unknown quantity"),
                                         postOf("QueryOfAnUpdate",
                                                "/v1/subscriptions/{subscription}?quantity=2",
                                                "description=a", "400 parameter_unknown quantity"),
                                         postOf("QueryOfJson", "/v2/core/accounts?country=NO", "{}",
                                                "400 parameter_unknown country", json),
                                         BadInput{.name = "BodyOfAList",
                                                  .target = "/v1/subscriptions",
                                                  .body = "limit=1",
                                                  .refusal = "400 parameter_unknown limit"},
                                         BadInput{.name = "BodyOfARetrieve",
                                                  .target = "/v1/subscriptions/{subscription}",
                                                  .body = "quantity=2",
                                                  .refusal = "400 parameter_unknown quantity"},
                                         BadInput{.name = "JsonBodyOfAList",
                                                  .target = "/v1/subscriptions",
                                                  .body = "{}",
                                                  .contentType = json,
                                                  .refusal = "400 parameter_invalid"}),
                         nameOf);

}  // namespace
}  // namespace tally::conformance
