#include <fstream>
#include <limits>
#include <ranges>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <tally/report_all.h>
#include <tally/report_reader.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

static_assert(std::ranges::input_range<ReportReader>);
static_assert(std::convertible_to<std::ranges::range_reference_t<ReportReader>, Result<Report>>);

/// All rows, each as one text: number and line, then the report or the error's message and parameter.
std::vector<std::string> rowsOf(const std::string& text, ReportFormat format = ReportFormat::csv) {
  std::istringstream in{text};
  ReportReader reader{in, format};
  std::vector<std::string> rows;
  while (const auto row = reader.next()) {
    std::string line = std::to_string(row->number) + '/' + std::to_string(row->line) + ' ';
    const auto& report = row->report;
    line += report ? report.value().toText()
                   : report.error().message() +
                         (report.error().param().empty() ? "" : " (" + report.error().param() + ')');
    rows.push_back(std::move(line));
  }
  return rows;
}

/// What the constructor throws.
std::string problemOf(const std::string& text) {
  try {
    (void)rowsOf(text);
  } catch (const ReportFileError& error) {
    return error.what();
  }
  return "none";
}

TEST(ReportReader, RefusesRowsThatEndedAsUnknownOrUnsentInAnEarlierRun) {
  EXPECT_THAT(
      rowsOf("row,line,end,reason,id,outcome\n3,4,refused,no,pr_1,failed\n5,6,,,pr_2,failed\n"
             "7,8,unknown,lost,pr_3,failed\n9,10,unsent,,pr_4,failed\n"),
      ElementsAre(R"(1/2 {"id":"pr_1","outcome":"failed"})", R"(2/3 {"id":"pr_2","outcome":"failed"})",
                  "3/4 line 4, column 5: this row ended as 'unknown', so it may have been applied, or its "
                  "job may still send it: look at "
                  "its object; to report the row, empty this field (end)",
                  HasSubstr("4/5 line 5, column 6: this row ended as 'unsent'")));
}

TEST(ReportReader, ReturnsTheColumnNamesOfACsvFile) {
  std::istringstream csv{"id,outcome,metadata[a]\n"};
  EXPECT_THAT(ReportReader{csv}.columns(), ElementsAre("id", "outcome", "metadata[a]"));
  std::istringstream ndjson{"{}"};
  EXPECT_THAT((ReportReader{ndjson, ReportFormat::ndjson}.columns()), IsEmpty());
}

TEST(ReportReader, ReturnsTheFieldsOfABadRowBeforeItsFault) {
  std::istringstream in{
      "id,outcome,time\npr_1,failed,soon\npr_2,failed\npr_3,\"fai\"\"led\",0,\n"
      "pr_4,fai\"led,0\npr_5,\"failed\"x,0\npr_6,failed,0\rx\npr_7,failed,0\npr_8,failed,\"0\n"};
  ReportReader reader{in};
  std::vector<std::vector<std::string>> rows;
  while (auto row = reader.next())
    rows.push_back(std::move(row->fields));
  using Fields = std::vector<std::string>;
  EXPECT_THAT(rows, ElementsAre(Fields{"pr_1", "failed", "soon"}, Fields{"pr_2", "failed"},
                                Fields{"pr_3", "fai\"led", "0", ""}, Fields{"pr_4"}, Fields{"pr_5"}, Fields{},
                                Fields{}, Fields{"pr_8", "failed"}));
}

TEST(ReportReader, ReadsAllColumnsInAnyOrder) {
  EXPECT_THAT(
      rowsOf("outcome,id,metadata[order],reference,attempt,time\n"
             "failed,pr_1,42,r7,par_1,1767225600\nguaranteed,pr_2,,,,\n"),
      ElementsAre(R"(1/2 {"id":"pr_1","outcome":"failed","time":1767225600,"metadata":{"order":"42"},)"
                  R"("attempt":"par_1","reference":"r7"})",
                  R"(2/3 {"id":"pr_2","outcome":"guaranteed"})"));
}

TEST(ReportReader, ReadsQuotedFields) {
  EXPECT_THAT(rowsOf("id,outcome,reference\npr_1,failed,\"a, \"\"b\"\"\nc\"\n\"pr_2\",\"failed\",\"\"\n"),
              ElementsAre(R"(1/2 {"id":"pr_1","outcome":"failed","reference":"a, \"b\"\nc"})",
                          R"(2/4 {"id":"pr_2","outcome":"failed"})"));
}

TEST(ReportReader, SkipsTheByteOrderMarkCarriageReturnsAndEmptyLines) {
  EXPECT_THAT(
      rowsOf("\xEF\xBB\xBFid,outcome\r\n\r\npr_1,failed\r\n\n\npr_2,failed"),
      ElementsAre(R"(1/3 {"id":"pr_1","outcome":"failed"})", R"(2/6 {"id":"pr_2","outcome":"failed"})"));
  EXPECT_THAT(rowsOf("id,outcome,reference\r\npr_1,failed,\"a\r\nb\"\r\n"),
              ElementsAre(R"(1/2 {"id":"pr_1","outcome":"failed","reference":"a\nb"})"));
}

TEST(ReportReader, ReturnsNoRowsForInputWithoutData) {
  EXPECT_THAT(rowsOf("id,outcome\n"), IsEmpty());
  EXPECT_THAT(rowsOf("", ReportFormat::ndjson), IsEmpty());
  EXPECT_THAT(rowsOf("\xEF\xBB\xBF\n\r\n  \n", ReportFormat::ndjson), IsEmpty());
}

TEST(ReportReader, RefusesAnInvalidHeader) {
  EXPECT_THAT(problemOf(""), HasSubstr("line 1: the file is empty; it must begin with a header"));
  EXPECT_THAT(problemOf("\n\r\n"), HasSubstr("the file is empty"));
  EXPECT_EQ(problemOf("\nid,time\n"), "line 2, column 1: the header lacks the column outcome");
  EXPECT_EQ(problemOf("outcome"), "line 1, column 1: the header lacks the column id");
  EXPECT_EQ(
      problemOf("id,outcome,amount\n"),
      "line 1, column 12: the header has the unknown column 'amount'; the columns are id, outcome, time, "
      "attempt, reference and metadata[KEY]");
  EXPECT_EQ(
      problemOf("id;outcome;time\n"),
      "line 1, column 1: the header has the unknown column 'id;outcome;time'; separate the columns with "
      "commas");
  EXPECT_EQ(problemOf("id,outcome,id\n"), "line 1, column 1: the header has the column id twice; remove one");
  EXPECT_THAT(problemOf("id,outcome,\"time\n"), HasSubstr("line 1, column 12: a quoted field does not end"));
  EXPECT_EQ(problemOf("\xFF\xFEi\0d\0"), "line 1: the file is UTF-16; save it as UTF-8");
}

TEST(ReportReader, ReportsThePositionOfAnInvalidRowAndHowToCorrectIt) {
  EXPECT_THAT(
      rowsOf(std::string{
          "id,outcome,reference\npr_1,failed\npr_2,fai\"led,x\npr_3,\"failed\"x,y\npr_4,fa\0iled,\n"
          "pr_5,failed,a\rb\npr_6,failed,\n",
          std::string_view{"id,outcome,reference\npr_1,failed\npr_2,fai\"led,x\npr_3,\"failed\"x,y\n"
                           "pr_4,fa.iled,\npr_5,failed,a.b\npr_6,failed,\n"}
              .size()}),
      ElementsAre("1/2 line 2, column 1: expected 3 fields as in the header, not 2",
                  "2/3 line 3, column 9: a misplaced quote; put quotes around the whole field, and double "
                  "any quotes inside it",
                  "3/4 line 4, column 14: text after a closing quote; double any quotes inside a field",
                  "4/5 line 5, column 8: a NUL character; remove it, or save the file as UTF-8",
                  "5/6 line 6, column 14: a carriage return within the line; end lines with LF or CRLF",
                  R"(6/7 {"id":"pr_6","outcome":"failed"})"));
}

TEST(ReportReader, AcceptsOnlyTwoTimeFormats) {
  const auto timeOf = [](const std::string& time) {
    return rowsOf("time,id,outcome\n" + time + ",pr_1,failed\n").at(0);
  };
  EXPECT_THAT(timeOf("2026-01-31T12:00:00Z"), HasSubstr("\"time\":1769860800"));
  EXPECT_THAT(timeOf("2026-01-31T23:45:09Z"), HasSubstr("\"time\":1769903109"));
  EXPECT_THAT(timeOf("9223372036854775807"), HasSubstr("\"time\":9223372036854775807"));
  for (const char* bad :
       {"soon", "1e9", "+5", " 5", "5 ", "0x10", "1.5", "9223372036854775808", "2026-02-30T00:00:00Z",
        "2026-01-31", "2026-01-31T12:00:00", "2026-01-31 12:00:00Z", "2026-1-31T12:00:00Z0"}) {
    EXPECT_EQ(timeOf(bad),
              std::string{"1/2 line 2, column 1: '"} + bad +
                  "' is not a time; write seconds since 1970, or a time like 2026-01-31T12:00:00Z (time)");
  }
}

TEST(ReportReader, StopsAtAnUnclosedQuotedField) {
  const std::string problem =
      "the rows after it have not been read. Add the closing quote, or remove the opening one";
  EXPECT_THAT(rowsOf("id,outcome\npr_1,failed\npr_2,\"failed\npr_3,failed\n"),
              ElementsAre(R"(1/2 {"id":"pr_1","outcome":"failed"})",
                          "2/3 line 3, column 6: a quoted field does not end; " + problem));
  std::string lines;
  for (int n = 0; n < 100'000; ++n)
    lines += "pr_3,failed,,,,\n";
  EXPECT_THAT(rowsOf("id,outcome\npr_2,\"failed\n" + lines),
              ElementsAre("1/2 line 2, column 6: a quoted field does not end within 1 MiB; " + problem));
}

/// What no line may have.
const std::string faultsOfLines[] = {"a\rb", std::string{"a\0b", 3}, std::string(1'048'577, 'x')};

/// Rows of a file whose second row looks like two, because its note has lines.
std::vector<std::string> rowsWithNote(const std::string& note) {
  return rowsOf("id,outcome,metadata[note]\npr_1,failed,\npr_A,failed,\"" + note + "\"\npr_2,failed,\n");
}

TEST(ReportReader, ReadsNoRowFromAQuotedFieldWithAFaultyLine) {
  for (const std::string& fault : faultsOfLines) {
    for (const std::string& note :
         {fault + "\npr_B,guaranteed,see below\nbye", "hi\n" + fault + "\npr_B,guaranteed,see below\nbye",
          "hi\npr_B,guaranteed,see below\n" + fault + " bye",
          "a \"\"b\n" + fault + "\"\"\npr_B,guaranteed,"}) {
      const auto rows = rowsWithNote(note);
      ASSERT_EQ(rows.size(), 3U) << note.substr(0, 100);
      EXPECT_EQ(rows[0], R"(1/2 {"id":"pr_1","outcome":"failed"})");
      EXPECT_THAT(rows[1], testing::StartsWith("2/3 line "));
      EXPECT_THAT(rows[2], testing::MatchesRegex(R"(3/[67] \{"id":"pr_2","outcome":"failed"\})"));
    }
  }
}

TEST(ReportReader, ReportsWhereARowWithAFaultyLineEnds) {
  EXPECT_THAT(rowsWithNote("hello\r\r\npr_B,guaranteed,see below\nbye").at(1),
              AllOf(testing::StartsWith("2/3 line 3, column 19: a carriage return within the line; "),
                    testing::EndsWith("; the row ends on line 5")));
}

TEST(ReportReader, StopsAtAnUnclosedQuotedFieldWithAFaultyLine) {
  for (const std::string& fault : faultsOfLines) {
    for (const std::string& start : {std::string{}, std::string{"hi\n"}})
      EXPECT_THAT(
          rowsOf("id,outcome\npr_A,\"" + start + fault + "\npr_B,guaranteed\n"),
          ElementsAre(AllOf(testing::StartsWith("1/2 line "),
                            testing::EndsWith("; a quoted field of this row does not end, so the rows "
                                              "after it have not been read"))));
  }
}

TEST(ReportReader, RefusesAnOverlongLineAndReadsTheNextLine) {
  const std::string longest(1'048'576 - 12, 'x');
  const auto rows = rowsOf("id,outcome,reference\npr_1,failed," + longest + "\npr_2,failed," + longest +
                           "y\npr_3,failed,\n");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_THAT(rows[0], testing::StartsWith(R"(1/2 {"id":"pr_1")"));
  EXPECT_EQ(rows[1], "2/3 line 3, column 1048577: the line is longer than 1 MiB");
  EXPECT_THAT(rows[2], testing::StartsWith(R"(3/4 {"id":"pr_3")"));
}

/// Some programs quote fields with a comma or a line break only.
TEST(ReportReader, ReadsNoRowFromAQuotedFieldAfterAMisplacedQuote) {
  for (const std::string& field :
       {std::string{"12\" pipe"}, std::string{"\"a\"b"}, std::string{"\"a\"b\"c\""}}) {
    const auto rows = rowsOf("id,outcome,reference,metadata[note]\npr_A,failed," + field +
                             ",\"hello\npr_B,guaranteed,,see below\nbye, \"\"you\"\"\"\npr_C,failed,,\n");
    EXPECT_THAT(rows, ElementsAre(AllOf(testing::StartsWith("1/2 line 2, column "), HasSubstr(" quote"),
                                        testing::EndsWith("; the row ends on line 4")),
                                  R"(2/5 {"id":"pr_C","outcome":"failed"})"))
        << field;
  }
}

TEST(ReportReader, StopsAtAnUnclosedQuotedFieldAfterAMisplacedQuote) {
  EXPECT_THAT(rowsOf("id,outcome,reference,metadata[note]\npr_A,failed,12\" pipe,\"hello\npr_B,failed,,\n"),
              ElementsAre(AllOf(testing::StartsWith("1/2 line 2, column "), HasSubstr(" misplaced quote"),
                                testing::EndsWith("; a quoted field of this row does not end, so the rows "
                                                  "after it have not been read"))));
}

TEST(ReportReader, RefusesAnOverlongRowInLittleMemory) {
  std::string fields;
  for (int n = 0; n < 1'000'000; ++n)
    fields += "\"\n\",";
  std::istringstream in{"id,outcome\n" + fields + "\npr_2,failed\n"};
  ReportReader reader{in};
  const auto row = reader.next();
  ASSERT_TRUE(row);
  ASSERT_FALSE(row->report);
  EXPECT_EQ(row->report.error().message(),
            "line 2, column 1: the row is longer than 1 MiB; the row ends on line 1000002");
  EXPECT_LT(row->fields.size(), 300'000U);
  const auto next = reader.next();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->line, 1'000'003U);
  EXPECT_TRUE(next->report);
}

TEST(ReportReader, ReadsTheLongestLineWhateverItsEnd) {
  const std::string longest = "pr_1,failed," + std::string(1'048'576 - 12, 'x');
  for (const char* end : {"", "\n", "\r\n"})
    EXPECT_THAT(rowsOf("id,outcome,reference\n" + longest + end),
                ElementsAre(testing::StartsWith(R"(1/2 {"id":"pr_1")")));
}

TEST(ReportReader, ReadsOneJsonObjectPerLine) {
  const std::string text =
      "\xEF\xBB\xBF{\"id\":\"pr_1\",\"outcome\":\"failed\"}\r\n\n  \n[]\n{\"id\":\"pr_2\",\"time\":\"x\"}\n" +
      std::string("{\"id\":\"a\0b\"}\n", 13) + "{\"id\":\"pr_3\",\"outcome\":\"lost\"}";
  EXPECT_THAT(
      rowsOf(text, ReportFormat::ndjson),
      ElementsAre(R"(1/1 {"id":"pr_1","outcome":"failed"})", HasSubstr("2/4 line 4: expected a JSON object"),
                  AllOf(HasSubstr("3/5 line 5: "), HasSubstr("(time)")),
                  HasSubstr("4/6 line 6, column 9: a NUL character"),
                  R"(5/7 {"id":"pr_3","outcome":"lost"})"));
}

TEST(ReportReader, RefusesAFileThatCannotBeOpened) {
  std::ifstream missing{"/nonexistent"};
  EXPECT_THAT([&] { ReportReader{missing}; },
              ThrowsMessage<ReportFileError>("line 1: the file can't be opened"));
}

/// A file on a broken disk: its first bytes can be read. (std::ifstream of libc++ takes that for its end.)
class BrokenFile : public std::stringbuf {
 public:
  using std::stringbuf::stringbuf;

 protected:
  int_type underflow() override { throw std::ios_base::failure{"the disk is broken"}; }
};

TEST(ReportReader, RefusesAFileWhoseRestCannotBeRead) {
  for (const auto& [content, line] :
       {std::pair{"", "1"}, {"id,outcome\n", "2"}, {"id,outcome\npr_1,", "2"}}) {
    BrokenFile file{content};
    std::istream in{&file};
    EXPECT_THAT(
        [&] {
          ReportReader reader{in};
          (void)reader.next();
        },
        ThrowsMessage<ReportFileError>(testing::StartsWith(std::string{"line "} + line +
                                                           ": the file can't be read: the disk is broken")));
  }
}

TEST(ReportReader, ContinuesAfterABreakOutOfARangeLoop) {
  std::istringstream in{"id,outcome\npr_1,failed\npr_2\npr_3,failed\n"};
  ReportReader reader{in};
  for (const Result<Report>& row : reader) {
    EXPECT_EQ(row.value().id, "pr_1");
    break;
  }
  std::vector<bool> good;
  for (const Result<Report>& row : reader)
    good.push_back(row.has_value());
  EXPECT_THAT(good, ElementsAre(false, true));
}

TEST(ReportReader, ReturnsRowsThatCanBePrinted) {
  std::istringstream in{"id,outcome\n\npr_1,failed\npr_2\n"};
  ReportReader reader{in};
  EXPECT_EQ(testing::PrintToString(*reader.next()), "row 1, line 3: pr_1 failed");
  EXPECT_THAT(testing::PrintToString(*reader.next()),
              HasSubstr("row 2, line 4: invalid parameter: line 4, column 1"));
  EXPECT_EQ(testing::PrintToString(ReportFormat::ndjson), "ndjson");
}

}  // namespace
}  // namespace tally::test
