#include <atomic>
#include <cstddef>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <tally/client.h>
#include <tally/wire_log.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/harness.h"
#include "support/failing_allocations.h"
#include "text/base64.h"

namespace tally::wireLogTest {
namespace {

using test::CannedTransport;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

const std::string key = "sk_live_Tell0Nobody";

/// A transport with a wire log.
struct Logged {
  explicit Logged(WireLogOptions options = {})
      : log(wireLog(
            transport, [this](std::string_view line) { lines.emplace_back(line); }, std::move(options))) {}

  /// The lines about a request and its response.
  std::vector<std::string> exchange(const HttpRequest& request, TransportResult result) {
    lines.clear();
    transport->responses.push_back(std::move(result));
    (void)log->send(request, {});
    return lines;
  }

  std::shared_ptr<CannedTransport> transport = std::make_shared<CannedTransport>();
  std::vector<std::string> lines{};
  std::shared_ptr<Transport> log;
};

HttpRequest post(std::string body, const std::string& type = "application/x-www-form-urlencoded") {
  return {.method = Method::post,
          .url = "https://service.test/v1/payouts",
          .headers = {{"Authorization", "Bearer " + key}, {"Content-Type", type}},
          .body = std::move(body)};
}

HttpResponse json(std::string body) {
  return {.status = 200, .headers = {{"Content-Type", "application/json"}}, .body = std::move(body)};
}

std::string bodyOf(const std::string& line) {
  const std::size_t end = line.find("] ", line.find("Content-Type"));
  return end == std::string::npos ? "" : line.substr(end + 2);
}

/// What a log shows of a body in JSON.
std::string shownJson(const std::string& body, WireLogOptions options = {}) {
  return bodyOf(Logged{std::move(options)}.exchange(post(""), json(body)).at(1));
}

/// What a log shows of a form.
std::string shownForm(const std::string& form, WireLogOptions options = {}) {
  return bodyOf(Logged{std::move(options)}.exchange(post(form), json("{}")).at(0));
}

TEST(WireLog, ShowsARequestAndItsResponse) {
  Logged logged;
  EXPECT_THAT(
      logged.exchange(post("amount=500&currency=eur"), json(R"({ "id": "po_1", "amount": 500 })")),
      ElementsAre("#1 > POST https://service.test/v1/payouts [Authorization: [redacted], Content-Type: "
                  "application/x-www-form-urlencoded] amount=500&currency=eur",
                  R"(#1 < 200 [Content-Type: application/json] {"id":"po_1","amount":500})"));
  EXPECT_THAT(
      logged.exchange({.url = "https://service.test/v1/payouts?limit=3"}, HttpResponse{.status = 204}),
      ElementsAre("#2 > GET https://service.test/v1/payouts?limit=3 []", "#2 < 204 []"));
}

TEST(WireLog, ShowsFailures) {
  Logged logged;
  EXPECT_EQ(logged.exchange(post(""), test::lostResponse()).at(1),
            "#1 < connection lost: connection reset [may have been sent]");
  logged.transport->onSend = [] { throw std::runtime_error{key}; };
  EXPECT_THROW((void)logged.log->send(post(""), {}), std::runtime_error);
  EXPECT_EQ(logged.lines.back(), "#2 < exception");
}

TEST(WireLog, PassesRequestsAndResponsesOnUnchanged) {
  Logged logged;
  logged.transport->responses.emplace_back(json(R"({"cvc": "123"})"));
  const HttpRequest request = post("card[cvc]=123");
  const TransportResult result = logged.log->send(request, {.deadline = Instant{std::chrono::seconds{7}}});
  EXPECT_EQ(std::get<HttpResponse>(result), json(R"({"cvc": "123"})"));
  const HttpRequest& sent = logged.transport->requests.at(0);
  EXPECT_EQ(sent.body, request.body);
  EXPECT_EQ(sent.headers, request.headers);
  EXPECT_EQ(logged.transport->limits.at(0).deadline, Instant{std::chrono::seconds{7}});
  EXPECT_TRUE(logged.log->inProcess());
}

TEST(WireLog, HidesAKeyThatIsRepeatedWithoutTheBlanksAroundIt) {
  const std::string token = "oauth.token.1";
  for (const std::string& given : {token + ' ', ' ' + token, '\t' + token + '\t'}) {
    HttpRequest request = post("");
    request.headers.at(0).value = "Bearer " + given;
    const auto lines = Logged{}.exchange(request, HttpResponse{.status = 401, .body = token + " is wrong"});
    EXPECT_THAT(lines.at(1), EndsWith("] [redacted] is wrong"));
  }
}

TEST(WireLog, HidesTheUserAndThePasswordOfHttpBasic) {
  HttpRequest request = post("");
  request.headers.at(0).value = "basic " + detail::encodeBase64("oauth.token.1:oauth.token.2");
  const auto lines = Logged{}.exchange(
      request, HttpResponse{.status = 401, .body = "oauth.token.1 is wrong, or oauth.token.2"});
  EXPECT_THAT(lines.at(1), EndsWith("] [redacted] is wrong, or [redacted]"));
}

TEST(WireLog, HidesFieldsWhateverTheCaseOfTheMediaType) {
  const HttpRequest request = post("password=hunter2&amount=5", "Application/X-WWW-Form-URLencoded");
  EXPECT_EQ(bodyOf(Logged{}.exchange(request, json("{}")).at(0)), "password=[redacted]&amount=5");
}

TEST(WireLog, HidesTheApiKeyWhereverItOccurs) {
  for (const std::string& planted : {key, std::string{"oauth.a+b/c=="}}) {
    std::string encoded = planted == key ? key : "oauth.a%2Bb%2Fc%3D%3D";
    HttpRequest request{.method = Method::post,
                        .url = "https://user:" + planted + "@service.test/v1/" + encoded +
                               "/x?key=" + encoded + "&q=a%20" + encoded + "&" + encoded + "=1",
                        .headers = {{"Authorization", "Bearer " + planted},
                                    {"X-Token", planted},
                                    {"X-" + planted, "1"},
                                    {"User-Agent", "shop " + planted}},
                        .body = "note=my+" + encoded + "&metadata[" + encoded + "]=1&broken=%zz" + encoded};
    const std::string nested = R"({"a":[{"b":{"note":"x )" + planted + R"( y",")" + planted +
                               R"(":1}}],"error":{"message":"Bearer )" + planted + R"( is wrong"}})";
    const std::string escapedStart = planted == key ? "\\u0073" : "\\u006f";
    const std::vector<HttpResponse> responses = {
        json(nested),
        json(R"({"escaped":")" + escapedStart + planted.substr(1) + "\"}"),
        json(nested + "}"),
        {.status = 502, .headers = {{"Content-Type", "text/html"}}, .body = "<b>" + planted + "</b>"},
        {.status = 400, .headers = {{"Set-Cookie", planted}, {"Request-Id", planted}, {planted, "1"}}},
    };
    for (const HttpResponse& response : responses) {
      for (const std::string& line : Logged{}.exchange(request, response)) {
        EXPECT_THAT(line, Not(HasSubstr(planted.substr(1))));
        EXPECT_THAT(line, Not(HasSubstr(encoded.substr(1))));
      }
    }
    TransportFailure failure = test::lostResponse();
    failure.message = "could not send Bearer " + planted + " to user:" + planted + "@service.test";
    EXPECT_EQ(Logged{}.exchange(request, failure).at(1),
              "#1 < connection lost: could not send Bearer [redacted] to user:[redacted]@service.test "
              "[may have been sent]");
    request.headers[1] = {"Content-Type", "application/json"};
    request.body = nested;
    EXPECT_THAT(Logged{}.exchange(request, test::lostResponse()).at(0), Not(HasSubstr(planted)));
  }
}

TEST(WireLog, HidesSecretFieldsOfForms) {
  EXPECT_EQ(
      shownForm("amount=500&card[number]=4000056655665556&card[cvc]=123&client_secret=abc&a%5Btoken%5D=x"),
      "amount=500&card[number]=[redacted]&card[cvc]=[redacted]&client_secret=[redacted]&a%5Btoken%5D=["
      "redacted]");
  EXPECT_EQ(shownForm("note=4000+0566+5566+5556&flag&x=%zz&y="), "note=[redacted]&flag&x=[redacted]&y=");
  EXPECT_EQ(shownForm("metadata[order]=42&metadata[nick]=Ada&a=Ada", {.redact = {"metadata"}}),
            "metadata[order]=[redacted]&metadata[nick]=[redacted]&a=[redacted]");
}

TEST(WireLog, HidesSecretFieldsOfJson) {
  EXPECT_EQ(
      shownJson(R"({"card":{"number":"4000056655665556","cvc":123,"brand":"visa"},"ok":[true,null,1.50]})"),
      R"({"card":{"number":"[redacted]","cvc":"[redacted]","brand":"visa"},"ok":[true,null,1.50]})");
  EXPECT_EQ(
      shownJson(R"({"password":{"a":[1,{"b":"c"}],"d":"e"},"key":[[]],"token":null,"secret":true,"z":1})"),
      R"({"password":"[redacted]","key":"[redacted]","token":"[redacted]","secret":"[redacted]","z":1})");
  EXPECT_EQ(shownJson(R"([{"n":4000056655665556},{"n":4000056655665557}])"),
            R"([{"n":"[redacted]"},{"n":4000056655665557}])");
  EXPECT_EQ(shownJson(R"({"metadata":{"order":"42","nick":"Adalbert"},"description":"for Adalbert"})",
                      {.redact = {"Metadata"}}),
            R"({"metadata":"[redacted]","description":"for [redacted]"})");
}

TEST(WireLog, HidesASecretValueThatTheResponseRepeats) {
  const std::string message = R"({"error":{"message":"'987' is no security code; Adalbert"}})";
  EXPECT_EQ(bodyOf(Logged{}.exchange(post("card[cvc]=987"), json(message)).at(1)),
            R"({"error":{"message":"'[redacted]' is no security code; Adalbert"}})");
  EXPECT_EQ(
      bodyOf(Logged{{.redact = {"name"}}}
                 .exchange(post(R"({"cvc":"987","name":"Adalbert"})", "application/json"), json(message))
                 .at(1)),
      R"({"error":{"message":"'[redacted]' is no security code; [redacted]"}})");
}

TEST(WireLog, HidesASecretHeaderOfTheResponseThatItsBodyRepeats) {
  HttpResponse response = json(R"({"message":"session 4f2a9c has begun"})");
  response.headers.push_back({"X-Session", "4f2a9c"});
  EXPECT_EQ(bodyOf(Logged{}.exchange(post(""), response).at(1)),
            R"({"message":"session [redacted] has begun"})");
}

TEST(WireLog, OmitsTheContentsOfBodiesThatItCannotRead) {
  EXPECT_EQ(shownJson(R"({"cvc":"123")"), "[malformed JSON, 12 bytes]");
  EXPECT_EQ(shownJson("{} {}"), "[malformed JSON, 5 bytes]");
  EXPECT_EQ(shownJson(std::string(1'024 * 1'024 + 1, 'x')), "[1048577 bytes]");
}

TEST(WireLog, RecognizesJsonWithoutAContentType) {
  Logged logged;
  EXPECT_THAT(
      logged.exchange({.url = "https://a"}, HttpResponse{.status = 200, .body = R"( {"cvc":"123"})"}).at(1),
      EndsWith(R"([] {"cvc":"[redacted]"})"));
}

TEST(WireLog, TruncatesLongBodies) {
  EXPECT_EQ(shownJson(R"({"a":"0123456789"})", {.maxBodyBytes = 10}), R"({"a":"0123... (18 bytes))");
  EXPECT_EQ(shownJson(R"({"a":"0123456789"})", {.maxBodyBytes = 18}), R"({"a":"0123456789"})");
  EXPECT_EQ(shownJson("{}", {.maxBodyBytes = 0}), "");
  const std::string secret = R"({"cvc":"0123456789"})";
  for (std::size_t most = 0; most < secret.size(); ++most)
    EXPECT_THAT(shownJson(secret, {.maxBodyBytes = most}), Not(HasSubstr("01"))) << "cut inside a secret";
}

TEST(WireLog, WritesOnlyPrintableAsciiForAnyBytes) {
  Logged logged;
  const std::string nasty = "a\r\n\x1b[2J\xff\xe2\x80\xae";
  for (const std::string& line : logged.exchange(
           {.url = "https://a/" + nasty, .headers = {{nasty, "1"}, {"Via", nasty}}, .body = nasty},
           HttpResponse{.status = 200, .headers = {{nasty, nasty}}, .body = nasty}))
    for (const char c : line)
      EXPECT_TRUE(c >= ' ' && c < '\x7F') << line;
}

TEST(WireLog, SendsTheRequestEvenIfTheSinkThrows) {
  const auto transport = std::make_shared<CannedTransport>();
  transport->responses.emplace_back(json("{}"));
  const auto log = wireLog(transport, [](std::string_view) { throw std::runtime_error{"disk full"}; });
  EXPECT_TRUE(std::holds_alternative<HttpResponse>(log->send(post(""), {})));
}

/// Sends nothing, and takes no memory.
class Unreachable final : public Transport {
 public:
  TransportResult send(const HttpRequest&, const SendLimits&) override {
    ++requests;
    return TransportFailure{};
  }
  std::size_t requests = 0;
};

TEST(WireLog, SendsTheRequestEvenIfMemoryRunsOut) {
  const auto transport = std::make_shared<Unreachable>();
  std::size_t lines = 0;
  const auto log = wireLog(transport, [&lines](std::string_view) { ++lines; });
  const HttpRequest request = post("password=hunter2");
  std::size_t n = 1;
  for (bool failed = true; failed; ++n) {
    lines = 0;
    const test::FailingAllocations failing{n};
    (void)log->send(request, {});
    failed = failing.failed();
  }
  EXPECT_EQ(transport->requests, n - 1);
  EXPECT_EQ(lines, 2U) << "if no allocation fails";
}

TEST(WireLog, LogsEachAttemptOfAClient) {
  std::ostringstream out;
  const auto transport = std::make_shared<CannedTransport>();
  transport->responses.emplace_back(test::lockTimeout());
  transport->responses.emplace_back(json(test::recordJson("pr_1")));
  const Client client{{.apiKey = key,
                       .baseUrl = "https://service.test",
                       .maxNetworkRetries = 1,
                       .transport = wireLog(transport, out),
                       .clock = std::make_shared<test::TestClock>()}};
  EXPECT_TRUE(client.paymentRecords().retrieve("pr_1"));
  EXPECT_THAT(out.str(), StartsWith("#1 > GET https://service.test/v1/payment_records/pr_1 ["));
  EXPECT_THAT(out.str(), HasSubstr("\n#1 < 429 "));
  EXPECT_THAT(out.str(), HasSubstr("\n#2 > GET "));
  EXPECT_THAT(out.str(), HasSubstr("\n#2 < 200 "));
  EXPECT_THAT(out.str(), EndsWith("}\n"));
}

TEST(WireLog, DoesNotInterleaveLinesFromSeveralThreads) {
  class Echo final : public Transport {
   public:
    TransportResult send(const HttpRequest& request, const SendLimits&) override {
      return HttpResponse{.status = 200, .body = request.body};
    }
  };
  constexpr int threads = 4;
  constexpr int each = 200;
  std::ostringstream out;
  const auto log = wireLog(std::make_shared<Echo>(), out);
  std::vector<std::jthread> all;
  for (int thread = 0; thread < threads; ++thread)
    all.emplace_back([&] {
      for (int i = 0; i < each; ++i)
        (void)log->send(post("amount=" + std::to_string(i)), {});
    });
  all.clear();
  std::istringstream lines{out.str()};
  std::vector<int> seen(threads * each + 1);
  for (std::string line; std::getline(lines, line);) {
    ASSERT_THAT(line, testing::ContainsRegex("^#[0-9]+ [<>] .*amount=[0-9]+$"));
    ++seen.at(static_cast<std::size_t>(std::stoi(line.substr(1))));
  }
  seen.erase(seen.begin());
  EXPECT_THAT(seen, testing::Each(2));
}

}  // namespace
}  // namespace tally::wireLogTest
