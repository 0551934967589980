#include <array>
#include <cstdio>
#include <stdexcept>

#include <tally/report_all.h>

#include "bulk/async_sender.h"
#include "bulk/bulk_job.h"
#include "text/fingerprint.h"

namespace tally::detail {

namespace {

void checkBulkOptions(const ReportAllOptions& options) {
  const auto require = [](bool fine, const char* what) {
    if (!fine) throw std::invalid_argument{what};
  };
  using std::chrono::milliseconds;
  require(options.window >= 1, "ReportAllOptions::window must be at least 1");
  require(options.maxInFlight >= 1, "ReportAllOptions::maxInFlight must be at least 1");
  require(options.patience >= milliseconds{0}, "ReportAllOptions::patience must be at least 0");
  require(options.grace >= milliseconds{0}, "ReportAllOptions::grace must be at least 0");
  require(options.progressInterval > milliseconds{0},
          "ReportAllOptions::progressInterval must be more than 0");
}

/// What tells one account from another, without the key.
std::string accountOf(const ClientOptions& client, const ReportAllOptions& options) {
  if (!options.account.empty()) return options.account;
  const std::string text = options.request.apiKey.value_or(client.apiKey) + '\n' +
                           options.request.connectedAccount.value_or(client.connectedAccount) + '\n' +
                           client.baseUrl;
  std::array<char, 16> hex{};
  (void)std::snprintf(hex.data(), hex.size(), "%08x", fingerprint(text));
  return hex.data();
}

}  // namespace

ReportSummary reportAllFrom(const Client& client, const ReportSource& source, const ReportAllOptions& options,
                            const ReportCallback& onResult) {
  checkBulkOptions(options);
  AsyncSender sender{client, options};
  const ClientOptions& known = sender.core().options();
  if (options.journal) {
    try {
      options.journal->open({.source = options.source, .account = accountOf(known, options)});
    } catch (const JournalError& error) {
      return {.problem = error.what()};
    }
  }
  return BulkJob{*known.clock, known.backoff, known.jitterSeed.value_or(0), sender, source, options, onResult}
      .run();
}

}  // namespace tally::detail
