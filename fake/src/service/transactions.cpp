#include <stdexcept>
#include <string>

#include <tally/fake/transactions.h>

#include "engine/engine.h"
#include "service/input_check.h"

namespace tally::fake {

using detail::ReadCounters;

void Transactions::record(std::string_view key, std::int64_t count) {
  detail::checkCount(count, "transaction");
  const auto change = engine_->change();
  const Instant now = engine_->clock()->now();
  detail::SlidingWindow& transactions = change->accounts.ownerOf(key).mode().reads.transactions;
  if (count > ReadCounters::mostTransactions - transactions.count(now))
    throw std::invalid_argument{"expected at most " + std::to_string(ReadCounters::mostTransactions) +
                                " transactions in the window of the read allocation"};
  transactions.add(now, count);
}

}  // namespace tally::fake
