#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <tally/client.h>
#include <tally/fake/saved_service.h>
#include <tally/report_all.h>
#include <tally/sqlite_journal.h>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "temporary_folder.h"

namespace tally::test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::string earlierFiles = std::string{TALLY_FIXTURES} + "/0.1.0/";

/// The service as tally-fake 0.1.0 saved it when the job was killed.
fake::Service earlierService() {
  std::ifstream file{earlierFiles + "state.json"};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  return fake::importJson(boost::json::serialize(boost::json::parse(text).at("services").at(0)));
}

struct JournalRow {
  std::string state{};
  std::string report{};
};

std::vector<JournalRow> rowsOf(const std::string& path) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  std::vector<JournalRow> rows;
  const auto add = [](void* to, int, char** values, char**) {
    static_cast<std::vector<JournalRow>*>(to)->push_back({values[0], values[1]});
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(database, "SELECT state, report FROM reports ORDER BY row", add, &rows, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
  return rows;
}

std::size_t countOf(const std::vector<JournalRow>& rows, const std::string& state) {
  return static_cast<std::size_t>(std::ranges::count(rows, state, &JournalRow::state));
}

/// A job of 33 reports that was killed after 27 had been applied and 3 refused, while 3 were in flight.
TEST(JournalOfAnEarlierVersion, LetsItsJobSendOnlyUnfinishedReports) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "reports.journal").string();
  std::filesystem::copy_file(earlierFiles + "reports.journal", path);
  const std::vector<JournalRow> before = rowsOf(path);
  ASSERT_THAT(before, SizeIs(33));
  ASSERT_EQ(countOf(before, "sent"), 3U);
  std::vector<Report> reports;
  for (const JournalRow& row : before)
    reports.push_back(Report::fromText(row.report).value());

  fake::Service service = earlierService();
  service.faults().clear();
  Client client{service.clientOptions("sk_test_EsAviJUjvlJUUT29gtfilWJY")};
  const auto run = [&] {
    return reportAll(client, reports,
                     {.journal = std::make_shared<SqliteJournal>(path),
                      .source = "reports.csv 14781482383899398671",
                      .account = "shop"});
  };

  const ReportSummary summary = run();
  EXPECT_THAT(summary.problem, IsEmpty());
  EXPECT_TRUE(summary.isComplete);
  EXPECT_EQ(summary.progress.applied, 30U);
  EXPECT_EQ(summary.progress.refused, 3U);
  EXPECT_EQ(summary.progress.fromEarlierRun, 30U);
  std::vector<std::string> sent;
  for (const fake::LoggedRequest& request : service.requests().list())
    if (request.request.method == Method::post) sent.push_back(request.object);
  std::vector<std::string> missing;
  for (std::size_t row = 0; row < before.size(); ++row)
    if (before[row].state == "sent") missing.push_back(reports[row].id);
  EXPECT_THAT(sent, ::testing::UnorderedElementsAreArray(missing));
  EXPECT_EQ(countOf(rowsOf(path), "done"), 30U) << "the text of the state stays";

  service.requests().clear();
  EXPECT_TRUE(run().isComplete);
  EXPECT_THAT(service.requests().list(), IsEmpty()) << "nothing is left to send";
}

}  // namespace
}  // namespace tally::test
