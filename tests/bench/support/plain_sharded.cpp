#include "bench/support/plain_sharded.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include <sys/epoll.h>
#include <unistd.h>

namespace tally::bench {

namespace {

constexpr std::size_t connectionsOfShard = 64;

std::uint32_t epollEvents(int what) {
  return (what & CURL_POLL_IN ? EPOLLIN : 0U) | (what & CURL_POLL_OUT ? EPOLLOUT : 0U);
}

int curlEvents(std::uint32_t events) {
  return (events & (EPOLLIN | EPOLLHUP | EPOLLERR) ? CURL_CSELECT_IN : 0) |
         (events & EPOLLOUT ? CURL_CSELECT_OUT : 0);
}

}  // namespace

PlainSharded::PlainSharded(const std::string& key, std::string url, std::size_t inFlight)
    : request_(key, std::move(url)), epoll_(epoll_create1(EPOLL_CLOEXEC)) {
  for (std::size_t n = 0; n < inFlight; ++n) {
    if (n % connectionsOfShard == 0) prepare(shards_.emplace_back(*this));
    prepare(shards_.back().transfers.emplace_back(), shards_.back());
  }
}

PlainSharded::~PlainSharded() {
  for (Shard& shard : shards_)
    for (Transfer& transfer : shard.transfers)
      curl_multi_remove_handle(shard.multi.get(), transfer.easy.get());
  shards_.clear();
  close(epoll_);
}

void PlainSharded::prepare(Shard& shard) {
  if (shard.multi == nullptr) throw std::runtime_error{"libcurl can't be started"};
  curl_multi_setopt(shard.multi.get(), CURLMOPT_MAXCONNECTS, static_cast<long>(connectionsOfShard));
  curl_multi_setopt(shard.multi.get(), CURLMOPT_SOCKETFUNCTION, &onSocket);
  curl_multi_setopt(shard.multi.get(), CURLMOPT_SOCKETDATA, &shard);
  curl_multi_setopt(shard.multi.get(), CURLMOPT_TIMERFUNCTION, &onTimer);
  curl_multi_setopt(shard.multi.get(), CURLMOPT_TIMERDATA, &shard);
}

void PlainSharded::prepare(Transfer& transfer, Shard& shard) {
  transfer.shard = &shard;
  transfer.easy = request_.makeHandle(transfer.body);
  curl_easy_setopt(transfer.easy.get(), CURLOPT_PRIVATE, &transfer);
}

int PlainSharded::onSocket(CURL*, curl_socket_t socket, int what, void* self, void* known) {
  auto& shard = *static_cast<Shard*>(self);
  PlainSharded& owner = shard.owner;
  if (what == CURL_POLL_REMOVE) {
    epoll_ctl(owner.epoll_, EPOLL_CTL_DEL, socket, nullptr);
    return 0;
  }
  const auto index = static_cast<std::size_t>(socket);
  owner.shardOf_.resize(std::max(owner.shardOf_.size(), index + 1));
  owner.shardOf_[index] = &shard;
  curl_multi_assign(shard.multi.get(), socket, &shard);  // libcurl forgets it with the socket
  epoll_event event{.events = epollEvents(what), .data = {.fd = socket}};
  epoll_ctl(owner.epoll_, known == nullptr ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event);
  return 0;
}

int PlainSharded::onTimer(CURLM*, long milliseconds, void* self) {
  static_cast<Shard*>(self)->due =
      milliseconds < 0 ? Steady::time_point::max() : Steady::now() + std::chrono::milliseconds{milliseconds};
  return 0;
}

void PlainSharded::start(Transfer& transfer) {
  transfer.body.clear();
  curl_multi_add_handle(transfer.shard->multi.get(), transfer.easy.get());
}

void PlainSharded::act(Shard& shard, curl_socket_t socket, int events) {
  int running = 0;
  curl_multi_socket_action(shard.multi.get(), socket, events, &running);
  takeEnded(shard);
}

void PlainSharded::takeEnded(Shard& shard) {
  int left = 0;
  while (const CURLMsg* const message = curl_multi_info_read(shard.multi.get(), &left)) {
    request_.check(*message);
    Transfer* transfer = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    curl_multi_remove_handle(shard.multi.get(), transfer->easy.get());
    ++done_;
    if (left_ == 0) continue;
    --left_;
    start(*transfer);
  }
}

void PlainSharded::actOnDue() {
  const auto now = Steady::now();
  for (Shard& shard : shards_)
    if (shard.due <= now) {
      shard.due = Steady::time_point::max();
      act(shard, CURL_SOCKET_TIMEOUT, 0);
    }
}

void PlainSharded::waitAndAct() {
  const auto due = std::ranges::min_element(shards_, {}, &Shard::due)->due;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(due - Steady::now()).count();
  std::array<epoll_event, 256> events{};
  const int count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()),
                               static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000)));
  for (int n = 0; n < count; ++n) {
    const epoll_event& event = events[static_cast<std::size_t>(n)];
    act(*shardOf_[static_cast<std::size_t>(event.data.fd)], event.data.fd, curlEvents(event.events));
  }
  actOnDue();
}

void PlainSharded::get(std::size_t times) {
  left_ = times;
  done_ = 0;
  for (Shard& shard : shards_)
    for (Transfer& transfer : shard.transfers)
      if (left_ > 0) {
        --left_;
        start(transfer);
      }
  while (done_ < times)
    waitAndAct();
}

}  // namespace tally::bench
