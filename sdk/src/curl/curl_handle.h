#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <tally/curl_transport.h>

#include <curl/curl.h>

#include "curl/curl_transfer.h"

namespace tally::detail {

/// The kind of destination, which decides about proxies.
enum class Destination : std::uint8_t { plainLoopback, plain, secure };

/// Makes the transfers to one origin (scheme, host and port), one at a time. Kept between transfers, since it
/// holds everything that they share except the connection.
class CurlHandle {
 public:
  /// `options` must outlive this. Throws std::bad_alloc if libcurl is out of memory.
  CurlHandle(const CurlTransportOptions& options, std::string_view origin);
  CurlHandle(const CurlHandle&) = delete;
  CurlHandle& operator=(const CurlHandle&) = delete;

  [[nodiscard]] CURL* easy() const noexcept { return easy_.get(); }
  [[nodiscard]] const std::string& origin() const noexcept { return origin_; }

  /// Sets what the next transfer sends and where it writes. Both arguments are borrowed until clear(). Throws
  /// std::bad_alloc.
  void prepare(CurlTransfer& transfer, const HttpRequest& request, std::chrono::nanoseconds remaining);

  /// The response of a transfer that has ended, or why there is none. Throws std::bad_alloc.
  [[nodiscard]] TransportResult result(CURLcode code, CurlTransfer& transfer) const;

  /// Clears libcurl's pointers to borrowed memory. Call it after each transfer.
  void clear() noexcept;

 private:
  [[nodiscard]] TransportFailure failure(CURLcode code, const CurlTransfer& transfer) const;
  void noteWhatIsTooLarge(CURLcode code, CurlTransfer& transfer) const;

  std::string origin_;
  Destination destination_;
  const CurlTransportOptions& options_;
  CurlHeaders headers_{};
  std::array<char, CURL_ERROR_SIZE> problem_{};  // libcurl's message about the last failure; may be empty
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> easy_{curl_easy_init(), &curl_easy_cleanup};
};

}  // namespace tally::detail
