#include <algorithm>
#include <array>
#include <limits>
#include <ostream>
#include <set>
#include <stdexcept>
#include <utility>

#include <tally/client.h>
#include <tally/outbox.h>

#include "call/request_defaults.h"
#include "postgres/connection_string.h"
#include "postgres/postgres_store.h"
#include "sqlite/sqlite_store.h"
#include "text/find_header.h"
#include "text/utf8_sequence.h"
#include "worker/domain_work.h"
#include "worker/store.h"
#include "worker/worker.h"

namespace [[gnu::visibility("default")]] tally {

namespace {

void require(bool fine, const std::string& what) {
  if (!fine) throw std::invalid_argument{what};
}

/// Otherwise, these mistakes would appear only once a worker owns the domain, which would keep other workers
/// from owning it.
void checkSending(const OutboxDomain& domain, const std::string& where) {
  try {
    const Client client{domain.client};
    const auto pacer = detail::pacerOf(domain);
  } catch (const std::invalid_argument& wrong) {
    throw std::invalid_argument{where + wrong.what()};
  }
  if (const auto fault = detail::RequestDefaults{domain.client}.check({}))
    throw std::invalid_argument{where + fault->param + ' ' + fault->what};
  require(domain.markerKey.find_first_of("[]") == std::string::npos,
          where + "markerKey must not contain '[' or ']'");
}

void check(const OutboxDomain& domain, const OutboxOptions& options) {
  require(!domain.name.empty(), "OutboxDomain::name must not be empty");
  require(domain.name.find('\0') == std::string::npos, "OutboxDomain::name must not contain a NUL character");
  require(detail::isUtf8(domain.name), "OutboxDomain::name must be UTF-8");
  const std::string where = "OutboxOptions::domains, " + domain.name + ": ";
  require(!domain.client.apiKey.empty() || domain.client.apiKeyProvider,
          where + "the client must have an apiKey or an apiKeyProvider");
  require(
      domain.client.timeout <= options.lease / 2,
      where + "the client's timeout must be at most half of the lease, so that an attempt ends within it");
  require(detail::findHeader(domain.client.headers, "Authorization") == nullptr,
          where + "the key must not be in an Authorization header, which no lease could withhold");
  checkSending(domain, where);
}

void check(const OutboxOptions& options) {
  using std::chrono::milliseconds;
  require(options.lease >= milliseconds{1'000} && options.lease <= std::chrono::hours{1},
          "OutboxOptions::lease must be from 1 second to 1 hour");
  require(options.window >= 1 && options.window <= 1'000'000,
          "OutboxOptions::window must be from 1 to 1,000,000");
  require(options.maxInFlight >= 1, "OutboxOptions::maxInFlight must be at least 1");
  require(options.retryTimeout >= milliseconds{0}, "OutboxOptions::retryTimeout must be at least 0");
  require(options.gracePeriod >= milliseconds{0}, "OutboxOptions::gracePeriod must be at least 0");
  require(!options.retention || options.retention->count() >= 0,
          "OutboxOptions::retention must be at least 0");
  std::set<std::string> names;
  for (const OutboxDomain& domain : options.domains) {
    check(domain, options);
    require(names.insert(domain.name).second,
            "OutboxOptions::domains must not contain '" + domain.name + "' twice");
  }
}

/// libpq would take another URL for the name of a database on this machine.
bool isUrlOfAnother(std::string_view url) {
  const std::size_t end = url.find("://");
  const std::string_view scheme = url.substr(0, end);
  return end != std::string_view::npos && scheme.find_first_of("= ") == std::string_view::npos &&
         scheme != "postgresql" && scheme != "postgres";
}

std::shared_ptr<detail::OutboxStore> storeOf(const std::string& url, const OutboxOptions& options) {
  constexpr std::string_view sqlite = "sqlite:";
  if (url.starts_with(sqlite))
    return std::make_shared<detail::SqliteStore>(url.substr(sqlite.size()), options.clock);
  // Without the URL, which may contain a password.
  require(!isUrlOfAnother(url),
          "the database must be postgresql://host/name, or sqlite: and the path of a file");
  detail::checkConnectionString(url);
  return std::make_shared<detail::PostgresStore>(url);
}

constexpr std::array eventNames{
    "started",         "stopped",       "fenced",          "domain claimed",  "domain released",
    "domain paused",   "peer died",     "report applied",  "report refused",  "report unknown",
    "report canceled", "report parked", "report deferred", "report repaired", "report overwritten",
    "trouble",         "heartbeat"};

}  // namespace

std::string_view toString(OutboxEvent::Kind kind) noexcept {
  return eventNames.at(static_cast<std::size_t>(kind));
}

std::ostream& operator<<(std::ostream& out, OutboxEvent::Kind kind) {
  return out << toString(kind);
}

std::ostream& operator<<(std::ostream& out, const OutboxEvent& event) {
  out << event.kind;
  if (!event.domain.empty()) out << ", domain: " << event.domain;
  if (event.report != 0) out << ", report: " << event.report << ", object: " << event.object;
  if (!event.reason.empty()) out << ", reason: " << event.reason;
  return out;
}

std::ostream& operator<<(std::ostream& out, const OutboxDomain& value) {
  return out << value.name << ", marker key: " << value.markerKey;
}

std::ostream& operator<<(std::ostream& out, const OutboxOptions& value) {
  out << "domains:";
  for (const OutboxDomain& domain : value.domains)
    out << ' ' << domain.name;
  return out << ", lease: " << value.lease.count() << " ms, window: " << value.window
             << ", max in flight: " << value.maxInFlight;
}

std::ostream& operator<<(std::ostream& out, const OutboxStatus& value) {
  out << value.domain << ": " << value.waiting << " waiting, " << value.blocked << " blocked, "
      << value.failed << " failed";
  if (value.waiting != 0) out << ", the oldest for " << value.oldest.count() << " s";
  if (!value.paused.empty()) out << ", paused: " << value.paused;
  return out << (value.owner.empty() ? std::string{", no worker"} : ", worker: " + value.owner);
}

std::ostream& operator<<(std::ostream& out, const OutboxReportStatus& value) {
  out << value.domain << ": report " << value.report << " on " << value.object << ", key " << value.key
      << ", " << value.state << ", enqueued " << value.age.count() << " s ago";
  return value.reason.empty() ? out : out << ": " << value.reason;
}

std::ostream& operator<<(std::ostream& out, const OutboxRequestStatus& value) {
  return out << value.domain << ": request " << value.request << " to " << value.action << " report "
             << value.report << ": " << (value.answer.empty() ? "not carried out yet" : value.answer);
}

Outbox::Outbox(const std::string& url, OutboxOptions options)
    : options_(std::move(options)), store_(storeOf(url, options_)) {
  check(options_);
}

Outbox::~Outbox() = default;

void Outbox::migrate() {
  store_->migrate();
}

Result<std::uint64_t> Outbox::enqueue(std::string_view domain, const OutboxReport& report,
                                      const EnqueueOptions& options) {
  auto numbers = store_->enqueueAll(domain, std::span{&report, 1}, options);
  if (!numbers) return numbers.error();
  return numbers.value().front();
}

Result<std::vector<std::uint64_t>> Outbox::enqueueAll(std::string_view domain,
                                                      std::span<const OutboxReport> reports,
                                                      const EnqueueOptions& options) {
  return store_->enqueueAll(domain, reports, options);
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): as all functions that take one
void Outbox::run(StopToken stop) {
  require(!options_.domains.empty(), "OutboxOptions::domains must not be empty: run() would send nothing");
  detail::Worker{*store_, options_}.run(stop);
}

std::uint64_t Outbox::retry(std::uint64_t report, std::string_view note) {
  return store_->ask("retry", report, note);
}

std::uint64_t Outbox::cancel(std::uint64_t report, std::string_view note) {
  return store_->ask("cancel", report, note);
}

std::uint64_t Outbox::release(std::uint64_t report, std::string_view note) {
  return store_->ask("release", report, note);
}

void Outbox::pause(std::string_view domain, std::string_view reason) {
  store_->pause(domain, reason.empty() ? "no reason given" : reason);  // as tally.pause() in PostgreSQL
}

void Outbox::resume(std::string_view domain, std::string_view note) {
  store_->resume(domain, note);
}

void Outbox::limitWaiting(std::string_view domain, std::optional<std::uint64_t> maxWaiting) {
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();  // as in the databases
  if (maxWaiting) maxWaiting = std::min(*maxWaiting, most);
  store_->limitWaiting(domain, maxWaiting);
}

std::uint64_t Outbox::erase(std::string_view domain, std::string_view object, std::string_view note) {
  return store_->erase(domain, object, note);
}

std::vector<OutboxStatus> Outbox::status() {
  return store_->status();
}

std::vector<OutboxReportStatus> Outbox::failed(std::size_t limit) {
  return store_->failed(limit);
}

std::vector<OutboxReportStatus> Outbox::blocked(std::size_t limit) {
  return store_->blocked(limit);
}

std::vector<OutboxRequestStatus> Outbox::requests(std::size_t limit) {
  return store_->requests(limit);
}

}  // namespace tally
