#pragma once

#include <tally/transport.h>

#include <curl/curl.h>

namespace tally::detail {

/// What a transfer that ended in `code` failed of. `answering` says whether the head of an answer had come.
[[nodiscard]] TransportFailure::Kind curlFailureKind(CURLcode code, bool sent, bool answering) noexcept;

}  // namespace tally::detail
