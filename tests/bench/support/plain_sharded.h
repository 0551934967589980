#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include <curl/curl.h>

#include "bench/support/plain_request.h"

namespace tally::bench {

/// Concurrent requests with libcurl alone, on many connections: several multi handles share one epoll, since
/// libcurl's effort for each event grows with the number of transfers of a multi handle.
class PlainSharded {
 public:
  /// Throws std::runtime_error if libcurl can't be initialized.
  PlainSharded(const std::string& key, std::string url, std::size_t inFlight);
  PlainSharded(const PlainSharded&) = delete;
  PlainSharded& operator=(const PlainSharded&) = delete;
  ~PlainSharded();

  /// Makes that many requests. Throws std::runtime_error unless each ends in a 200 response.
  void get(std::size_t times);

 private:
  using Steady = std::chrono::steady_clock;

  struct Shard;
  struct Transfer {
    std::string body{};
    Easy easy{};
    Shard* shard = nullptr;
  };
  struct Shard {
    explicit Shard(PlainSharded& parent) : owner(parent) {}

    PlainSharded& owner;
    Steady::time_point due = Steady::time_point::max();
    std::list<Transfer> transfers{};
    std::unique_ptr<CURLM, decltype(&curl_multi_cleanup)> multi{curl_multi_init(), &curl_multi_cleanup};
  };

  static int onSocket(CURL* easy, curl_socket_t socket, int what, void* shard, void* known);
  static int onTimer(CURLM* multi, long milliseconds, void* shard);

  void prepare(Shard& shard);
  void prepare(Transfer& transfer, Shard& shard);
  static void start(Transfer& transfer);
  void act(Shard& shard, curl_socket_t socket, int events);
  void takeEnded(Shard& shard);
  void waitAndAct();
  void actOnDue();

  PlainRequest request_;
  int epoll_;
  std::vector<Shard*> shardOf_{};  // by socket
  std::list<Shard> shards_{};
  std::size_t left_ = 0;  // to be started
  std::size_t done_ = 0;
};

}  // namespace tally::bench
