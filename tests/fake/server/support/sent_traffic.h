#pragma once

#include <string>

#include <tally/transport.h>

#include "fake/server/support/traffic.h"

namespace tally::test {

inline const std::string records = "/v1/payment_records";
inline const std::string intents = "/v1/payment_intents";

/// The identifier of the object in a response.
[[nodiscard]] std::string idIn(const HttpResponse& response);

/// The path of a report on a payment record, such as `failed`.
[[nodiscard]] std::string report(const std::string& id, const std::string& outcome);

/// Sends lists, reports, errors and searches of records that were there before.
void sendReports(Traffic& traffic);

/// Creates, updates and lists payment intents, and creates what depends on others.
void sendCreations(Traffic& traffic);

}  // namespace tally::test
