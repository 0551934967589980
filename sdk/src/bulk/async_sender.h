#pragma once

#include <cstddef>
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

  [[nodiscard]] std::size_t room() const override;
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
  void ended(BulkRow& row) noexcept;
  [[nodiscard]] bool isPaced() const noexcept { return core().options().pacer != nullptr; }
  void pacing();
  void paced();
  [[nodiscard]] std::vector<BulkRow*> takeEnded();
  [[nodiscard]] std::vector<BulkRow*> handOver();  // with the mutex
  void turnLoop(Instant opening, const StopToken& stop);

  const ReportAllOptions& options_;
  std::shared_ptr<AsyncEngine> engine_;

  const std::size_t mostUnpaced_;
  mutable std::mutex mutex_{};  // guards the following members
  std::size_t unpaced_ = 0;     // calls that the pacer has not admitted yet
  bool madeRoom_ = false;
  std::size_t started_ = 0;         // activities whose end has not been handed over
  std::vector<BulkRow*> ended_{};   // with room for all of these
  StopSource waiter_{noStopState};  // ends the wait in progress
};

}  // namespace tally::detail
