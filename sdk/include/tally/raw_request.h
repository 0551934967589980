#pragma once

#include <tally/detail/cpp20.h>

#include <iosfwd>
#include <string>
#include <vector>

#include <tally/json.h>
#include <tally/last_response.h>
#include <tally/param.h>
#include <tally/transport.h>

namespace [[gnu::visibility("default")]] tally {

/// A request that no typed method covers, for operations and parameters that are unknown to this version.
struct RawRequest {
  Method method = Method::get;
  /// Starts with `/`, as in `/v1/payouts/po_1`. Percent-encoded by the caller, without a query.
  std::string path{};
  /// Sent in this order, in the query of a GET or the form of a POST. Names may repeat.
  std::vector<Param> params{};
  /// The JSON body of a POST, in place of a form, sent unchanged. Empty: none.
  RawJson json{};

  friend std::ostream& operator<<(std::ostream& out, const RawRequest& value);
};

/// The response to a RawRequest.
struct RawResponse {
  RawJson json{};  ///< The body as compact JSON; numbers keep their spelling. A 204 or 205 may have none.
  LastResponse lastResponse{};

  friend std::ostream& operator<<(std::ostream& out, const RawResponse& value);
};

}  // namespace tally
