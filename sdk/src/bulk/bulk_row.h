#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include <tally/clock.h>
#include <tally/error.h>
#include <tally/report.h>
#include <tally/report_journal.h>

#include "reports/prepared_report.h"
#include "reports/report_resolver.h"
#include "schema/any_object.h"

namespace tally::detail {

/// What a report needs next.
enum class Action : std::uint8_t { read, send, resolve };

struct Lane;

/// A report of a job, from when it is read from the input until its result is delivered.
struct BulkRow {
  std::uint64_t number = 0;
  Report report{};
  std::string text{};  // as the journal identifies it
  PreparedReport prepared{};
  std::shared_ptr<const AnyObject> before{};  // the object before the report; null if not known

  Action action = Action::send;
  bool intended = false;             // the journal has the intent, or may have it
  bool inTurn = false;               // first among the reports on its object
  Lane* lane = nullptr;              // in which it occupies a place
  Instant queued{};                  // since when it has waited for a place
  Instant begun{};                   // when it got one
  std::optional<Instant> failing{};  // since the first failure that no limit has caused
  int failures = 0;

  // How the last call ended, as the sender tells it.
  std::optional<Error> error{};
  CheckFacts facts{};                   // of Action::resolve
  std::shared_ptr<AnyObject> object{};  // as returned, if there was no error

  // How the report ended.
  ReportEnd end = ReportEnd::unsent;
  bool pending = false;
  std::string reason{};

  [[nodiscard]] const Resource& resource() const { return *prepared.operation->resource; }
};

/// The rows of a job by their numbers.
using BulkRows = std::unordered_map<std::uint64_t, BulkRow>;

}  // namespace tally::detail
