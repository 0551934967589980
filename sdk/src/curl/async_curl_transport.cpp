#include "curl/async_curl_transport.h"

#include <algorithm>
#include <cstddef>
#include <list>
#include <new>
#include <string_view>
#include <utility>

#include "curl/curl_failure.h"
#include "curl/curl_shard.h"
#include "curl/curl_source.h"
#include "curl/curl_validation.h"
#include "curl/kept_options.h"
#include "event/event_loop.h"
#include "text/url.h"
#include "time/saturating.h"

namespace tally::detail {

namespace {

class AsyncCurlTransport final : public AsyncTransport, public CurlShardOwner, private LoopTask {
 public:
  AsyncCurlTransport(EventLoop& loop, CurlSource& source, CurlTransportOptions options)
      : loop_(loop), source_(source), options_(std::move(options)) {}
  AsyncCurlTransport(const AsyncCurlTransport&) = delete;
  AsyncCurlTransport& operator=(const AsyncCurlTransport&) = delete;
  ~AsyncCurlTransport() override { loop_.withdraw(*this); }

  [[nodiscard]] std::unique_ptr<AsyncTransfer> start(const HttpRequest& request, Instant deadline,
                                                     Receiver& receiver) override {
    const Instant now = loop_.now();
    const auto remaining = saturatingSince(now, deadline);
    auto started = std::make_unique<CurlRequest>(loop_, request, deadline, remaining, receiver, options_);
    try {
      dropTooOld(now);
      if (auto refused = refusal(request, options_, remaining)) {
        started->fail(*std::move(refused));
      } else {
        shardFor({request.url.data(), endOfAuthority(request.url)}).enter(*started);
      }
    } catch (const std::bad_alloc&) {
      started->fail(outOfMemory(false));
    }
    return started;
  }

  CurlHandles& handles() noexcept override { return handles_; }
  EventLoop& loop() noexcept override { return loop_; }

  /// When many calls end in the same poll, those that follow begin in the next one. Their connections must
  /// not count as idle in between.
  void becameIdle() noexcept override {
    if (std::exchange(turnsUntilTrim_, 2) == 0) (void)loop_.post(*this);
  }

 private:
  /// Fills the first shards first, so that connections of the others become idle.
  CurlShard& shardFor(std::string_view origin) {
    bool separate = isPlain(origin);
    for (CurlShard& shard : shards_) {
      if (shard.origin() != origin) continue;
      if (shard.hasRoom()) return shard;
      separate = shard.isSeparate();
    }
    return shards_.emplace_back(*this, source_, options_, origin, separate);
  }

  void run() override {
    if (--turnsUntilTrim_ > 0) return (void)loop_.post(*this);
    trim();
  }

  /// Drops the shards that have been idle longest while they have too many connections. Those of a shard with
  /// requests in flight are limited by the shard.
  void trim() noexcept {
    while (idleConnections() > options_.maxIdleConnections)
      shards_.erase(std::ranges::min_element(shards_, {}, [](const CurlShard& shard) {
        return shard.isIdle() ? shard.idleSince() : Instant::max();
      }));
  }

  void dropTooOld(Instant now) noexcept {
    shards_.remove_if([&](const CurlShard& shard) {
      return shard.isIdle() &&
             saturatingSince(shard.idleSince(), now) > saturatingNanoseconds(options_.maxIdleTime);
    });
  }

  [[nodiscard]] std::size_t idleConnections() const noexcept {
    std::size_t sum = 0;
    for (const CurlShard& shard : shards_)
      if (shard.isIdle()) sum += shard.connections();
    return sum;
  }

  EventLoop& loop_;
  CurlSource& source_;
  KeptOptions options_;
  CurlHandles handles_{options_};
  std::list<CurlShard> shards_{};
  int turnsUntilTrim_ = 0;  // 0: trim() is not due
};

}  // namespace

std::unique_ptr<AsyncSetup> makeAsyncCurl(const std::shared_ptr<Clock>& clock,
                                          const CurlTransportOptions& options) {
  auto source = std::make_unique<CurlSource>(*clock);
  CurlSource& sockets = *source;
  auto setup = std::make_unique<AsyncSetup>();
  setup->loop = std::make_unique<EventLoop>(*clock, std::move(source));
  setup->transport = std::make_unique<AsyncCurlTransport>(*setup->loop, sockets, options);
  return setup;
}

}  // namespace tally::detail
