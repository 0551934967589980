#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include <tally/curl_transport.h>

#include <curl/curl.h>

#include "curl_failure.h"
#include "curl_refusal.h"
#include "curl_worker.h"
#include "milliseconds.h"
#include "url.h"

namespace tally {

namespace {

using detail::CurlTransfer;
using detail::CurlWorker;
using detail::endOfAuthority;
using detail::Route;
using Kind = TransportFailure::Kind;

/// libcurl wants this once a process, and nobody has to ask for it or to undo it.
void initialiseCurl() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

Route routeOf(std::string_view url) {
  if (!detail::isPlain(url)) return Route::secure;
  return detail::isPlainLoopback(url) ? Route::plainLoopback : Route::plain;
}

/// What doesn't leave this machine is nothing for a proxy; and nothing in the environment is asked about a
/// plain URL, which was allowed by name.
void applyProxy(CurlWorker& worker, Route route, const std::optional<std::string>& proxy) {
  if (!worker.turnTo(route)) return;
  const bool given = proxy && route != Route::plainLoopback;
  const char* none = route == Route::secure ? nullptr : "";
  curl_easy_setopt(worker.easy(), CURLOPT_PROXY, given ? proxy->c_str() : none);
  curl_easy_setopt(worker.easy(), CURLOPT_NOPROXY, given ? nullptr : none);
}

/// Where the path of a URL begins that can be sent just as it stands; nothing where it has none, or a
/// fragment.
std::optional<std::size_t> pathOf(std::string_view url) {
  const std::size_t path = endOfAuthority(url);
  const bool sendable =
      path < url.size() && url[path] == '/' && url.find('#', path) == std::string_view::npos;
  return sendable ? std::optional{path} : std::nullopt;
}

/// libcurl takes a URL apart and puts it together again for every transfer. It is spared that for the part
/// behind the host, which takes a tenth off a small request. To a proxy that is no tunnel goes all of it.
void applyUrl(CURL* easy, const std::string& url, Route route) {
  const auto path = route == Route::plain ? std::nullopt : pathOf(url);
  curl_easy_setopt(easy, CURLOPT_URL, path ? url.substr(0, *path).c_str() : url.c_str());
  curl_easy_setopt(easy, CURLOPT_REQUEST_TARGET, path ? url.c_str() + *path : nullptr);
}

/// What to do, and what to send with it.
void applyMethod(CURL* easy, const HttpRequest& request) {
  const bool reads = request.method == Method::get;
  if (reads && request.body.empty()) {
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, nullptr);
    curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    return;
  }
  curl_easy_setopt(easy, CURLOPT_POST, 1L);
  curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, reads ? "GET" : nullptr);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
}

long statusOf(CURL* easy) {
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

TransportFailure failure(CURL* easy, CURLcode code, const CurlTransfer& transfer, const char* detail) {
  if (transfer.tooLarge)
    return {Kind::tooLarge, transfer.begun,
            "the answer has more than " + std::to_string(transfer.maxAnswerBytes) + " bytes"};
  long proxyStatus = 0;
  curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &proxyStatus);
  return detail::curlFailure({.code = code,
                              .sent = transfer.begun,
                              .repeated = transfer.repeated,
                              .status = statusOf(easy),
                              .proxyStatus = proxyStatus,
                              .detail = detail});
}

class CurlTransport final : public Transport {
 public:
  CurlTransport(std::shared_ptr<Clock> clock, CurlTransportOptions options)
      : clock_(std::move(clock)), options_(std::move(options)) {
    detail::check(options_);
    initialiseCurl();
  }

  std::variant<HttpResponse, TransportFailure> send(const HttpRequest& request,
                                                    const SendLimits& limits) override {
    if (std::string why = detail::refusal(request, options_); !why.empty())
      return TransportFailure{Kind::forbidden, false, std::move(why)};
    auto worker = workers_.take(options_);
    if (!worker->usable()) return TransportFailure{Kind::connection, false, "libcurl can't be started"};
    const Route route = routeOf(request.url);
    applyProxy(*worker, route, options_.proxy);
    applyUrl(worker->easy(), request.url, route);
    auto answer = transfer(*worker, request, limits);
    workers_.giveBack(std::move(worker));
    return answer;
  }

 private:
  std::variant<HttpResponse, TransportFailure> transfer(CurlWorker& worker, const HttpRequest& request,
                                                        const SendLimits& limits) const {
    const auto remaining = limits.until - clock_->now();
    if (remaining <= remaining.zero())
      return TransportFailure{Kind::timeout, false, "no time was left to send the request"};
    if (limits.stop.stop_requested())
      return TransportFailure{Kind::canceled, false, "it was stopped before it was sent"};
    CURL* easy = worker.easy();
    CurlTransfer& transfer = worker.transfer();
    transfer = {.body = request.body, .maxAnswerBytes = options_.maxAnswerBytes};
    applyMethod(easy, request);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, worker.headers().of(request));
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, detail::milliseconds(remaining));
    if (auto failed = run(worker, limits.stop)) return *std::move(failed);
    transfer.response.status = static_cast<int>(statusOf(easy));
    return std::move(transfer.response);
  }

  /// Runs the transfer to its end, or until a stop is requested.
  static std::optional<TransportFailure> run(CurlWorker& worker, const std::stop_token& stop) {
    CURLM* multi = worker.multi();
    curl_multi_add_handle(multi, worker.easy());
    const std::stop_callback wakeUp{stop, [multi] { curl_multi_wakeup(multi); }};
    int running = 1;
    // The first step also forgets what the handle knows of its last transfer.
    do {
      constexpr int longestWait = 1'000;
      if (curl_multi_perform(multi, &running) != CURLM_OK) break;
      if (running != 0) curl_multi_poll(multi, nullptr, 0, longestWait, nullptr);
    } while (running != 0 && !stop.stop_requested());
    const bool stopped = running != 0 && stop.stop_requested();
    auto failed = stopped
                      ? TransportFailure{Kind::canceled, worker.transfer().begun, "the transfer was stopped"}
                      : outcome(worker);
    curl_multi_remove_handle(multi, worker.easy());
    return failed;
  }

  static std::optional<TransportFailure> outcome(CurlWorker& worker) {
    const CurlTransfer& transfer = worker.transfer();
    int left = 0;
    const CURLMsg* message = curl_multi_info_read(worker.multi(), &left);
    if (message == nullptr || message->msg != CURLMSG_DONE)
      return TransportFailure{Kind::connection, transfer.begun, "libcurl lost the transfer"};
    if (message->data.result == CURLE_OK && transfer.headEnded) return std::nullopt;
    return failure(worker.easy(), message->data.result, transfer, worker.problem());
  }

  std::shared_ptr<Clock> clock_;
  CurlTransportOptions options_;
  detail::CurlWorkers workers_{};
};

}  // namespace

std::shared_ptr<Transport> curlTransport(std::shared_ptr<Clock> clock, CurlTransportOptions options) {
  return std::make_shared<CurlTransport>(std::move(clock), std::move(options));
}

}  // namespace tally
