#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include <tally/client.h>
#include <tally/report_all.h>

#include "async/async_engine.h"
#include "bulk/report_sender.h"

namespace tally::detail {

/// Makes the calls of a job by the engine of an AsyncClient.
class AsyncSender final : public ReportSender {
 public:
  /// `options` must outlive this.
  AsyncSender(const Client& client, const ReportAllOptions& options);
  ~AsyncSender() override;

  [[nodiscard]] const ClientCore& core() const noexcept { return engine_->core(); }

  void read(BulkRow& row, std::stop_token stop) override;
  void send(BulkRow& row, std::stop_token stop) override;
  void resolve(BulkRow& row, bool resend, std::stop_token stop) override;
  void pause(BulkRow& row, Instant until, std::stop_token stop) override;
  [[nodiscard]] std::vector<BulkRow*> wait(const Times& times, std::stop_token stop) override;

 private:
  class Call;
  class Resolution;
  class Pause;
  struct Alarm;

  [[nodiscard]] RequestOptions requestOptions(std::stop_token stop) const;
  void start(std::unique_ptr<Activity> activity);
  void ended(BulkRow& row);
  [[nodiscard]] std::vector<BulkRow*> takeEnded();
  void turnLoop(Instant opening, const std::stop_token& stop);

  const ReportAllOptions& options_;
  std::shared_ptr<AsyncEngine> engine_;

  std::mutex mutex_{};  // guards the following members
  std::vector<BulkRow*> ended_{};
  std::stop_source waiter_{std::nostopstate};  // ends the wait in progress
};

}  // namespace tally::detail
