#pragma once

// Asynchronous calls: callbacks, futures and coroutines. Separate header: <tally/asio.h> for completion
// tokens, executors and cancellation slots of Asio.

#include <tally/async_client.h>
#include <tally/task.h>
