#include <chrono>
#include <cstddef>
#include <memory>
#include <ranges>
#include <string>

#include <tally/report_all.h>
#include <tally/sqlite_journal.h>
#include <tally/tally.h>

#include "bench/counts/canned.h"
#include "bench/counts/paths.h"
#include "bench/support/records.h"
#include "wire/temporary_folder.h"

namespace tally::bench {

namespace {

constexpr std::chrono::sys_seconds failedAt{std::chrono::seconds{1'767'225'600}};

/// Each on a record of its own, whose attempt is known. Making them is the work of the caller.
auto reports(std::size_t count) {
  return std::views::iota(std::size_t{0}, count) | std::views::transform([](std::size_t row) {
           const Uncounted uncounted;
           const std::string id = recordId(3 * row);  // one that has failed
           return Report{.id = id,
                         .outcome = "failed",
                         .time = failedAt,
                         .metadata = {{"row", "a number"}},
                         .attempt = "par_" + id.substr(3)};
         });
}

void run(const Client& client, std::size_t count, std::shared_ptr<ReportJournal> journal) {
  std::size_t done = 0;
  const ReportSummary summary =
      reportAll(client, reports(count), {.journal = std::move(journal), .source = "counts"},
                [&done](const ReportResult& result) { done += result.end == ReportEnd::applied ? 1 : 0; });
  check(summary.isComplete && done == count, "not all reports");
}

/// A new journal for each job. The folder goes with the last one.
class Journals {
 public:
  [[nodiscard]] std::shared_ptr<ReportJournal> next() {
    const Uncounted uncounted;
    return std::make_shared<SqliteJournal>(folder_.path() / ("journal" + std::to_string(++made_)));
  }

 private:
  test::TemporaryFolder folder_{};
  int made_ = 0;
};

}  // namespace

Perform bulkRow() {
  return [client = Client{cannedOptions(namedRecord)}](std::size_t count) { run(client, count, nullptr); };
}

Perform bulkRowWithJournal() {
  return [client = Client{cannedOptions(namedRecord)}, journals = std::make_shared<Journals>()](
             std::size_t count) { run(client, count, journals->next()); };
}

}  // namespace tally::bench
