#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <tally/curl_transport.h>

#include <curl/curl.h>

#include "http/curl_failure.h"
#include "http/curl_refusal.h"
#include "http/curl_worker.h"
#include "text/url.h"
#include "time/milliseconds.h"
#include "time/saturating.h"

namespace tally {

namespace {

using detail::CurlTransfer;
using detail::CurlWorker;
using detail::CurlWorkers;
using detail::endOfAuthority;
using detail::Route;
using detail::set;
using Kind = TransportFailure::Kind;

/// Initialises libcurl once per process, so that users need not. Never undone.
void initialiseCurl() {
  static const bool done = [] {
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
      throw std::runtime_error{"libcurl can't be initialised"};
    return true;
  }();
  (void)done;
}

/// The index of the path in a URL that can be sent unchanged; nullopt if there is no path, or a fragment.
std::optional<std::size_t> pathOf(std::string_view url) {
  const std::size_t path = endOfAuthority(url);
  const bool sendable =
      path < url.size() && url[path] == '/' && url.find('#', path) == std::string_view::npos;
  return sendable ? std::optional{path} : std::nullopt;
}

/// libcurl parses and reassembles the URL for every transfer; setting the request target spares it the part
/// after the host. Plain HTTP may go through a proxy without a tunnel, which needs the whole URL.
void applyUrl(CURL* easy, const std::string& url, Route route) {
  const auto path = route == Route::plain ? std::nullopt : pathOf(url);
  set(easy, CURLOPT_URL, path ? url.substr(0, *path).c_str() : url.c_str());
  set(easy, CURLOPT_REQUEST_TARGET, path ? url.c_str() + *path : nullptr);
}

/// Sets method and body. libcurl sends the body in place: with a read callback, it would have to rewind the
/// body after a connection breaks, and the state that this leaves makes its next transfer fail.
void applyMethod(CURL* easy, const HttpRequest& request) {
  const bool reads = request.method == Method::get;
  const bool hasBody = !reads || !request.body.empty();
  set(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  set(easy, CURLOPT_POSTFIELDS, hasBody ? request.body.data() : nullptr);
  set(easy, CURLOPT_CUSTOMREQUEST, reads && hasBody ? "GET" : nullptr);
  set(easy, hasBody ? CURLOPT_POST : CURLOPT_HTTPGET, 1L);
}

long statusOf(CURL* easy) {
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

/// Allocates nothing: the message fits into the string itself.
TransportFailure outOfMemory(bool mayHaveBeenSent) {
  return {mayHaveBeenSent ? Kind::connection : Kind::couldNotConnect, mayHaveBeenSent, "out of memory"};
}

TransportFailure failure(const CurlWorker& worker, CURLcode code, const CurlTransfer& transfer) {
  if (transfer.outOfMemory) return outOfMemory(transfer.begun);
  if (transfer.tooLarge)
    return {Kind::tooLarge, transfer.begun,
            "the answer has more than " + std::to_string(transfer.maxAnswerBytes) + " bytes"};
  long proxyStatus = 0;
  curl_easy_getinfo(worker.easy(), CURLINFO_HTTP_CONNECTCODE, &proxyStatus);
  return detail::curlFailure({.code = code,
                              .sent = transfer.begun,
                              .repeated = transfer.repeated,
                              .status = statusOf(worker.easy()),
                              .proxyStatus = proxyStatus,
                              .detail = worker.problem()});
}

/// Joins the handles of a worker while it lives. Its destructor also clears libcurl's pointers to borrowed
/// memory.
class Joined {
 public:
  explicit Joined(const CurlWorker& worker) : worker_(worker) {
    if (curl_multi_add_handle(worker.multi(), worker.easy()) != CURLM_OK) throw std::bad_alloc{};
  }
  Joined(const Joined&) = delete;
  Joined& operator=(const Joined&) = delete;
  ~Joined() {
    curl_multi_remove_handle(worker_.multi(), worker_.easy());
    curl_easy_setopt(worker_.easy(), CURLOPT_POSTFIELDS, nullptr);
    curl_easy_setopt(worker_.easy(), CURLOPT_HTTPHEADER, nullptr);
  }

 private:
  const CurlWorker& worker_;
};

class CurlTransport final : public Transport {
 public:
  CurlTransport(std::shared_ptr<Clock> clock, CurlTransportOptions options)
      : clock_(std::move(clock)), options_(std::move(options)) {
    detail::check(options_);
    initialiseCurl();
  }

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    CurlTransfer transfer{.maxAnswerBytes = options_.maxAnswerBytes};
    try {
      if (auto failed = attempt(transfer, request, limits)) return *std::move(failed);
    } catch (const std::bad_alloc&) {
      return outOfMemory(transfer.begun);
    }
    return std::move(transfer.response);
  }

 private:
  /// Null if a response arrived. A worker is not reused after an exception.
  std::optional<TransportFailure> attempt(CurlTransfer& transfer, const HttpRequest& request,
                                          const SendLimits& limits) {
    if (std::string why = detail::refusal(request, options_); !why.empty())
      return TransportFailure{Kind::forbidden, false, std::move(why)};
    const Instant now = clock_->now();
    const auto remaining = detail::saturatingSince(now, limits.until);
    if (remaining <= remaining.zero())
      return TransportFailure{Kind::timeout, false, "no time was left to send the request"};
    if (limits.stop.stop_requested())
      return TransportFailure{Kind::canceled, false, "it was stopped before it was sent"};
    CurlWorkers::Lease lease = workers_.take({request.url.data(), endOfAuthority(request.url)}, now);
    CurlWorker& worker = lease.front();
    CURL* easy = worker.easy();
    transfer.attachTo(easy);
    applyUrl(easy, request.url, worker.route());
    applyMethod(easy, request);
    set(easy, CURLOPT_HTTPHEADER, worker.headers().of(request));
    set(easy, CURLOPT_TIMEOUT_MS, detail::milliseconds(remaining));
    auto failed = run(worker, transfer, limits.stop);
    transfer.response.status = static_cast<int>(statusOf(easy));
    workers_.giveBack(std::move(lease), clock_->now());
    return failed;
  }

  /// Runs the transfer until it ends or a stop is requested.
  static std::optional<TransportFailure> run(CurlWorker& worker, const CurlTransfer& transfer,
                                             const std::stop_token& stop) {
    const Joined handles{worker};
    CURLM* multi = worker.multi();
    const std::stop_callback wakeUp{stop, [multi] { curl_multi_wakeup(multi); }};
    int running = 1;
    // The first step also clears what the handle remembers of its previous transfer.
    do {
      constexpr int longestWait = 1'000;
      if (curl_multi_perform(multi, &running) != CURLM_OK) break;
      if (running != 0) curl_multi_poll(multi, nullptr, 0, longestWait, nullptr);
    } while (running != 0 && !stop.stop_requested());
    worker.noteConnection(running == 0);
    if (running != 0 && stop.stop_requested())
      return TransportFailure{Kind::canceled, transfer.begun, "the transfer was stopped"};
    return outcome(worker, transfer);
  }

  static std::optional<TransportFailure> outcome(const CurlWorker& worker, const CurlTransfer& transfer) {
    int left = 0;
    const CURLMsg* message = curl_multi_info_read(worker.multi(), &left);
    if (message == nullptr || message->msg != CURLMSG_DONE)
      return TransportFailure{Kind::connection, transfer.begun, "libcurl lost the transfer"};
    if (message->data.result == CURLE_OK && transfer.headEnded) return std::nullopt;
    return failure(worker, message->data.result, transfer);
  }

  std::shared_ptr<Clock> clock_;
  CurlTransportOptions options_;
  CurlWorkers workers_{options_};
};

}  // namespace

std::shared_ptr<Transport> curlTransport(std::shared_ptr<Clock> clock, CurlTransportOptions options) {
  return std::make_shared<CurlTransport>(std::move(clock), std::move(options));
}

}  // namespace tally
