#include "async/blocking_adapter.h"

#include <exception>
#include <utility>

namespace tally::detail {

/// Sends when the timer expires, which is in the next poll of the loop.
class BlockingAdapter::Transfer final : public AsyncTransfer, private Timer {
 public:
  Transfer(BlockingAdapter& adapter, const HttpRequest& request, Instant deadline, Receiver& receiver)
      : adapter_(adapter),
        request_(request),
        deadline_(deadline),
        startedAt_(adapter.loop_.now()),
        receiver_(receiver) {
    adapter_.loop_.set(*this, startedAt_);
  }

  [[nodiscard]] bool mayHaveBeenSent() const noexcept override { return false; }

 private:
  void expired() override {
    Receiver& receiver = receiver_;
    TransportResult result;
    try {
      const DepartureScope scope{&receiver};
      receiver.departs();
      result = adapter_.transport_->send(request_, {.deadline = deadline_, .startedAt = startedAt_});
    } catch (...) {
      return receiver.threw(std::current_exception());
    }
    receiver.ended(std::move(result));
  }

  BlockingAdapter& adapter_;
  const HttpRequest& request_;
  Instant deadline_;
  Instant startedAt_;
  Receiver& receiver_;
};

std::unique_ptr<AsyncTransfer> BlockingAdapter::start(const HttpRequest& request, Instant deadline,
                                                      Receiver& receiver) {
  return std::make_unique<Transfer>(*this, request, deadline, receiver);
}

}  // namespace tally::detail
