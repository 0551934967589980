#pragma once

#include <atomic>
#include <memory>
#include <type_traits>
#include <utility>

#include <tally/call.h>
#include <tally/result.h>

namespace tally::detail {

/// The result of an activity, and who receives it. The result takes no memory until there is one.
template <class T>
class Delivery {
 public:
  void to(Continuation<T>& continuation) noexcept { continuation_ = &continuation; }

  /// Nobody receives the result.
  void abandon() noexcept { continuation_ = nullptr; }

  /// A new value, to be filled in.
  std::add_lvalue_reference_t<T> makeValue() {
    result_ = std::make_unique<Result<T>>(boost::outcome_v2::in_place_type<T>);
    return result_->assume_value();
  }
  void setResult(Result<T> result) { result_ = std::make_unique<Result<T>>(std::move(result)); }
  void setError(const Error& error) { result_ = std::make_unique<Result<T>>(error); }

  void complete() {
    if (Continuation<T>* const continuation = continuation_.exchange(nullptr))
      continuation->complete(std::move(*result_));
  }

 private:
  std::atomic<Continuation<T>*> continuation_{nullptr};
  std::unique_ptr<Result<T>> result_{};
};

}  // namespace tally::detail
