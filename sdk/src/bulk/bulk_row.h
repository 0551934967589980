#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include <tally/clock.h>
#include <tally/error.h>
#include <tally/report.h>
#include <tally/report_end.h>

#include "reports/lost_report.h"
#include "reports/prepared_report.h"
#include "reports/report_comparison.h"
#include "schema/any_object.h"

namespace tally::detail {

/// What a report needs next.
enum class Action : std::uint8_t { read, send, resolve };

struct CallQueue;

/// A report of a job, from when it is read from the source until its result is delivered.
struct BulkRow {
  std::uint64_t number = 0;
  Report report{};
  std::string text{};  // as the source and the journal identify it
  PreparedReport prepared{};
  std::shared_ptr<const AnyObject> before{};      // the object before the report; null if not known
  const std::string* connectedAccount = nullptr;  // of this row; null: that of all rows

  Action action = Action::send;
  bool intended = false;             // the intent is recorded, or may be
  bool inTurn = false;               // first among the reports on its object
  Instant turn{};                    // since when
  CallQueue* calling = nullptr;      // in which it occupies a slot
  Instant queued{};                  // since when it has waited for a slot
  Instant begun{};                   // when it got one
  std::optional<Instant> failing{};  // since the first failure that no limit has caused
  int failures = 0;

  // How the last call ended, as the sender tells it.
  std::optional<Error> error{};
  CheckFacts facts{};                   // of Action::resolve
  std::shared_ptr<AnyObject> object{};  // as returned, if there was no error
  bool failedToRead = false;            // it ended with the error of a read

  // How the report ended.
  ReportEnd end = ReportEnd::unsent;
  bool pending = false;
  std::string reason{};

  [[nodiscard]] const Resource& resource() const { return *prepared.operation->resource; }

  /// Whether the report leaves a trace that a read of its object finds.
  [[nodiscard]] bool isVisible() const {
    return resource().machine != nullptr && resource().machine->retrieve != nullptr;
  }
  [[nodiscard]] std::string_view attemptIn(const AnyObject& shown) const {
    return ownerOfStates(resource(), shown.ref());
  }
  /// Whether the object shows another attempt than that of the report.
  [[nodiscard]] bool isAboutOther(const AnyObject& shown) const {
    return isVisible() && !report.attempt.empty() && attemptIn(shown) != report.attempt;
  }
  /// The error of the last call, or of the request with which it sent the report again.
  [[nodiscard]] const Error* lastError() const {
    if (error) return &*error;
    return action == Action::resolve && facts.error ? &*facts.error : nullptr;
  }
  /// The next report on the object keeps it to compare with, and reads only its fields.
  void dropResponse() const {
    LastResponse* const response = object ? object->ref().lastResponse() : nullptr;
    if (response != nullptr) *response = {};
  }
};

/// The rows of a job by their numbers.
using BulkRows = std::unordered_map<std::uint64_t, BulkRow>;

}  // namespace tally::detail
