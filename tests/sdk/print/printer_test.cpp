#include <iomanip>
#include <limits>
#include <sstream>

#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "sdk/support/harness.h"
#include "text/readable.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using std::chrono::sys_days;
using std::chrono::sys_seconds;
using std::chrono::year;
using testing::HasSubstr;
using testing::Not;
using testing::PrintToString;

template <class T>
std::string printed(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

PaymentRecord record() {
  test::Harness h;
  h.respond(test::ok(test::recordJson("pr_1")));
  return h.client.paymentRecords().retrieve("pr_1").value();
}

const std::string recordLine =
    "PaymentRecord{id: pr_1, amount_requested: 1000 usd, amount_canceled: 0 usd, amount_failed: 1000 usd, "
    "amount_guaranteed: 0 usd, amount_refunded: 0 usd, created: 2024-10-27T03:33:20Z, "
    "customer_presence: on_session, description: \"Tea\", latest_payment_attempt_record: par_1, "
    "livemode: false, metadata: {order: \"42\"}, payment_method_details: {type: custom, "
    "custom: {display_name: \"Till\", type: custom}}, processor_details: {type: custom, "
    "custom: {payment_reference: \"ref_1\"}}}";

TEST(Printing, ShowsEveryFieldByItsSpecifiedName) {
  EXPECT_EQ(printed(record()), recordLine);
}

TEST(Printing, ShowsUnknownFields) {
  PaymentRecord record;
  record.customerPresence = OpenEnum<PaymentRecordCustomerPresence>{"off_session"};
  record.customerDetails = RawJson{R"({"name":"Ada"})"};
  record.unknownFields = {{"amount_requested.tax", {"7"}}, {"a key", {"[1]"}}};
  EXPECT_THAT(printed(record),
              HasSubstr(R"(, customer_details: {"name":"Ada"}, customer_presence: off_session,)"));
  EXPECT_THAT(printed(record), HasSubstr(R"(, unknown_fields: {amount_requested.tax: 7, "a key": [1]}})"));
}

TEST(Printing, DistinguishesUnequalRecords) {
  PaymentRecord other = record();
  other.unknownFields = {{"tax", {"7"}}};
  EXPECT_NE(printed(other), printed(record()));
}

TEST(Printing, ShowsAmountsInTheSmallestUnit) {
  EXPECT_EQ(printed(Amount{"eur", 1250}), "1250 eur");
  EXPECT_EQ(printed(Amount{"jpy", std::numeric_limits<std::int64_t>::min()}), "-9223372036854775808 jpy");
  EXPECT_EQ(printed(Amount{}), R"(0 "")");
}

TEST(Printing, ShowsOnlyTheGivenParameters) {
  EXPECT_EQ(printed(PaymentRecordListParams{.limit = 5, .startingAfter = "pr_1"}),
            "PaymentRecordListParams{limit: 5, starting_after: pr_1}");
  EXPECT_EQ(printed(PaymentRecordSearchParams{.query = "a", .expand = {"total_count", "b"}}),
            R"(PaymentRecordSearchParams{query: "a", expand: ["total_count", "b"]})");
  EXPECT_EQ(printed(PaymentRecordReportFailedParams{
                .failedAt = sys_seconds{}, .metadata = MetadataEdit{{"order", "42"}}.unset("the till")}),
            R"(PaymentRecordReportFailedParams{failed_at: 1970-01-01T00:00:00Z, metadata: {order: "42", )"
            R"("the till": unset}})");
  EXPECT_EQ(printed(PaymentRecordReportFailedParams{}), "PaymentRecordReportFailedParams{}");
}

TEST(Printing, ShowsAReportOfAnyOutcomeAsItsParameters) {
  EXPECT_EQ(printed(PaymentRecordReport{}), "PaymentRecordReportCanceledParams{}");
  EXPECT_EQ(printed(PaymentRecordReport{PaymentRecordReportFailedParams{.metadata = {{"order", "42"}}}}),
            R"(PaymentRecordReportFailedParams{metadata: {order: "42"}})");
}

TEST(Printing, ShowsMetadataEdits) {
  EXPECT_EQ(printed(MetadataEdit{}), "{}");
  EXPECT_EQ(printed(MetadataEdit{{"a", ""}}.unset("b")), R"({a: "", b: unset})");
  EXPECT_EQ(printed(MetadataEdit::unsetAll()), "unset all");
}

TEST(Printing, ShowsPagesAndTruncatesLongLists) {
  test::Harness h;
  h.respond(test::ok(test::pageJson({"pr_1"}, true)));
  auto pages = h.client.paymentRecords().list().pages();
  const Page<PaymentRecord> page = pages.begin()->value();
  EXPECT_EQ(printed(page), R"(Page{url: "/v1/payment_records", has_more: true, data: [)" +
                               recordLine.substr(std::string{"PaymentRecord"}.size()) + "]}");

  PaymentRecordSearchParams params;
  params.expand.assign(34, "x");
  EXPECT_THAT(printed(params), testing::EndsWith(R"("x", "x", and 2 more]})"));
}

TEST(Printing, ShowsTheValueOrTheErrorOfAResult) {
  EXPECT_EQ(printed(Result<Amount>{Amount{"eur", 5}}), "5 eur");
  EXPECT_EQ(printed(Result<Amount>{Error{{.kind = ErrorKind::notFound, .status = 404}}}),
            "not found [status 404, effect none]");
  struct Mine {};
  EXPECT_EQ(printed(Result<Mine>{Mine{}}), "a value");
}

TEST(Printing, ShowsEnumeratorsAsTheServiceSpellsThem) {
  EXPECT_EQ(printed(RateLimitedReason::globalRate), "global-rate");
  EXPECT_EQ(printed(static_cast<RateLimitedReason>(99)), "unknown enumerator (99)");
  EXPECT_EQ(printed(OpenEnum<RateLimitedReason>{"lunar-rate"}), "lunar-rate");
}

TEST(Printing, ShowsErrorKindsEffectsMethodsAndFailuresAsText) {
  EXPECT_EQ(printed(ErrorKind::lockTimeout), "lock timeout");
  EXPECT_EQ(printed(Effect::unknown), "unknown");
  EXPECT_EQ(printed(Method::post), "POST");
  EXPECT_EQ(printed(TransportFailure::Kind::tls), "TLS failure");
}

TEST(Printing, ShowsTimesInUtc) {
  EXPECT_EQ(toString(sys_seconds{sys_days{year{2026} / 1 / 2} + 3h + 4min + 5s}), "2026-01-02T03:04:05Z");
  EXPECT_EQ(toString(sys_seconds{-1s}), "1969-12-31T23:59:59Z");
  EXPECT_EQ(toString(sys_seconds{sys_days{year{0} / 1 / 1}}), "0000-01-01T00:00:00Z");
  EXPECT_EQ(toString(sys_seconds{sys_days{year{10'000} / 1 / 1} - 1s}), "9999-12-31T23:59:59Z");
}

TEST(Printing, ShowsTimesOutsideTheCalendarInSeconds) {
  EXPECT_EQ(toString(sys_seconds{sys_days{year{10'000} / 1 / 1}}), "253402300800 s since 1970");
  EXPECT_EQ(toString(sys_seconds::max()), "9223372036854775807 s since 1970");
  EXPECT_EQ(toString(sys_seconds::min()), "-9223372036854775808 s since 1970");
}

TEST(Printing, ShowsInstantsWithFractionsOfASecond) {
  const Instant instant = sys_days{year{2026} / 1 / 1};
  EXPECT_EQ(toString(instant), "2026-01-01T00:00:00Z");
  EXPECT_EQ(toString(instant + 50ms), "2026-01-01T00:00:00.05Z");
  EXPECT_EQ(toString(instant - 1ns), "2025-12-31T23:59:59.999999999Z");
  EXPECT_EQ(toString(Instant::max()), "2262-04-11T23:47:16.854775807Z");
  EXPECT_EQ(toString(Instant::min()), "1677-09-21T00:12:43.145224192Z");
}

TEST(Printing, HidesKeysBodiesAndQueriesOfRequests) {
  const HttpRequest request{.method = Method::post,
                            .url = "https://user:pass@service.test/v1/x?query=secret",
                            .headers = {{"Authorization", "Bearer sk_secret"},
                                        {"X-Internal-Token", "secret"},
                                        {"content-type", "text/plain"},
                                        {"Service-Account", "acct_1"}},
                            .body = "metadata[a]=secret"};
  EXPECT_EQ(printed(request),
            "POST https://service.test/v1/x?... [Authorization, X-Internal-Token, content-type: text/plain, "
            "Service-Account: acct_1] 18 bytes");
}

TEST(Printing, HidesBodiesAndUnknownHeadersOfResponses) {
  const HttpResponse response{
      .status = 429,
      .headers = {{"Set-Cookie", "secret"}, {"Request-Id", "req_1"}, {"Retry-After", "3"}},
      .body = "secret"};
  EXPECT_EQ(printed(response), "429 [Set-Cookie, Request-Id: req_1, Retry-After: 3] 6 bytes");
  EXPECT_EQ(printed(HttpResponse{.status = 200}), "200 [] 0 bytes");
}

TEST(Printing, ShowsWhetherAFailedRequestMayHaveBeenSent) {
  EXPECT_EQ(printed(test::notSent()), "connection lost: could not connect [not sent]");
  EXPECT_EQ(printed(TransportFailure{TransportFailure::Kind::timeout, true, ""}),
            "timed out [may have been sent]");
}

constexpr std::string_view hostile = "a\x1B[2Jb\r\nc\x7F\xC2\x9B\xE2\x80\xAE\xFF\"\\";

TEST(Printing, EscapesControlSequences) {
  std::string out;
  detail::appendReadable(out, hostile);
  EXPECT_EQ(out, R"(a\x1b[2Jb\r\nc\x7f\u{9b}\u{202e}\xff"\)");
  out.clear();
  detail::appendQuoted(out, hostile);
  EXPECT_EQ(out, R"("a\x1b[2Jb\r\nc\x7f\u{9b}\u{202e}\xff\"\\")");
}

TEST(Printing, KeepsTextInAnyLanguage) {
  const std::string text = "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80 \xD7\xA9";
  std::string out;
  detail::appendReadable(out, text);
  EXPECT_EQ(out, text);
}

TEST(Printing, TruncatesLongText) {
  std::string out;
  detail::appendReadable(out, std::string(1'000, 'x'));
  EXPECT_EQ(out, std::string(1'000, 'x'));
  out.clear();
  detail::appendReadable(out, std::string(1'001, 'x'));
  EXPECT_EQ(out, std::string(1'000, 'x') + "... (1001 bytes)");
}

TEST(Printing, QuotesEverythingButSingleWords) {
  const auto word = [](std::string_view text) {
    std::string out;
    detail::appendWord(out, text);
    return out;
  };
  EXPECT_EQ(word("pr_1-a.B"), "pr_1-a.B");
  EXPECT_EQ(word(""), R"("")");
  EXPECT_EQ(word("pr_1, livemode: true"), R"("pr_1, livemode: true")");
}

void expectOneCleanLine(const std::string& line) {
  EXPECT_THAT(line, HasSubstr(R"(\x1b[2Jb\r\nc)"));
  for (const char c : line)
    EXPECT_TRUE(c >= ' ' && c < '\x7F') << line;
}

TEST(Printing, UsesOneLineForAnyResponse) {
  const std::string text{hostile};
  PaymentRecord record;
  record.id = text;
  record.amountFailed.currency = text;
  record.customerPresence = OpenEnum<PaymentRecordCustomerPresence>{text};
  record.description = text;
  record.paymentMethodDetails.billingDetails = RawJson{text};
  record.metadata = {{text, text}};
  record.unknownFields = {{text, {text}}};
  expectOneCleanLine(printed(record));
  expectOneCleanLine(printed(record.id));
  expectOneCleanLine(printed(record.customerPresence));
  expectOneCleanLine(printed(record.unknownFields.front()));
  expectOneCleanLine(printed(RawJson{text}));
  expectOneCleanLine(printed(MetadataEdit{{text, text}}));
  expectOneCleanLine(printed(HttpRequest{.url = text, .headers = {{text, text}}}));
  expectOneCleanLine(printed(HttpResponse{.headers = {{"Request-Id", text}}}));
  expectOneCleanLine(printed(TransportFailure{.message = text}));
}

TEST(Printing, UsesOneLineForAnyError) {
  const std::string text{hostile};
  for (const Error::Details& details :
       {Error::Details{.code = text}, Error::Details{.message = text}, Error::Details{.param = text},
        Error::Details{.requestId = text},
        Error::Details{.rateLimitedReason = OpenEnum<RateLimitedReason>{text}}}) {
    expectOneCleanLine(printed(Error{details}));
    expectOneCleanLine(Exception{Error{details}}.what());
  }
}

TEST(Printing, IgnoresStreamFlags) {
  std::ostringstream out;
  out << std::hex << std::showbase << Error{{.status = 404, .attemptCount = 12}} << ' '
      << Amount{"eur", 1250};
  EXPECT_THAT(out.str(), HasSubstr("status 404, attempts 12, effect none] 1250 eur"));
}

TEST(Printing, IsUsedByPrintToString) {
  EXPECT_EQ(PrintToString(record()), recordLine);
  EXPECT_EQ(PrintToString(ErrorKind::lockTimeout), "lock timeout");
  EXPECT_EQ(PrintToString(Effect::none), "none");
  EXPECT_EQ(PrintToString(std::optional{Amount{"eur", 5}}), "(5 eur)");
  EXPECT_EQ(PrintToString(Result<Amount>{Amount{"eur", 5}}), "5 eur");
  EXPECT_EQ(PrintToString(std::vector<Id<PaymentRecord>>{"pr_1", "pr_2"}), "{ pr_1, pr_2 }");
  EXPECT_EQ(PrintToString(std::vector<Header>{{"Authorization", "Bearer x"}}), "{ Authorization }");
}

TEST(Printing, ShowsTheUsageOfALimit) {
  EXPECT_EQ(printed(PacerUsage{.limit = "endpoint_rate",
                               .operation = "payment_records.retrieve",
                               .used = 3,
                               .allowed = 12,
                               .configured = 25,
                               .waiting = 4}),
            "endpoint_rate of payment_records.retrieve: 3 of 12 used, lowered from 25, 4 waiting");
  EXPECT_EQ(printed(PacerUsage{
                .limit = "payment_intent_updates", .object = "pi_\n1", .allowed = 9, .configured = 9}),
            "payment_intent_updates of pi_\\n1: 0 of 9 used");
  EXPECT_EQ(printed(PacerUsage{.limit = "global_concurrency", .used = 2, .allowed = 5}),
            "global_concurrency: 2 of 5 used, lowered from unlimited");
  EXPECT_EQ(
      printed(PacerUsage{
          .limit = "global_rate", .used = 3, .allowed = 12, .configured = 100, .share = 12, .waiting = 1}),
      "global_rate: 3 of 12 used, share of 100, 1 waiting");
  EXPECT_EQ(printed(PacerUsage{.limit = "global_rate", .allowed = 5, .configured = 100, .share = 12}),
            "global_rate: 0 of 5 used, lowered from 12, share of 100");
}

TEST(Printing, ShowsExchangesBetweenProcessesThatShareLimits) {
  using namespace std::chrono_literals;
  EXPECT_EQ(printed(ShareRequest{
                .self = {.process = "p1", .beat = 7, .lease = 10s},
                .claims = {{.limit = "global_rate", .total = 99, .want = 5, .units = 4, .freedBefore = 2}},
                .vanished = {{.process = "p2", .beat = 3, .lease = 10s}}}),
            "ShareRequest{self: {process: p1, beat: 7, lease: 10s}, claims: [{limit: global_rate, total: 99, "
            "want: 5, units: 4, freedBefore: 2}], vanished: [{process: p2, beat: 3, lease: 10s}], leaving: "
            "false}");
  EXPECT_EQ(
      printed(ShareReply{.processes = {{.process = "p1", .beat = 7, .lease = 10s}},
                         .parts = {{.limit = "a", .process = "p1", .want = 5, .units = 4}},
                         .pools = {{.limit = "a", .freed = 2}}}),
      "ShareReply{processes: [{process: p1, beat: 7, lease: 10s}], parts: [{limit: a, process: p1, want: "
      "5, units: 4}], pools: [{limit: a, freed: 2}]}");
  EXPECT_EQ(printed(PacerShareState{.processes = 2, .problem = "down"}),
            "PacerShareState{processes: 2, problem: down}");
}

TEST(Printing, IsUsedInGoogleTestFailures) {
  EXPECT_NONFATAL_FAILURE(EXPECT_EQ(Amount({"eur", 5}), Amount({"eur", 6})), "Which is: 5 eur");
  EXPECT_NONFATAL_FAILURE(EXPECT_EQ(ErrorKind::timeout, ErrorKind::canceled), "Which is: timeout");
}

}  // namespace
}  // namespace tally
