#include "bench/support/plain_request.h"

#include <cstddef>
#include <stdexcept>
#include <utility>

#include <tally/version.h>

namespace tally::bench {

namespace {

std::size_t appendTo(char* bytes, std::size_t, std::size_t size, void* body) {
  static_cast<std::string*>(body)->append(bytes, size);
  return size;
}

}  // namespace

PlainRequest::PlainRequest(const std::string& key, std::string url) : url_(std::move(url)) {
  for (const std::string& line :
       {"Authorization: Bearer " + key, "User-Agent: tally/" + std::string{version}})
    headers_.reset(curl_slist_append(headers_.release(), line.c_str()));
}

Easy PlainRequest::makeHandle(std::string& body) const {
  Easy handle{curl_easy_init()};
  CURL* const easy = handle.get();
  if (easy == nullptr) throw std::runtime_error{"libcurl can't be started"};
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers_.get());
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(easy, CURLOPT_PROXY, "");
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &appendTo);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &body);
  curl_easy_setopt(easy, CURLOPT_URL, url_.c_str());
  return handle;
}

void PlainRequest::check(const CURLMsg& ended) const {
  long status = 0;
  curl_easy_getinfo(ended.easy_handle, CURLINFO_RESPONSE_CODE, &status);
  if (ended.data.result != CURLE_OK || status != 200) throw std::runtime_error{"no response from " + url_};
}

}  // namespace tally::bench
