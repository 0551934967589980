#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "bulk/bulk_row.h"

namespace tally::detail {

/// The order of the reports on each object: the first has the turn, and the others wait until it has ended.
class ObjectQueues {
 public:
  /// Returns whether the report has the turn immediately.
  [[nodiscard]] bool add(BulkRow& row) {
    auto& queue = queues_[row.report.id];
    queue.push_back(&row);
    return queue.size() == 1;
  }

  /// The first report on its object has ended. Returns the next one; null if there is none.
  [[nodiscard]] BulkRow* ended(const BulkRow& row) {
    if (row.pending) undecided_.insert(row.report.id);
    const auto queue = queues_.find(row.report.id);
    queue->second.pop_front();
    if (!queue->second.empty()) return queue->second.front();
    queues_.erase(queue);
    return nullptr;
  }

  /// Whether a report on the object has ended pending. No other one may then be sent.
  [[nodiscard]] bool isUndecided(const std::string& id) const { return undecided_.contains(id); }
  void forget(const std::string& id) { undecided_.erase(id); }
  /// The number of such objects.
  [[nodiscard]] std::size_t undecided() const noexcept { return undecided_.size(); }

 private:
  // Most objects have one report, for which a deque would take 576 bytes.
  std::unordered_map<std::string, std::list<BulkRow*>> queues_{};
  std::unordered_set<std::string> undecided_{};
};

}  // namespace tally::detail
