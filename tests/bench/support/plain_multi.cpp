#include "bench/support/plain_multi.h"

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

PlainMulti::PlainMulti(const std::string& key, std::string url, std::size_t inFlight) : url_(std::move(url)) {
  for (const std::string& line :
       {"Authorization: Bearer " + key, "User-Agent: tally/" + std::string{version}})
    headers_.reset(curl_slist_append(headers_.release(), line.c_str()));
  curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, static_cast<long>(inFlight));
  for (std::size_t n = 0; n < inFlight; ++n) {
    Transfer& transfer = transfers_.emplace_back();
    CURL* const easy = transfer.easy.get();
    if (easy == nullptr) throw std::runtime_error{"libcurl can't be started"};
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers_.get());
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &appendTo);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer.body);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, &transfer);
    curl_easy_setopt(easy, CURLOPT_URL, url_.c_str());
  }
}

PlainMulti::~PlainMulti() {
  for (Transfer& transfer : transfers_)
    curl_multi_remove_handle(multi_.get(), transfer.easy.get());
}

void PlainMulti::start(Transfer& transfer) {
  transfer.body.clear();
  curl_multi_add_handle(multi_.get(), transfer.easy.get());
}

/// The next transfer that has ended; null if none has.
PlainMulti::Transfer* PlainMulti::ended() {
  int left = 0;
  const CURLMsg* const message = curl_multi_info_read(multi_.get(), &left);
  if (message == nullptr) return nullptr;
  Transfer* transfer = nullptr;
  long status = 0;
  curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
  curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
  if (message->data.result != CURLE_OK || status != 200) throw std::runtime_error{"no response from " + url_};
  curl_multi_remove_handle(multi_.get(), transfer->easy.get());
  return transfer;
}

void PlainMulti::get(std::size_t times) {
  std::size_t started = 0;
  for (Transfer& transfer : transfers_)
    if (started++ < times) start(transfer);
  for (std::size_t done = 0; done < times;) {
    int running = 0;
    curl_multi_perform(multi_.get(), &running);
    while (Transfer* const transfer = ended()) {
      ++done;
      if (started++ < times) start(*transfer);
    }
    if (done < times) curl_multi_poll(multi_.get(), nullptr, 0, 1'000, nullptr);
  }
}

void PlainMulti::startAll() {
  for (Transfer& transfer : transfers_)
    start(transfer);
  int running = 0;
  for (int round = 0; round < 100; ++round) {
    curl_multi_perform(multi_.get(), &running);
    curl_multi_poll(multi_.get(), nullptr, 0, 10, nullptr);
  }
}

}  // namespace tally::bench
