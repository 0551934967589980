#include "bulk/async_sender.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "async/async_call.h"
#include "async/async_reports.h"
#include "http/response_reader.h"
#include "reports/report_resolution.h"
#include "text/reserve_more.h"

namespace tally::detail {

namespace {

struct Alarm final : Timer {
  void expired() override { rang = true; }

  bool rang = false;
};

}  // namespace

/// Reads the response of one call into the row's object.
class AsyncSender::RowCall final : public AsyncDriver {
 public:
  RowCall(AsyncSender& sender, BulkRow& row, AsyncRequest request)
      : AsyncDriver(sender.engine_, std::move(request)),
        sender_(sender),
        row_(row),
        unpaced_(sender.isPaced()) {
    if (unpaced_) sender_.pacing();
  }

 private:
  [[nodiscard]] std::optional<Error> read(TransportResult& result, Instant now) override {
    if (!object_) object_ = std::make_shared<AnyObject>(*operation().resource->model);
    return ResponseReader{operation(), object(), object_->ref()}.read(result, now);
  }
  void setError(const Error& error) override { error_ = error; }
  void passedPacer() noexcept override {
    if (std::exchange(unpaced_, false)) sender_.paced();
  }
  void complete() override {
    passedPacer();
    row_.error = error_;
    row_.object = error_ ? nullptr : object_;
    sender_.ended(row_);
  }

  AsyncSender& sender_;
  BulkRow& row_;
  bool unpaced_;
  std::shared_ptr<AnyObject> object_{};
  std::optional<Error> error_{};
};

/// Checks or resolves a report.
class AsyncSender::Resolution final : public AsyncReportDriver {
 public:
  Resolution(AsyncSender& sender, BulkRow& row, const RequestOptions& options, bool resend)
      : AsyncReportDriver(sender.engine_, options, resend),
        sender_(sender),
        row_(row),
        object_(std::make_shared<AnyObject>(*row.resource().model)) {
    describe({engine().core(), *row.prepared.operation, row.report.id,
              std::as_const(row.prepared.params).ref(), row.before ? row.before->ref() : ConstObjectRef{},
              row.report.attempt.empty() ? nullptr : &row.report.attempt, this->options()},
             object_->ref());
  }

 private:
  void setError(const Error& error) override { row_.error = error; }
  void setFacts(CheckFacts&& facts) override {
    row_.facts = std::move(facts);
    row_.object = object_;
  }
  void complete() override { sender_.ended(row_); }

  AsyncSender& sender_;
  BulkRow& row_;
  std::shared_ptr<AnyObject> object_;
};

/// Ends at a time or when stopped.
class AsyncSender::Pause final : public Activity {
 public:
  Pause(AsyncSender& sender, BulkRow& row, Instant until, StopToken stop)
      : Activity(sender.engine_), sender_(sender), row_(row), until_(until), stop_(std::move(stop)) {}

 private:
  struct Cancel {
    Pause* pause;
    void operator()() const noexcept { pause->signal(canceling); }
  };

  void begin() override {
    setTimer(until_);
    stopped_.emplace(stop_, Cancel{this});
  }
  void resume() override {
    stopped_.reset();
    end(nullptr);
  }
  void fail(const Error& /*error*/) override { resume(); }
  void complete() override { sender_.ended(row_); }

  AsyncSender& sender_;
  BulkRow& row_;
  Instant until_;
  StopToken stop_;
  std::optional<StopCallback<Cancel>> stopped_{};
};

/// Ends a wait.
AsyncSender::AsyncSender(const Client& client, const ReportAllOptions& options)
    : options_(options),
      engine_(std::make_shared<AsyncEngine>(
          client.sharedCore(), AsyncOptions{.maxInFlight = options.maxInFlight,
                                            .maxWaiting = std::numeric_limits<std::size_t>::max()})),
      mostUnpaced_(std::max<std::size_t>(options.maxInFlight / 4, 1)) {
  engine_->startThread();
}

AsyncSender::~AsyncSender() {
  engine_->closeInDestructor();
}

RequestOptions AsyncSender::requestOptions(const BulkRow& row, StopToken stop) const {
  RequestOptions options = options_.request;
  options.totalTimeout.reset();
  options.deadline.reset();
  options.attempts = nullptr;
  options.stop = std::move(stop);
  if (row.connectedAccount != nullptr) options.connectedAccount = *row.connectedAccount;
  return options;
}

/// From now on, the activity owns itself.
void AsyncSender::start(std::unique_ptr<Activity> activity) {
  {
    const std::lock_guard lock{mutex_};
    reserveMore(ended_, started_ - ended_.size() + 1);
    ++started_;
  }
  engine_->start(*activity.release());
}

void AsyncSender::read(BulkRow& row, StopToken stop) {
  start(std::make_unique<RowCall>(*this, row,
                                  asyncRequest(core(), *row.resource().machine->retrieve, row.report.id, {},
                                               forReading(requestOptions(row, std::move(stop))))));
}

void AsyncSender::send(BulkRow& row, StopToken stop) {
  start(std::make_unique<RowCall>(
      *this, row,
      asyncRequest(core(), *row.prepared.operation, row.report.id, std::as_const(row.prepared.params).ref(),
                   requestOptions(row, std::move(stop)))));
}

void AsyncSender::resolve(BulkRow& row, bool resend, StopToken stop) {
  start(std::make_unique<Resolution>(*this, row, requestOptions(row, std::move(stop)), resend));
}

void AsyncSender::pause(BulkRow& row, Instant until, StopToken stop) {
  start(std::make_unique<Pause>(*this, row, until, std::move(stop)));
}

/// Many calls at a time, so that their intents are recorded together.
std::size_t AsyncSender::room() const {
  if (!isPaced()) return std::numeric_limits<std::size_t>::max();
  const std::lock_guard lock{mutex_};
  return unpaced_ > mostUnpaced_ / 2 ? 0 : mostUnpaced_ - unpaced_;
}

void AsyncSender::pacing() {
  const std::lock_guard lock{mutex_};
  ++unpaced_;
}

void AsyncSender::paced() {
  const std::lock_guard lock{mutex_};
  if (--unpaced_ != mostUnpaced_ / 2) return;
  madeRoom_ = true;
  waiter_.request_stop();
}

/// start() has made room for it.
void AsyncSender::ended(BulkRow& row) noexcept {
  const std::lock_guard lock{mutex_};
  ended_.push_back(&row);
  waiter_.request_stop();
}

/// A copy, so that `ended_` keeps its room.
std::vector<BulkRow*> AsyncSender::handOver() {
  std::vector<BulkRow*> ended = ended_;
  started_ -= ended.size();
  ended_.clear();
  return ended;
}

std::vector<BulkRow*> AsyncSender::takeEnded() {
  const std::lock_guard lock{mutex_};
  waiter_ = StopSource{noStopState};
  madeRoom_ = false;
  return handOver();
}

/// In this thread, until something has ended or there is room.
void AsyncSender::turnLoop(Instant opening, const StopToken& stop) {
  EventLoop& loop = engine_->loop();
  Alarm alarm;
  if (opening != Instant::max()) loop.set(alarm, opening);
  while (ended_.empty() && !madeRoom_ && !alarm.rang && !stop.stop_requested())
    loop.poll();
}

std::vector<BulkRow*> AsyncSender::wait(const Times& times, StopToken stop) {
  if (core().options().transport->inProcess()) {
    turnLoop(times.opening, stop);
    return takeEnded();
  }
  StopSource waiter;
  {
    const std::lock_guard lock{mutex_};
    if (!ended_.empty() || madeRoom_) {
      madeRoom_ = false;
      return handOver();
    }
    waiter_ = waiter;
  }
  const StopCallback onStop{stop, [&waiter] { waiter.request_stop(); }};
  (void)core().clock().waitUntil(std::min(times.until, times.opening), waiter.get_token());
  return takeEnded();
}

}  // namespace tally::detail
