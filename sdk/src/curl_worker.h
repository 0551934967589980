#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include <curl/curl.h>

namespace tally::detail {

/// What one thread needs to make a transfer: kept between transfers, because it holds the open connections.
class CurlWorker {
 public:
  [[nodiscard]] CURL* easy() const noexcept { return easy_.get(); }
  [[nodiscard]] CURLM* multi() const noexcept { return multi_.get(); }
  [[nodiscard]] bool usable() const noexcept { return easy_ != nullptr && multi_ != nullptr; }

 private:
  // The multi handle owns the connections, so it goes last.
  std::unique_ptr<CURLM, decltype(&curl_multi_cleanup)> multi_{curl_multi_init(), &curl_multi_cleanup};
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> easy_{curl_easy_init(), &curl_easy_cleanup};
};

/// Workers that are idle: as many as there were transfers at once. Thread-safe.
class CurlWorkers {
 public:
  [[nodiscard]] std::unique_ptr<CurlWorker> take() {
    const std::lock_guard lock{mutex_};
    if (idle_.empty()) return std::make_unique<CurlWorker>();
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
