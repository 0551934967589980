#pragma once

#include <memory>
#include <string>

#include <curl/curl.h>

namespace tally::bench {

/// The cost of a request with libcurl alone: one reused easy handle that sends the same request as a Client
/// and keeps the body of the response.
class PlainGets {
 public:
  /// Throws std::runtime_error if libcurl can't be initialized.
  explicit PlainGets(const std::string& key);
  PlainGets(const PlainGets&) = delete;
  PlainGets& operator=(const PlainGets&) = delete;

  /// The body of a 200 response, valid until the next call. Throws std::runtime_error otherwise.
  [[nodiscard]] const std::string& body(const std::string& url);

 private:
  std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers_{nullptr, &curl_slist_free_all};
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> easy_{curl_easy_init(), &curl_easy_cleanup};
  std::string body_{};
};

}  // namespace tally::bench
