#pragma once

#include <tally/tally.h>

/// Reports that a payment failed. If the response is lost, finds out whether the report was applied, and
/// sends it again only if it was not.
tally::Result<tally::PaymentRecord> reportFailure(const tally::Client& client,
                                                  const tally::PaymentRecord& payment,
                                                  tally::Timestamp failedAt);
