#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <tally/borrowed.h>
#include <tally/call.h>
#include <tally/report_check.h>

#include "async/activity_operation.h"
#include "async/async_call.h"
#include "async/async_engine.h"
#include "async/composite.h"
#include "call/turn.h"
#include "reports/prepared_report.h"
#include "reports/report_resolution.h"
#include "reports/report_resolver.h"

namespace tally::detail {

/// Carries out checkReport() or resolveReport() in the loop.
class AsyncReportDriver : public Composite {
 public:
  void fail(const Error& error) final;

 protected:
  /// `sends`: whether it resolves the report, or only checks it.
  AsyncReportDriver(std::shared_ptr<AsyncEngine> engine, RequestOptions options, bool sends)
      : Composite(std::move(engine)), options_(std::move(options)), sends_(sends) {}

  /// To be changed only before describe().
  [[nodiscard]] RequestOptions& options() noexcept { return options_; }

  /// Call it before the start. What both refer to must outlive this.
  void describe(const LostReport& report, ObjectRef target);

  virtual void setError(const Error& error) = 0;
  virtual void setFacts(CheckFacts&& facts) = 0;

 private:
  void begin() final;
  void waited() final;
  void canceled() final;
  void partEnded(const std::optional<Error>& error) final;

  void carryOut(ReportResolution::Action action);
  void read();
  void readInTurn();
  void send();
  void startPart(AsyncRequest request, const AnyOperation& operation);
  void releaseTurn() noexcept;
  void endWith(const std::optional<Error>& error);
  void failWith(const Error& error);

  [[nodiscard]] static const Error& unexplained();

  const Error& unexplained_ = unexplained();  // made in advance: a failure then needs no memory
  RequestOptions options_;
  bool sends_;
  std::optional<LostReport> report_{};
  ObjectRef target_{};
  CheckFacts facts_{};
  Turn turn_{};  // of the report
  std::optional<ReportResolution> resolution_{};
  ReportResolution::Action action_ = ReportResolution::Action::readInTurn;
};

template <class T, class Report, class Attempt>
class AsyncReportCall final : public ActivityOperation<ReportCheck<T>, AsyncReportDriver> {
 public:
  AsyncReportCall(std::shared_ptr<AsyncEngine> engine, Report report, ReportCall<T> (*callOf)(const Report&),
                  std::string_view id, ReportCheckOptions<T, Attempt> known, const RequestOptions& options,
                  bool sends)
      : ActivityOperation<ReportCheck<T>, AsyncReportDriver>(std::move(engine), options, sends),
        id_(id),
        report_(std::move(report)),
        known_(std::move(known)),
        call_(callOf(report_)) {
    this->options().attempts = this->delivery().collectFor(options.attempts);
    this->describe(lostReport(this->engine().core(), call_, id_, known_, this->options()), refTo(object_));
  }

 private:
  void setError(const Error& error) override { this->delivery().setError(error); }
  void setFacts(CheckFacts&& facts) override {
    this->delivery().setResult(ReportCheck<T>{facts.status, facts.isFinal, std::move(object_), facts.resends,
                                              facts.noResendReason, std::move(facts.error)});
  }

  std::string id_;
  Report report_;
  ReportCheckOptions<T, Attempt> known_;
  ReportCall<T> call_;
  T object_{};
};

/// Generated services call the following functions.

/// Sends any report, by its parameters.
template <class T>
Call<T> asyncSendReport(const std::shared_ptr<AsyncEngine>& engine, const ReportCall<T>& call,
                        std::string_view id, const Borrowed<RequestOptions>& options) {
  return asyncCallUntyped<T>(engine, call.operation, id, call.params, options);
}

/// Sends a report on an object of `resource`. One that can't be sent needs no particular operation: its error
/// comes first.
template <class T>
Call<T> asyncSendReport(const std::shared_ptr<AsyncEngine>& engine, const Resource& resource,
                        const Report& report, const Borrowed<RequestOptions>& options) {
  const auto prepared = prepareReportOn(resource, report);
  if (const auto* error = std::get_if<Error>(&prepared))
    return Call<T>{std::make_unique<AsyncModelCall<T>>(
        engine, AsyncRequest{.operation = *operations.front(), .request = *error, .options = options})};
  const auto& [operation, params] = std::get<PreparedReport>(prepared);
  return asyncCallUntyped<T>(engine, *operation, report.id, params.ref(), options);
}

template <class T, class Report, class Attempt>
Call<ReportCheck<T>> asyncCheckReport(const std::shared_ptr<AsyncEngine>& engine, Report report,
                                      ReportCall<T> (*callOf)(const Report&), std::string_view id,
                                      ReportCheckOptions<T, Attempt> known,
                                      const Borrowed<RequestOptions>& options) {
  return Call<ReportCheck<T>>{std::make_unique<AsyncReportCall<T, Report, Attempt>>(
      engine, std::move(report), callOf, id, std::move(known), options, false)};
}

template <class T, class Report, class Attempt>
Call<ReportCheck<T>> asyncResolveReport(const std::shared_ptr<AsyncEngine>& engine, Report report,
                                        ReportCall<T> (*callOf)(const Report&), std::string_view id,
                                        ReportCheckOptions<T, Attempt> known,
                                        const Borrowed<RequestOptions>& options) {
  return Call<ReportCheck<T>>{std::make_unique<AsyncReportCall<T, Report, Attempt>>(
      engine, std::move(report), callOf, id, std::move(known), options, true)};
}

}  // namespace tally::detail
