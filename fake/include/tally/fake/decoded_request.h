#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tally/error.h>
#include <tally/rate_limited_reason.h>
#include <tally/transport.h>

namespace tally::fake {

/// The service's error response that has this name in the API description, such as `lock_timeout`: see
/// FaultRule::error. The error has the status, type and code of that response. Its message still contains the
/// placeholders `{…}`. `reason` is meant for `rate_limit`. Throws std::invalid_argument for an unknown name.
/// Spec: "Errors".
[[nodiscard]] Error serviceError(std::string_view name, std::optional<RateLimitedReason> reason = {});

namespace detail {

/// A request decoded into the call that sent it, for mocks of services.
struct DecodedRequest {
  std::string operation{};  // such as `payment_records.report_failed`; empty if the path has none
  std::string path{};       // of the request
  std::string id{};         // in the path, decoded; empty if there is none
  bool isSearch = false;
  /// The parameters, as the type that the operation's method takes; null if it takes none, or if the
  /// parameters can't be read.
  std::shared_ptr<const void> params{};
  std::string problem{};  // why the parameters can't be read; empty if they can
};

/// Decodes a request. Ignores its API key.
[[nodiscard]] DecodedRequest decodeRequest(const HttpRequest& request);

/// What a client receives for an error. For an error with a status, this is the response of the service.
/// Otherwise, it is a failure of the transport; `mayHaveBeenSent` is true if the effect is unknown. Throws
/// std::invalid_argument for an error without a status whose kind is not ErrorKind::connection or
/// ErrorKind::timeout.
[[nodiscard]] TransportResult encodeError(const Error& error);

/// The response that contains an object, which is given as JSON.
[[nodiscard]] HttpResponse encodeObject(std::string json);

/// A page of a list or a search, with its objects as JSON.
struct EncodedPage {
  std::vector<std::string> data{};
  bool hasMore = false;
  std::string url{};  // empty: the path of the request
  std::optional<std::string> nextPage{};
  std::optional<std::int64_t> totalCount{};
};

/// The response that contains `page`. Spec: "List object", "Search result object".
[[nodiscard]] HttpResponse encodePage(const DecodedRequest& request, const EncodedPage& page);

}  // namespace detail

}  // namespace tally::fake
