#pragma once

#include <memory>

#include <tally/fake/service.h>
#include <tally/transport.h>

namespace tally::conformance {

/// Whether the environment variable TALLY_EXCHANGES names a file for the exchanges of this run.
[[nodiscard]] bool recording();

/// If recording(), appends an exchange to the file: one JSON object per line. `faulty`: an injected fault may
/// have changed the response. Thread-safe.
void record(const HttpRequest& request, const HttpResponse& response, bool faulty);

/// If recording(), `inner` with its exchanges recorded, which `service` must outlive; otherwise `inner`.
[[nodiscard]] std::shared_ptr<Transport> recorded(std::shared_ptr<Transport> inner,
                                                  const fake::Service& service);

}  // namespace tally::conformance
