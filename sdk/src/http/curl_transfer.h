#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <vector>

#include <tally/transport.h>

#include <curl/curl.h>

namespace tally::detail {

/// One transfer: the progress of its request, and the response as it arrives.
struct CurlTransfer {
  /// Makes the next transfer of `easy` write here.
  void attachTo(CURL* easy);

  std::size_t maxResponseBytes = 0;
  bool begun = false;     // the request may have been sent, at least in part
  bool repeated = false;  // libcurl tried to send it again
  HttpResponse response{};
  std::size_t contentLength = 0;  // from the response's head; 0 if absent
  std::size_t headBytes = 0;
  bool tooLarge = false;
  bool outOfMemory = false;
  bool headEnded = false;
  bool http2 = false;  // the protocol of the response
};

/// Sets an option of libcurl. Throws std::bad_alloc if libcurl is out of memory, so that nothing is sent with
/// an option missing.
template <class Value>
void set(CURL* easy, CURLoption option, Value value) {
  if (curl_easy_setopt(easy, option, value) == CURLE_OUT_OF_MEMORY) throw std::bad_alloc{};
}

/// The headers of a request in libcurl's format. Their memory is reused by the next request.
class CurlHeaders {
 public:
  /// The list for `request`; valid until the next call.
  [[nodiscard]] curl_slist* of(const HttpRequest& request);

 private:
  [[nodiscard]] std::string& nextLine();

  std::vector<std::string> lines_{};
  std::vector<curl_slist> nodes_{};
  std::size_t used_ = 0;
};

}  // namespace tally::detail
