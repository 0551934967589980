#pragma once

#include <tally/detail/cpp20.h>

// Asynchronous calls: callbacks, futures and coroutines. The separate header <tally/asio.h> supports Asio's
// completion tokens, executors and cancellation slots.

#include <tally/async_client.h>
#include <tally/task.h>
