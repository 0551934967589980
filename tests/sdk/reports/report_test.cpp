// The text of a report: an exact round trip, and errors that name what is wrong.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/report.h>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace tally::test {
namespace {

using std::chrono::seconds;
using std::chrono::sys_seconds;

const std::vector<std::string> pieces{"a",    "order", "\"", "\\",
                                      "\n",   "\r\n",  "\t", std::string(1, '\0'),
                                      "\x7f", "é",     "中", "\xf0\x9f\x92\xb6",
                                      "[",    "]",     "=",  "{",
                                      "}",    ",",     " ",  "null"};

rc::Gen<std::string> anyText() {
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(pieces)),
                      [](const std::vector<std::string>& parts) {
                        std::string text;
                        for (const std::string& part : parts)
                          text += part;
                        return text;
                      });
}

MetadataEdit anyEdit() {
  MetadataEdit edit = *rc::gen::arbitrary<bool>() ? MetadataEdit::unsetAll() : MetadataEdit{};
  const auto changes = *rc::gen::inRange(0, 4);
  for (int i = 0; i < changes; ++i) {
    const std::string key = *anyText();
    if (*rc::gen::arbitrary<bool>()) {
      edit.unset(key);
    } else {
      edit.set(key, *anyText());
    }
  }
  return edit;
}

Report anyReport() {
  Report report{.id = *anyText(), .outcome = *anyText()};
  if (*rc::gen::arbitrary<bool>()) report.time.emplace(seconds{*rc::gen::arbitrary<std::int64_t>()});
  report.metadata = anyEdit();
  report.attempt = *anyText();
  report.reference = *anyText();
  return report;
}

RC_GTEST_PROP(ReportText, RoundTripsOnOneLine, ()) {
  const Report report = anyReport();
  const std::string text = report.toText();
  RC_ASSERT(text.find('\n') == std::string::npos);
  const auto read = Report::fromText(text);
  RC_ASSERT(read.has_value());
  RC_ASSERT(read.value() == report);
}

/// What check() accepts can be kept in a journal. One text at a time is unusual, so that many are accepted.
RC_GTEST_PROP(ReportText, RoundTripsForEveryReportThatCanBeSent, ()) {
  const int unusual = *rc::gen::inRange(0, 6);
  const auto text = [&](int which) {
    if (which != unusual) return std::string{"a"};
    const auto piece = rc::gen::element<std::string>("", "é", "\xff", "\xc3", "\xed\xa0\x80", "\xf0\x9f",
                                                     std::string(1, '\0'), "\"", "\n");
    return *piece + *piece;
  };
  const auto time = *rc::gen::element<std::int64_t>(-1, 0, 1, std::numeric_limits<std::int64_t>::max());
  Report report{.id = "pr_1" + text(0),
                .outcome = *rc::gen::element<std::string>("failed", "canceled", "guaranteed"),
                .time = sys_seconds{seconds{time}},
                .attempt = "par_1" + text(1),
                .reference = text(2)};
  report.metadata.set("key" + text(3), text(4));
  report.metadata.unset("other" + text(5));
  if (report.check()) return;
  const auto read = Report::fromText(report.toText());
  RC_ASSERT(read.has_value());
  RC_ASSERT(read.value() == report);
}

TEST(ReportCheck, ReportsWhichMemberIsNotUtf8) {
  const auto faultOf = [](const Report& report) {
    const auto error = report.check();
    return error ? error->param() + ' ' + error->message() : "none";
  };
  const Report report{.id = "pr_1", .outcome = "failed", .time = sys_seconds{}, .attempt = "par_1"};
  EXPECT_EQ(faultOf(report), "none");
  for (const auto& [name, member] : {std::pair{"id", &Report::id},
                                     {"outcome", &Report::outcome},
                                     {"attempt", &Report::attempt},
                                     {"reference", &Report::reference}}) {
    Report damaged = report;
    damaged.*member += '\xff';
    EXPECT_EQ(faultOf(damaged), std::string{name} + " is not UTF-8");
  }
  Report damaged = report;
  damaged.metadata.set("a", "\xff");
  EXPECT_EQ(faultOf(damaged), "metadata is not UTF-8");
  damaged.metadata = {};
  damaged.metadata.unset("\xff");
  EXPECT_EQ(faultOf(damaged), "metadata is not UTF-8");
}

RC_GTEST_PROP(ReportText, IsEitherReadOrRefusedWithAReasonWhenDamaged, ()) {
  std::string text = anyReport().toText();
  const auto damages = *rc::gen::inRange(1, 4);
  for (int i = 0; i < damages; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
    if (*rc::gen::arbitrary<bool>()) {
      text.insert(at, 1, *rc::gen::arbitrary<char>());
    } else {
      text.erase(at, *rc::gen::inRange<std::size_t>(1, 9));
    }
  }
  const auto read = Report::fromText(text);
  if (read) {
    RC_ASSERT(Report::fromText(read.value().toText()).value() == read.value());
  } else {
    RC_ASSERT(read.error().kind() == ErrorKind::invalidParameter);
    RC_ASSERT(!read.error().message().empty());
  }
}

RC_GTEST_PROP(ReportText, IsReadOrRefusedWithoutAnException, (const std::string& text)) {
  (void)Report::fromText(text);
}

TEST(ReportText, IsAJsonObject) {
  MetadataEdit edit{{"order", "42"}};
  edit.unset("till");
  const Report report{.id = "pr_1",
                      .outcome = "failed",
                      .time = sys_seconds{seconds{1767225600}},
                      .metadata = edit,
                      .attempt = "par_1",
                      .reference = "7"};
  EXPECT_EQ(report.toText(),
            R"({"id":"pr_1","outcome":"failed","time":1767225600,"metadata":{"order":"42","till":null},)"
            R"("attempt":"par_1","reference":"7"})");
  EXPECT_EQ((Report{.id = "pr_1", .outcome = "failed", .metadata = MetadataEdit::unsetAll()}.toText()),
            R"({"id":"pr_1","outcome":"failed","metadata":null})");
  EXPECT_EQ(Report::fromText(" { \"outcome\" : \"failed\" ,\t\"id\":\"pr_1\"}\r\n").value(),
            (Report{.id = "pr_1", .outcome = "failed"}));
}

TEST(ReportText, IsRefusedWithTheNameOfTheInvalidMember) {
  const auto errorOf = [](std::string_view text) {
    const auto read = Report::fromText(text);
    return read ? "none" : read.error().param() + ": " + read.error().message();
  };
  const auto with = [&](const std::string& members) {
    return errorOf(R"({"id":"pr_1","outcome":"failed",)" + members + '}');
  };
  EXPECT_EQ(errorOf(""), ": expected a JSON object");
  EXPECT_EQ(errorOf("[]"), ": expected a JSON object");
  EXPECT_EQ(errorOf("{}"), "id: is missing");
  EXPECT_EQ(errorOf(R"({"id":"pr_1"})"), "outcome: is missing");
  EXPECT_EQ(errorOf(R"({"id":7,"outcome":"failed"})"), "id: expected a string");
  EXPECT_EQ(errorOf(R"({"id":"pr_1","outcome":"failed"} x)"), ": expected nothing after the report");
  EXPECT_EQ(errorOf(R"({"id":"pr_1","outcome":"failed")"), ": not JSON at byte 31: expected ',' or '}'");
  EXPECT_EQ(with(R"("amount":1)"), "amount: is unknown");
  EXPECT_EQ(with(R"("id":"pr_2")"), "id: occurs twice");
  EXPECT_EQ(with(R"("time":"today")"), "time: expected whole seconds since the Unix epoch");
  EXPECT_EQ(with(R"("time":1.5)"), "time: expected whole seconds since the Unix epoch");
  EXPECT_EQ(with(R"("metadata":"x")"), "metadata: expected an object or null");
  EXPECT_EQ(with(R"("metadata":{"order":42})"), "metadata: expected a string or null");
  EXPECT_EQ(with(R"("metadata":null,"metadata":null)"), "metadata: occurs twice");
  EXPECT_EQ(with(R"("metadata":{},"metadata":{})"), "metadata: occurs twice");
  EXPECT_EQ(with("\"reference\":\"\xff\""), "reference: not JSON at byte 45: syntax error");
}

TEST(ReportText, IsPrintedOnOneLine) {
  std::ostringstream out;
  out << Report{.id = "pr_1", .outcome = "failed", .time = sys_seconds{seconds{1767225600}}} << '\n'
      << Report{.id = "pr\n1", .outcome = "failed", .metadata = {{"a", "b"}}, .reference = "row 7"};
  EXPECT_EQ(out.str(),
            "pr_1 failed at 2026-01-01T00:00:00Z\n"
            "\"pr\\n1\" failed, reference \"row 7\", metadata {a: \"b\"}");
}

}  // namespace
}  // namespace tally::test
