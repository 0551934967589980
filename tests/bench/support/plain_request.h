#pragma once

#include <memory>
#include <string>

#include <curl/curl.h>

namespace tally::bench {

struct EasyCleanup {
  void operator()(CURL* easy) const noexcept { curl_easy_cleanup(easy); }
};
using Easy = std::unique_ptr<CURL, EasyCleanup>;

/// A GET request by libcurl alone, the same as that of a Client.
class PlainRequest {
 public:
  PlainRequest(const std::string& key, std::string url);

  [[nodiscard]] const std::string& url() const noexcept { return url_; }

  /// A handle that makes the request and appends the body of the response to `body`. This and `body` must
  /// outlive it. Throws std::runtime_error if libcurl can't be initialized.
  [[nodiscard]] Easy makeHandle(std::string& body) const;

  /// Throws std::runtime_error unless the transfer ended in a 200 response.
  void check(const CURLMsg& ended) const;

 private:
  std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers_{nullptr, &curl_slist_free_all};
  std::string url_;
};

}  // namespace tally::bench
