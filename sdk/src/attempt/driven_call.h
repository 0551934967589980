#pragma once

#include <optional>

#include <tally/error.h>
#include <tally/transport.h>

#include "attempt/call_report.h"
#include "attempt/call_state_machine.h"
#include "http/response_reader.h"
#include "pacing/paced_call.h"

namespace tally::detail {

/// The steps that are the same for all drivers: who is notified of what when a request is sent and when it
/// ends.
struct DrivenCall {
  CallStateMachine& machine;
  CallReport& report;
  const Reader& reader;
  const HttpRequest& request;
  PacedCall* paced = nullptr;  // null without a pacer

  void sending(Instant from) const;
  [[nodiscard]] CallStateMachine::Step ended(Instant now, TransportResult& result) const;
  /// For a detached request, after which there is no step. Returns its error; null on success.
  std::optional<Error> detachedEnded(Instant now, TransportResult& result) const;
};

}  // namespace tally::detail
