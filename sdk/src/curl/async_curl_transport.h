#pragma once

#include <memory>

#include <tally/curl_transport.h>

#include "event/async_transport.h"

namespace tally::detail {

/// The asynchronous form of curlTransport(), with connections of its own. `options` must have been checked,
/// and libcurl initialized. Throws std::system_error without file descriptors.
[[nodiscard]] std::unique_ptr<AsyncSetup> makeAsyncCurl(const std::shared_ptr<Clock>& clock,
                                                        const CurlTransportOptions& options);

}  // namespace tally::detail
