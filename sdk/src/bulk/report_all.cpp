#include <array>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <tally/report_all.h>

#include "bulk/async_sender.h"
#include "bulk/bulk_job.h"
#include "call/request_builder.h"
#include "event/event_loop.h"
#include "options/key_header.h"
#include "text/fingerprint.h"
#include "text/wipe.h"

namespace tally::detail {

namespace {

void checkBulkOptions(const ReportAllOptions& options) {
  const auto require = [](bool fine, const char* what) {
    if (!fine) throw std::invalid_argument{what};
  };
  using std::chrono::milliseconds;
  require(options.window >= 1, "ReportAllOptions::window must be at least 1");
  require(options.maxInFlight >= 1, "ReportAllOptions::maxInFlight must be at least 1");
  require(options.retryTimeout >= milliseconds{0}, "ReportAllOptions::retryTimeout must be at least 0");
  require(options.gracePeriod >= milliseconds{0}, "ReportAllOptions::gracePeriod must be at least 0");
  require(options.progressInterval > milliseconds{0},
          "ReportAllOptions::progressInterval must be more than 0");
}

/// A key that may differ in the next run, or is not available here, can't identify the account.
void requireFixedKey(const ClientOptions& client, const RequestOptions& request) {
  const bool inHeader = isKeyInHeader(client, request);
  if (!inHeader && apiKeyProviderOf(client, request) == nullptr) return;
  throw std::invalid_argument{
      std::string{"ReportAllOptions::account must name the account, because the API key, by which a journal "
                  "would otherwise recognize it, comes from "} +
      (inHeader ? "an Authorization header" : "ClientOptions::apiKeyProvider")};
}

/// What distinguishes one account from another, without the key.
std::string ownerAccount(const RequestDefaults& defaults, const ReportAllOptions& options) {
  if (!options.account.empty()) return options.account;
  const ClientOptions& client = defaults.client();
  requireFixedKey(client, options.request);
  const std::string rest = '\n' + accountOf(client, options.request) + '\n' + client.baseUrl;
  const std::string_view key = keyOf(client, options.request).reveal();
  WipedText account;
  account.text.reserve(key.size() + rest.size());
  account.text.append(key).append(rest);
  std::array<char, 16> hex{};
  (void)std::snprintf(hex.data(), hex.size(), "%08x", fingerprint(account.text));
  return hex.data();
}

/// Why the journal can't be used, or no request can be made. Then no journal is made either: its owner would
/// be wrong.
std::optional<std::string> openJournal(const RequestDefaults& defaults, const ReportAllOptions& options) {
  RequestOptions request = options.request;
  request.totalTimeout.reset();  // not used
  if (const auto fault = defaults.check(request)) return fault->param + ' ' + fault->what;
  const JournalOwner owner{.source = options.source, .account = ownerAccount(defaults, options)};
  try {
    options.journal->open(owner);
    return std::nullopt;
  } catch (const JournalError& error) {
    return error.what();
  }
}

}  // namespace

ReportSummary reportAllFrom(const Client& client, const ReportSource& source, const ReportAllOptions& options,
                            const ReportCallback& onResult) {
  checkBulkOptions(options);
  BulkRows rows;  // outlive the sender, whose destructor ends the calls in flight
  AsyncSender sender{client, options};
  const ClientOptions& known = sender.core().options();
  std::optional<EventLoop::Alone> alone;
  if (known.transport->inProcess()) alone.emplace();
  if (options.journal)
    if (auto problem = openJournal(sender.core().defaults(), options))
      return {.problem = *std::move(problem)};
  return BulkJob{*known.clock, known.backoff, known.jitterSeed.value_or(0), rows, sender, source,
                 options,      onResult}
      .run();
}

}  // namespace tally::detail
