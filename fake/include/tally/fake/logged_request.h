#pragma once

#include <string>

#include <tally/clock.h>
#include <tally/transport.h>

namespace tally::fake {

/// One request that the service was sent, and what it answered.
struct LoggedRequest {
  Instant time{};           ///< On the service's clock.
  std::string account{};    ///< For which the request acted; empty where no key was known.
  bool livemode = false;    ///< Of the key.
  std::string operation{};  ///< Such as `payment_records.retrieve`; empty where the path has none.
  std::string object{};     ///< The identifier in the path, if there is one.
  HttpRequest request{};    ///< As it came, with its key.
  int status = 0;
  std::string requestId{};  ///< Empty where the answer bore none.
  std::string errorCode{};  ///< Empty where all went well.
};

}  // namespace tally::fake
