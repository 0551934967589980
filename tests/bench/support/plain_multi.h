#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>

#include <curl/curl.h>

#include "bench/support/plain_request.h"

namespace tally::bench {

/// Concurrent requests with libcurl alone: one multi handle, and one reused easy handle per request in
/// flight, each of which sends the same request as a Client and keeps the body of the response.
class PlainMulti {
 public:
  /// Throws std::runtime_error if libcurl can't be initialized.
  PlainMulti(const std::string& key, std::string url, std::size_t inFlight);
  PlainMulti(const PlainMulti&) = delete;
  PlainMulti& operator=(const PlainMulti&) = delete;
  ~PlainMulti();

  /// Makes that many requests. Throws std::runtime_error unless each ends in a 200 response.
  void get(std::size_t times);

  /// Starts a request on each handle, and waits for none of them.
  void startAll();

 private:
  struct Transfer {
    std::string body{};
    Easy easy{};
  };

  void start(Transfer& transfer);
  [[nodiscard]] Transfer* ended();

  PlainRequest request_;
  std::unique_ptr<CURLM, decltype(&curl_multi_cleanup)> multi_{curl_multi_init(), &curl_multi_cleanup};
  std::list<Transfer> transfers_{};
};

}  // namespace tally::bench
