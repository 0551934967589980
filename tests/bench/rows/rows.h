#pragma once

#include "bench/support/table.h"

namespace tally::bench {

// Each measures one figure and checks the result of the measured work. Throws std::runtime_error if it is
// wrong.

[[nodiscard]] Row decodePage();
[[nodiscard]] Row decodePageOnDemand();
[[nodiscard]] Row retrieve();
[[nodiscard]] Row report();
[[nodiscard]] Row reportWithLimits();
[[nodiscard]] Row observedByCounters();
[[nodiscard]] Row startService();
[[nodiscard]] Row sharedByThreads();
[[nodiscard]] Row threadsInVirtualTime();
[[nodiscard]] Row servedOnOneConnection();
[[nodiscard]] Row servedOnEightConnections();
[[nodiscard]] Row servedPipelined();
[[nodiscard]] Row recorded();
[[nodiscard]] Row startProgram();
[[nodiscard]] Row retrieveOverLoopback();
[[nodiscard]] Row retrieveBesideSocket();
[[nodiscard]] Row walkOverLoopback();
[[nodiscard]] Row walkOverLoopbackPageByPage();
[[nodiscard]] Row walkMemory();
[[nodiscard]] Row asyncGets();
[[nodiscard]] Row asyncGetsWaiting();
[[nodiscard]] Row asyncConnections();
[[nodiscard]] Row asyncPolled1();
[[nodiscard]] Row asyncPolled64();
[[nodiscard]] Row asyncPolled500();
[[nodiscard]] Row asyncPolled2000();
[[nodiscard]] Row asyncAwaited();
[[nodiscard]] Row asyncFutures();
[[nodiscard]] Row asyncExecutor();
[[nodiscard]] Row asyncMemoryWaiting();
[[nodiscard]] Row asyncMemoryInFlight();
[[nodiscard]] Row simulatedRetrieves();
[[nodiscard]] Row simulatedReports();
[[nodiscard]] Row simulationMemory();
[[nodiscard]] Row listPages();
[[nodiscard]] Row storeMemory();
[[nodiscard]] Row searches();
[[nodiscard]] Row idleAccountMemory();
[[nodiscard]] Row droppedAccountsMemory();
[[nodiscard]] Row startWithAMillionRecords();
[[nodiscard]] Row memoryOfAMillionRecords();
[[nodiscard]] Row besideASearch();
[[nodiscard]] Row besideASearchServed();
[[nodiscard]] Row readsBesideASearchOfAMillion();
[[nodiscard]] Row compareRecording();
[[nodiscard]] Row compareMemory();
[[nodiscard]] Row compileTime();
[[nodiscard]] Row compileTimeAsync();
[[nodiscard]] Row compileTimeAsio();
[[nodiscard]] Row sizeOfOneCall();
[[nodiscard]] Row generateAll();
[[nodiscard]] Row pageFirstPaint();
[[nodiscard]] Row pageFilter();
[[nodiscard]] Row pageWithANewRequest();
[[nodiscard]] Row throughputWithThePage();
[[nodiscard]] Row outboxOnSqlite();
[[nodiscard]] Row outboxOnPostgres();
[[nodiscard]] Row outboxArrays();
[[nodiscard]] Row outboxSingleCalls();
[[nodiscard]] Row outboxLatency();
[[nodiscard]] Row outboxWrites();
[[nodiscard]] Row outboxIdle();
[[nodiscard]] Row outboxTakeover();
[[nodiscard]] Row outboxWithManyReports();
[[nodiscard]] Row outboxBloat();
[[nodiscard]] Row bulkWithJournal();
[[nodiscard]] Row bulkMemory();
[[nodiscard]] Row bulkRestart();
[[nodiscard]] Row bulkAtTheLimit();
[[nodiscard]] Row sharedSteadily();
[[nodiscard]] Row sharedChangingly();

}  // namespace tally::bench
