#include "async/composite.h"

#include <utility>

#include "async/async_engine.h"

namespace tally::detail {

/// Keeps its activity, and with it the turn, until its request has ended.
class Composite::Part final : public AsyncDriver {
 public:
  Part(std::shared_ptr<ActivityHost> engine, AsyncRequest&& request, Composite& whole, ReadResponse read)
      : AsyncDriver(std::move(engine), std::move(request)), whole_(&whole), read_(std::move(read)) {
    whole.addRef();
  }

 private:
  [[nodiscard]] std::optional<Error> read(TransportResult& result, Instant now) override {
    return read_(result, now);
  }
  void setError(const Error& error) override { error_ = error; }

  void complete() override {
    Composite& whole = static_cast<Composite&>(*whole_);
    whole.part_ = nullptr;
    whole.detachedRequest_ = whole.detachedRequest_ || hasDetachedRequest();
    whole.guarded([&] { whole.partEnded(error_); });
  }

  ActivityRef whole_;
  ReadResponse read_;
  std::optional<Error> error_{};
};

void Composite::heed(const StopToken& stop) {
  stopped_.emplace(stop, Cancel{this});
}

void Composite::startPart(AsyncRequest request, ReadResponse read) {
  part_ = new Part{sharedEngine(), std::move(request), *this, std::move(read)};  // owns itself
  part_->startAsPart();
  if (isCanceled()) part_->signal(canceling);
}

void Composite::end(const Error* error) noexcept {
  stopped_.reset();
  Activity::end(error);
}

void Composite::resume() {
  if (part_ != nullptr) {
    if (isCanceled()) part_->signal(canceling);
  } else if (isCanceled()) {
    canceled();
  } else {
    waited();
  }
}

}  // namespace tally::detail
