#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include <tally/curl_transport.h>

#include <curl/curl.h>

#include "ascii.h"
#include "curl_failure.h"
#include "curl_refusal.h"
#include "curl_worker.h"

namespace tally {

namespace {

using detail::CurlWorker;
using HeaderList = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;
using Kind = TransportFailure::Kind;

/// libcurl wants this once a process, and nobody has to ask for it or to undo it.
void initialiseCurl() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

/// The body of a request, as libcurl reads it, and the answer, as it comes.
struct Transfer {
  std::string_view body{};
  std::size_t read = 0;
  bool begun = false;     // the request may be on its way, or has been
  bool repeated = false;  // libcurl would have sent it once more
  HttpResponse response{};
  std::size_t maxAnswerBytes = 0;
  std::size_t headBytes = 0;
  bool tooLarge = false;
  bool headEnded = false;
};

/// libcurl sends a request again by itself where a kept connection turns out to be closed, or the server
/// refuses the stream. Not with us: what has been sent once may have been acted upon. Called just before a
/// request is sent.
int permitOnce(void* data, char*, char*, int, int) {
  auto& transfer = *static_cast<Transfer*>(data);
  transfer.repeated = transfer.begun;
  transfer.begun = true;
  return transfer.repeated ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

/// Called before a connection is made; spares the one on which the request would be sent again.
int connectOnce(void* data, curl_socket_t, curlsocktype) {
  auto& transfer = *static_cast<Transfer*>(data);
  transfer.repeated = transfer.begun;
  return transfer.repeated ? CURL_SOCKOPT_ERROR : CURL_SOCKOPT_OK;
}

std::size_t giveBody(char* buffer, std::size_t size, std::size_t count, void* data) {
  auto& transfer = *static_cast<Transfer*>(data);
  const std::size_t length = std::min(size * count, transfer.body.size() - transfer.read);
  std::memcpy(buffer, transfer.body.data() + transfer.read, length);
  transfer.read += length;
  return length;
}

std::size_t takeBody(char* bytes, std::size_t, std::size_t size, void* data) {
  auto& transfer = *static_cast<Transfer*>(data);
  transfer.tooLarge = size > transfer.maxAnswerBytes - transfer.response.body.size();
  if (transfer.tooLarge) return 0;
  transfer.response.body.append(bytes, size);
  return size;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// Called with each line of the head; a status line begins a new one, as after `100 Continue`.
std::size_t takeHeader(char* bytes, std::size_t, std::size_t size, void* data) {
  const std::string_view line{bytes, size};
  auto& transfer = *static_cast<Transfer*>(data);
  auto& headers = transfer.response.headers;
  transfer.headBytes += size;
  transfer.tooLarge = transfer.headBytes > transfer.maxAnswerBytes;
  if (transfer.tooLarge) return 0;
  const std::size_t colon = line.find(':');
  transfer.headEnded = trimmed(line).empty();
  if (line.starts_with("HTTP/")) {
    headers.clear();
  } else if (colon != std::string_view::npos) {
    headers.push_back({std::string{line.substr(0, colon)}, std::string{trimmed(line.substr(colon + 1))}});
  }
  return size;
}

void append(HeaderList& list, const std::string& line) {
  curl_slist* longer = curl_slist_append(list.get(), line.c_str());
  if (longer == nullptr) throw std::bad_alloc{};
  (void)list.release();
  list.reset(longer);
}

HeaderList headerList(const HttpRequest& request) {
  HeaderList list{nullptr, &curl_slist_free_all};
  // `Name;` is how libcurl is told to send a header without a value.
  for (const Header& header : request.headers)
    append(list, header.value.empty() ? header.name + ';' : header.name + ": " + header.value);
  if (request.method == Method::post) append(list, "Expect:");  // no round trip before a large body
  return list;
}

long milliseconds(std::chrono::nanoseconds duration) {
  const auto whole = std::chrono::ceil<std::chrono::milliseconds>(duration).count();
  return static_cast<long>(std::clamp<std::int64_t>(whole, 1, std::numeric_limits<std::int32_t>::max()));
}

void applyConnection(CURL* easy, const std::string& url, const CurlTransportOptions& options) {
  curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, detail::isPlain(url) ? "http" : "https");
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(options.connectTimeout));
  // Otherwise the end of a transfer waits until the resolver is done with the host's name.
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
  if (!options.caFile.empty()) {
    curl_easy_setopt(easy, CURLOPT_CAINFO, options.caFile.c_str());
    curl_easy_setopt(easy, CURLOPT_CAPATH, nullptr);  // the system's folder would be trusted as well
  }
}

void applyProxy(CURL* easy, const std::string& url, const CurlTransportOptions& options) {
  if (detail::isPlainLoopback(url)) {
    curl_easy_setopt(easy, CURLOPT_PROXY, "");  // what doesn't leave this machine is nothing for a proxy
  } else if (options.proxy) {
    curl_easy_setopt(easy, CURLOPT_PROXY, options.proxy->c_str());
  } else if (detail::isPlain(url)) {
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
  }
}

void applyRequest(CURL* easy, const HttpRequest& request, Transfer& transfer) {
  curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, &permitOnce);
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, &connectOnce);
  curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, &transfer);
  if (request.method == Method::get && request.body.empty()) return;
  if (request.method == Method::get) curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, "GET");
  curl_easy_setopt(easy, CURLOPT_POST, 1L);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  curl_easy_setopt(easy, CURLOPT_READFUNCTION, &giveBody);
  curl_easy_setopt(easy, CURLOPT_READDATA, &transfer);
}

void applyAnswer(CURL* easy, Transfer& transfer) {
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");  // every encoding that this libcurl knows
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &takeBody);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &takeHeader);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, &transfer);
}

long statusOf(CURL* easy) {
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

TransportFailure failure(CURL* easy, CURLcode code, const Transfer& transfer, std::string detail) {
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
                              .detail = std::move(detail)});
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
    auto worker = workers_.take();
    if (!worker->usable()) return TransportFailure{Kind::connection, false, "libcurl can't be started"};
    auto answer = transfer(*worker, request, limits);
    workers_.giveBack(std::move(worker));
    return answer;
  }

 private:
  std::variant<HttpResponse, TransportFailure> transfer(CurlWorker& worker, const HttpRequest& request,
                                                        const SendLimits& limits) const {
    CURL* easy = worker.easy();
    const auto remaining = limits.until - clock_->now();
    if (remaining <= remaining.zero())
      return TransportFailure{Kind::timeout, false, "no time was left to send the request"};
    Transfer transfer{.body = request.body, .maxAnswerBytes = options_.maxAnswerBytes};
    const HeaderList headers = headerList(request);
    curl_easy_reset(easy);
    applyConnection(easy, request.url, options_);
    applyProxy(easy, request.url, options_);
    applyRequest(easy, request, transfer);
    applyAnswer(easy, transfer);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers.get());
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, milliseconds(remaining));
    if (auto failed = run(worker, limits.stop, transfer)) return *std::move(failed);
    transfer.response.status = static_cast<int>(statusOf(easy));
    return std::move(transfer.response);
  }

  /// Runs the transfer to its end, or until a stop is requested.
  static std::optional<TransportFailure> run(CurlWorker& worker, const std::stop_token& stop,
                                             const Transfer& transfer) {
    CURLM* multi = worker.multi();
    CURL* easy = worker.easy();
    std::array<char, CURL_ERROR_SIZE> detail{};
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, detail.data());
    curl_multi_add_handle(multi, easy);
    const std::stop_callback wakeUp{stop, [multi] { curl_multi_wakeup(multi); }};
    int running = 1;
    while (running != 0 && !stop.stop_requested()) {
      constexpr int longestWait = 1'000;
      if (curl_multi_perform(multi, &running) != CURLM_OK) break;
      if (running != 0) curl_multi_poll(multi, nullptr, 0, longestWait, nullptr);
    }
    const bool stopped = running != 0 && stop.stop_requested();
    auto failed = stopped ? TransportFailure{Kind::canceled, transfer.begun, "the transfer was stopped"}
                          : outcome(worker, transfer, detail.data());
    curl_multi_remove_handle(multi, easy);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, nullptr);
    return failed;
  }

  static std::optional<TransportFailure> outcome(CurlWorker& worker, const Transfer& transfer,
                                                 const char* detail) {
    int left = 0;
    const CURLMsg* message = curl_multi_info_read(worker.multi(), &left);
    if (message == nullptr || message->msg != CURLMSG_DONE)
      return TransportFailure{Kind::connection, transfer.begun, "libcurl lost the transfer"};
    if (message->data.result == CURLE_OK && transfer.headEnded) return std::nullopt;
    return failure(worker.easy(), message->data.result, transfer, detail);
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
