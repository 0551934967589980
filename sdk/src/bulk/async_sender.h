#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <tally/client.h>
#include <tally/report_all.h>
#include <tally/stop_token.h>

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

  void read(BulkRow& row, StopToken stop) override;
  void send(BulkRow& row, StopToken stop) override;
  void resolve(BulkRow& row, bool resend, StopToken stop) override;
  void pause(BulkRow& row, Instant until, StopToken stop) override;
  [[nodiscard]] std::vector<BulkRow*> wait(const Times& times, StopToken stop) override;

 private:
  class RowCall;
  class Resolution;
  class Pause;

  [[nodiscard]] RequestOptions requestOptions(const BulkRow& row, StopToken stop) const;
  void start(std::unique_ptr<Activity> activity);
  void ended(BulkRow& row);
  [[nodiscard]] std::vector<BulkRow*> takeEnded();
  void turnLoop(Instant opening, const StopToken& stop);

  const ReportAllOptions& options_;
  std::shared_ptr<AsyncEngine> engine_;

  std::mutex mutex_{};  // guards the following members
  std::vector<BulkRow*> ended_{};
  StopSource waiter_{noStopState};  // ends the wait in progress
};

}  // namespace tally::detail
