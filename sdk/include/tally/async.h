#pragma once

#include <tally/detail/cpp20.h>

// Asynchronous calls: callbacks, futures and coroutines. The separate header <tally/asio.h> supports
// completion tokens, executors and cancellation slots of Asio.

#include <tally/async_client.h>
#include <tally/task.h>
