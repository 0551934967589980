#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/curl_transport.h>

#include <curl/curl.h>

#include "ascii.h"

namespace tally {

namespace {

using EasyHandle = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;
using MultiHandle = std::unique_ptr<CURLM, decltype(&curl_multi_cleanup)>;
using HeaderList = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

/// libcurl wants this once a process, and nobody has to ask for it or to undo it.
void initialiseCurl() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

/// What one thread needs to make a transfer: kept between transfers, because it holds the open connections.
struct Worker {
  EasyHandle easy{curl_easy_init(), &curl_easy_cleanup};
  MultiHandle multi{curl_multi_init(), &curl_multi_cleanup};
};

/// Idle workers. Thread-safe.
class Workers {
 public:
  std::unique_ptr<Worker> take() {
    const std::lock_guard lock{mutex_};
    if (idle_.empty()) return std::make_unique<Worker>();
    auto worker = std::move(idle_.back());
    idle_.pop_back();
    return worker;
  }

  void giveBack(std::unique_ptr<Worker> worker) {
    const std::lock_guard lock{mutex_};
    idle_.push_back(std::move(worker));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> idle_{};
};

std::size_t takeBody(char* data, std::size_t, std::size_t size, void* response) {
  static_cast<HttpResponse*>(response)->body.append(data, size);
  return size;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// Called with each line of the head; a status line begins a new one, as after `100 Continue`.
std::size_t takeHeader(char* data, std::size_t, std::size_t size, void* response) {
  const std::string_view line{data, size};
  auto& headers = static_cast<HttpResponse*>(response)->headers;
  const std::size_t colon = line.find(':');
  if (line.starts_with("HTTP/")) {
    headers.clear();
  } else if (colon != std::string_view::npos) {
    headers.push_back({std::string{line.substr(0, colon)}, std::string{trimmed(line.substr(colon + 1))}});
  }
  return size;
}

HeaderList headerList(const HttpRequest& request) {
  HeaderList list{nullptr, &curl_slist_free_all};
  for (const Header& header : request.headers) {
    // `Name;` is how libcurl is told to send a header without a value.
    const std::string line = header.value.empty() ? header.name + ';' : header.name + ": " + header.value;
    curl_slist* longer = curl_slist_append(list.get(), line.c_str());
    if (longer == nullptr) throw std::bad_alloc{};
    (void)list.release();
    list.reset(longer);
  }
  return list;
}

/// Scheme and host of an URL, in lower case as far as it matters here.
bool isLoopback(std::string_view url) {
  constexpr std::string_view scheme = "http://";
  if (url.size() < scheme.size() || !detail::equalIgnoringCase(url.substr(0, scheme.size()), scheme))
    return false;
  const std::string_view authority =
      url.substr(scheme.size(), url.find_first_of("/?#", scheme.size()) - scheme.size());
  if (authority.find('@') != std::string_view::npos) return false;
  const std::string_view host = authority.starts_with('[') ? authority.substr(0, authority.find(']') + 1)
                                                           : authority.substr(0, authority.find(':'));
  return host == "127.0.0.1" || host == "[::1]" || host == "localhost";
}

long remainingMilliseconds(std::chrono::nanoseconds remaining) {
  const auto whole = std::chrono::ceil<std::chrono::milliseconds>(remaining).count();
  return static_cast<long>(std::clamp<std::int64_t>(whole, 1, std::numeric_limits<std::int32_t>::max()));
}

void applyRequest(CURL* easy, const HttpRequest& request, const CurlTransportOptions& options) {
  curl_easy_reset(easy);
  curl_easy_setopt(easy, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, isLoopback(request.url) ? "http,https" : "https");
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  if (!options.caFile.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, options.caFile.c_str());
  if (request.method == Method::get) return;
  curl_easy_setopt(easy, CURLOPT_POST, 1L);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.body.data());
  // On a connection that is used again and turns out to be closed, libcurl would send the request a second
  // time by itself; a write must never be.
  curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
}

/// Whether any of the request can have left: libcurl notes the moment just before it does.
bool mayHaveBeenSent(CURL* easy) {
  curl_off_t beforeTransfer = 0;
  curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &beforeTransfer);
  return beforeTransfer > 0;
}

TransportFailure failure(CURL* easy, CURLcode code) {
  return {.kind = code == CURLE_OPERATION_TIMEDOUT ? TransportFailure::Kind::timeout
                                                   : TransportFailure::Kind::connection,
          .mayHaveBeenSent = mayHaveBeenSent(easy),
          .message = curl_easy_strerror(code)};
}

class CurlTransport final : public Transport {
 public:
  CurlTransport(std::shared_ptr<Clock> clock, CurlTransportOptions options)
      : clock_(std::move(clock)), options_(std::move(options)) {
    initialiseCurl();
  }

  std::variant<HttpResponse, TransportFailure> send(const HttpRequest& request,
                                                    const SendLimits& limits) override {
    auto worker = workers_.take();
    auto answer = transfer(*worker, request, limits);
    workers_.giveBack(std::move(worker));
    return answer;
  }

 private:
  std::variant<HttpResponse, TransportFailure> transfer(Worker& worker, const HttpRequest& request,
                                                        const SendLimits& limits) {
    CURL* easy = worker.easy.get();
    if (easy == nullptr || worker.multi == nullptr)
      return TransportFailure{.mayHaveBeenSent = false, .message = "libcurl can't be started"};
    const auto remaining = limits.until - clock_->now();
    if (remaining <= remaining.zero())
      return TransportFailure{TransportFailure::Kind::timeout, false, "no time was left to send the request"};
    HttpResponse response;
    const HeaderList headers = headerList(request);
    applyRequest(easy, request, options_);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers.get());
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, remainingMilliseconds(remaining));
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &takeBody);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &response);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &takeHeader);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, &response);
    if (auto failed = run(worker, limits.stop)) return *std::move(failed);
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    response.status = static_cast<int>(status);
    return response;
  }

  /// Runs the transfer to its end, or until a stop is requested.
  static std::optional<TransportFailure> run(Worker& worker, const std::stop_token& stop) {
    CURLM* multi = worker.multi.get();
    CURL* easy = worker.easy.get();
    curl_multi_add_handle(multi, easy);
    const std::stop_callback wakeUp{stop, [multi] { curl_multi_wakeup(multi); }};
    int running = 1;
    while (running != 0 && !stop.stop_requested()) {
      constexpr int longestWait = 1'000;
      if (curl_multi_perform(multi, &running) != CURLM_OK) break;
      if (running != 0) curl_multi_poll(multi, nullptr, 0, longestWait, nullptr);
    }
    auto failed = outcome(worker, running != 0);
    curl_multi_remove_handle(multi, easy);
    return failed;
  }

  static std::optional<TransportFailure> outcome(Worker& worker, bool unfinished) {
    CURL* easy = worker.easy.get();
    if (unfinished)
      return TransportFailure{TransportFailure::Kind::canceled, mayHaveBeenSent(easy),
                              "the transfer was stopped"};
    int left = 0;
    const CURLMsg* message = curl_multi_info_read(worker.multi.get(), &left);
    if (message == nullptr || message->msg != CURLMSG_DONE)
      return TransportFailure{.mayHaveBeenSent = mayHaveBeenSent(easy),
                              .message = "libcurl lost the transfer"};
    if (message->data.result == CURLE_OK) return std::nullopt;
    return failure(easy, message->data.result);
  }

  std::shared_ptr<Clock> clock_;
  CurlTransportOptions options_;
  Workers workers_{};
};

}  // namespace

std::shared_ptr<Transport> curlTransport(std::shared_ptr<Clock> clock, CurlTransportOptions options) {
  return std::make_shared<CurlTransport>(std::move(clock), std::move(options));
}

}  // namespace tally
