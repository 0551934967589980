#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include <tally/clock.h>
#include <tally/fake/script.h>
#include <tally/transport.h>

namespace tally::fake {

/// One request that the service was sent, and what it answered.
struct LoggedRequest {
  std::uint64_t number = 0;  ///< The requests of a service are numbered as they are logged, from 1.
  Instant time{};            ///< When it came, on the service's clock.
  Instant answered{};        ///< When its answer arrives.
  std::string account{};     ///< For which the request acted; empty where no key was known.
  bool livemode = false;     ///< Of the key.
  std::string operation{};   ///< Such as `payment_records.retrieve`; empty where the path has none.
  std::string object{};      ///< The identifier in the path, if there is one.
  std::string method{};      ///< As HTTP has it; `request` knows only GET and POST.
  HttpRequest request{};     ///< As it came, with its key.
  int status = 0;            ///< 0 where a fault left it without an answer.
  std::string requestId{};   ///< Empty where the answer bore none.
  std::string errorCode{};   ///< Empty where all went well.
  std::string limit{};       ///< The limit that refused it, such as `global_rate`; empty if none did.
  /// Whether it did what it asks for, whatever was answered, and even if no answer was.
  bool processed = false;
  Fault fault = Fault::none;  ///< What did happen to it of what was scripted.
};

/// As `2026-01-01T00:00:00Z POST payment_records.report_failed of pr_1: 429 lock_timeout`, and `no answer,
/// answer lost, processed` where the answer does not tell; without key and body.
std::ostream& operator<<(std::ostream& out, const LoggedRequest& request);

}  // namespace tally::fake
