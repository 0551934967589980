#pragma once

#include <cstddef>
#include <functional>

namespace tally::bench {

/// Performs that many operations. Throws std::runtime_error if a result is wrong.
using Perform = std::function<void(std::size_t count)>;

// Each prepares a path through the client or the fake, in one thread. What is counted depends on neither the
// machine nor the time: see docs/decisions/0029-counts.md.

// The client alone: responses come from memory.
[[nodiscard]] Perform retrieve();
[[nodiscard]] Perform report();
[[nodiscard]] Perform listPage();    // of ten records, in the middle of a list
[[nodiscard]] Perform searchPage();  // the same for a search
[[nodiscard]] Perform retry();       // a report that succeeds after a lock timeout
[[nodiscard]] Perform asyncCall();   // a retrieve with a callback, one of 64 in flight
[[nodiscard]] Perform coroutine();   // a retrieve that a coroutine awaits
[[nodiscard]] Perform bulkRow();
[[nodiscard]] Perform bulkRowWithJournal();

// The client with the fake.
[[nodiscard]] Perform simulatedCall();  // a retrieve by one of 64 coroutines

// The fake alone.
[[nodiscard]] Perform fakeRetrieve();
[[nodiscard]] Perform fakeReport();
[[nodiscard]] Perform servedRequest();  // by the server of tally-fake, on a connection that stays open

}  // namespace tally::bench
