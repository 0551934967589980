#pragma once

#include <tally/call.h>

#include "async/activity.h"
#include "async/delivery.h"

namespace tally::detail {

/// The operation of a Call<T> that is an activity of the kind `Base`.
template <class T, class Base>
class ActivityOperation : public AsyncOperation<T>, public Base {
 public:
  void start(Continuation<T>& continuation) override {
    delivery_.to(continuation);
    this->engine().start(*this);
  }
  void requestCancel() noexcept final { this->signal(Activity::canceling); }
  void abandon() noexcept final {
    delivery_.abandon();
    requestCancel();
  }

 protected:
  using Base::Base;

  [[nodiscard]] Delivery<T>& delivery() noexcept { return delivery_; }
  void complete() override { delivery_.complete(); }

 private:
  Delivery<T> delivery_{};
};

}  // namespace tally::detail
