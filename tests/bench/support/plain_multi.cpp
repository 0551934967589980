#include "bench/support/plain_multi.h"

#include <utility>

namespace tally::bench {

PlainMulti::PlainMulti(const std::string& key, std::string url, std::size_t inFlight)
    : request_(key, std::move(url)) {
  curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, static_cast<long>(inFlight));
  for (std::size_t n = 0; n < inFlight; ++n) {
    Transfer& transfer = transfers_.emplace_back();
    transfer.easy = request_.makeHandle(transfer.body);
    curl_easy_setopt(transfer.easy.get(), CURLOPT_PRIVATE, &transfer);
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
  request_.check(*message);
  Transfer* transfer = nullptr;
  curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
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
