#pragma once

#include <variant>

#include <tally/transport.h>

namespace tally::fake::detail {

/// Whether a request with this result may have reached the service.
[[nodiscard]] inline bool mayHaveBeenSent(const TransportResult& result) noexcept {
  const auto* failure = std::get_if<TransportFailure>(&result);
  return failure == nullptr || failure->mayHaveBeenSent;
}

}  // namespace tally::fake::detail
