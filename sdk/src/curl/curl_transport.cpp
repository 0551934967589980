#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include <tally/curl_transport.h>

#include <curl/curl.h>

#include "curl/async_curl_transport.h"
#include "curl/curl_failure.h"
#include "curl/curl_validation.h"
#include "curl/curl_worker.h"
#include "curl/kept_options.h"
#include "event/departure.h"
#include "text/url.h"
#include "time/saturating.h"

namespace [[gnu::visibility("default")]] tally {

namespace {

using detail::CurlTransfer;
using detail::CurlWorker;
using detail::CurlWorkers;
using detail::DepartureScope;
using detail::endOfAuthority;
using Kind = TransportFailure::Kind;

/// Initializes libcurl once per process, so that users need not. Never undone.
void initializeCurl() {
  static const bool done = [] {
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
      throw std::runtime_error{"libcurl can't be initialized"};
    return true;
  }();
  (void)done;
}

/// Joins the handles of a worker while it lives. Its destructor also clears libcurl's pointers to borrowed
/// memory.
class Joined {
 public:
  explicit Joined(CurlWorker& worker) : worker_(worker) {
    if (curl_multi_add_handle(worker.multi(), worker.handle().easy()) != CURLM_OK) throw std::bad_alloc{};
  }
  Joined(const Joined&) = delete;
  Joined& operator=(const Joined&) = delete;
  ~Joined() {
    curl_multi_remove_handle(worker_.multi(), worker_.handle().easy());
    worker_.handle().clear();
  }

 private:
  CurlWorker& worker_;
};

class CurlTransport final : public Transport {
 public:
  CurlTransport(std::shared_ptr<Clock> clock, CurlTransportOptions options)
      : clock_(std::move(clock)), options_(std::move(options)) {
    detail::check(options_);
    initializeCurl();
  }

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    for (;;) {
      CurlTransfer transfer{.maxResponseBytes = options_.maxResponseBytes};
      try {
        auto result = attempt(transfer, request, limits);
        if (!transfer.isStale) return result;
      } catch (const std::bad_alloc&) {
        return detail::outOfMemory(transfer.begun);
      }
    }
  }

  std::unique_ptr<detail::AsyncSetup> makeAsync(const std::shared_ptr<Clock>& clock) override {
    return detail::makeAsyncCurl(clock, options_);
  }

 private:
  /// A worker is not reused after an exception, nor if its connection is broken.
  TransportResult attempt(CurlTransfer& transfer, const HttpRequest& request, const SendLimits& limits) {
    const Instant now = clock_->now();
    const auto remaining = detail::saturatingSince(now, limits.deadline);
    if (auto refused = detail::refusal(request, options_, remaining)) return *std::move(refused);
    if (limits.stop.stop_requested())
      return TransportFailure{Kind::canceled, false, "stopped before the request was sent"};
    CurlWorkers::Lease lease = workers_.take({request.url.data(), endOfAuthority(request.url)}, now);
    transfer.connection = &lease.front().connection();
    transfer.departure = DepartureScope::listener();
    lease.front().handle().prepare(transfer, request, remaining);
    auto result = run(lease.front(), transfer, limits.stop);
    if (!transfer.connectionBroken) workers_.giveBack(std::move(lease), clock_->now());
    return result;
  }

  /// Runs the transfer until it ends or a stop is requested.
  static TransportResult run(CurlWorker& worker, CurlTransfer& transfer, const StopToken& stop) {
    const Joined handles{worker};
    CURLM* multi = worker.multi();
    const StopCallback wakeUp{stop, [multi] { curl_multi_wakeup(multi); }};
    int running = 1;
    // The first step also clears what the handle remembers of its previous transfer.
    do {
      constexpr int longestWait = 1'000;
      if (curl_multi_perform(multi, &running) != CURLM_OK) break;
      if (running != 0) curl_multi_poll(multi, nullptr, 0, longestWait, nullptr);
    } while (running != 0 && !stop.stop_requested());
    worker.noteConnection(running == 0);
    if (running != 0 && stop.stop_requested())
      return TransportFailure{Kind::canceled, transfer.begun, "stopped during the transfer"};
    return outcome(worker, transfer);
  }

  static TransportResult outcome(CurlWorker& worker, CurlTransfer& transfer) {
    int left = 0;
    const CURLMsg* message = curl_multi_info_read(worker.multi(), &left);
    if (message == nullptr || message->msg != CURLMSG_DONE)
      return TransportFailure{Kind::connection, transfer.begun,
                              "libcurl did not report the end of the transfer"};
    return worker.handle().result(message->data.result, transfer);
  }

  std::shared_ptr<Clock> clock_;
  detail::KeptOptions options_;
  CurlWorkers workers_{options_};
};

}  // namespace

std::shared_ptr<Transport> curlTransport(std::shared_ptr<Clock> clock, CurlTransportOptions options) {
  return std::make_shared<CurlTransport>(std::move(clock), std::move(options));
}

}  // namespace tally
