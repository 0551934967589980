#pragma once

#include <memory>
#include <string>

#include <curl/curl.h>

namespace tally::bench {

/// What a request costs with libcurl alone: one easy handle, used again and again, that sends what a Client
/// sends and keeps the body of the answer.
class PlainGets {
 public:
  /// Throws std::runtime_error where libcurl can't be started.
  explicit PlainGets(const std::string& key);
  PlainGets(const PlainGets&) = delete;
  PlainGets& operator=(const PlainGets&) = delete;

  /// The body of a good answer, until the next call. Throws std::runtime_error for any other.
  [[nodiscard]] const std::string& body(const std::string& url);

 private:
  std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers_{nullptr, &curl_slist_free_all};
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> easy_{curl_easy_init(), &curl_easy_cleanup};
  std::string body_{};
};

}  // namespace tally::bench
