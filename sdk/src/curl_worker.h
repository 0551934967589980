#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <tally/curl_transport.h>

#include <curl/curl.h>

#include "curl_transfer.h"

namespace tally::detail {

/// Where a URL leads, which decides about proxies.
enum class Route : std::uint8_t { plainLoopback, plain, secure };

/// What one thread needs to make a transfer: kept between transfers, because it holds the open connections,
/// and whatever is the same for all of them.
class CurlWorker {
 public:
  explicit CurlWorker(const CurlTransportOptions& options);
  CurlWorker(const CurlWorker&) = delete;
  CurlWorker& operator=(const CurlWorker&) = delete;

  [[nodiscard]] CURL* easy() const noexcept { return easy_.get(); }
  [[nodiscard]] CURLM* multi() const noexcept { return multi_.get(); }
  [[nodiscard]] CurlTransfer& transfer() noexcept { return transfer_; }
  [[nodiscard]] CurlHeaders& headers() noexcept { return headers_; }
  /// Whether it was set up for another route, or for none yet. From now on it is for this one.
  [[nodiscard]] bool turnTo(Route route) noexcept { return std::exchange(route_, route) != route; }
  /// libcurl's own words for why the last transfer failed; empty where it has none.
  [[nodiscard]] const char* problem() const noexcept { return problem_.data(); }
  [[nodiscard]] bool usable() const noexcept { return easy_ != nullptr && multi_ != nullptr; }

 private:
  CurlTransfer transfer_{};
  CurlHeaders headers_{};
  std::optional<Route> route_{};
  std::array<char, CURL_ERROR_SIZE> problem_{};
  // The multi handle owns the connections, so it goes last.
  std::unique_ptr<CURLM, decltype(&curl_multi_cleanup)> multi_{curl_multi_init(), &curl_multi_cleanup};
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> easy_{curl_easy_init(), &curl_easy_cleanup};
};

/// Workers that are idle: as many as there were transfers at once. Thread-safe.
class CurlWorkers {
 public:
  [[nodiscard]] std::unique_ptr<CurlWorker> take(const CurlTransportOptions& options) {
    const std::lock_guard lock{mutex_};
    if (idle_.empty()) return std::make_unique<CurlWorker>(options);
    auto worker = std::move(idle_.back());
    idle_.pop_back();
    return worker;
  }

  void giveBack(std::unique_ptr<CurlWorker> worker) {
    const std::lock_guard lock{mutex_};
    idle_.push_back(std::move(worker));
  }

 private:
  std::mutex mutex_{};
  std::vector<std::unique_ptr<CurlWorker>> idle_{};
};

}  // namespace tally::detail
