#pragma once

#include <atomic>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <tally/attempt.h>
#include <tally/call.h>
#include <tally/result.h>

namespace tally::detail {

/// The result of an activity, and who receives it. The result takes no memory until there is one.
template <class T>
class Delivery {
 public:
  void to(Continuation<T>& continuation) noexcept { continuation_ = &continuation; }

  /// Nobody receives the result, and what the caller owns may be gone.
  void abandon() noexcept { continuation_ = nullptr; }
  [[nodiscard]] bool isAbandoned() const noexcept { return continuation_ == nullptr; }

  /// Where the activity collects its attempts. `wanted` receives them with the result. Null if `wanted` is.
  [[nodiscard]] std::vector<Attempt>* collectFor(std::vector<Attempt>* wanted) noexcept {
    wanted_ = wanted;
    return wanted == nullptr ? nullptr : &attempts_;
  }

  /// A new value, to be filled in.
  std::add_lvalue_reference_t<T> makeValue() {
    result_ = std::make_unique<Result<T>>(boost::outcome_v2::in_place_type<T>);
    return result_->assume_value();
  }
  void setResult(Result<T> result) { result_ = std::make_unique<Result<T>>(std::move(result)); }
  /// Takes no memory, so that a call without memory ends, too.
  void setError(const Error& error) noexcept { error_ = error; }

  void complete() {
    Continuation<T>* const continuation = continuation_.exchange(nullptr);
    if (continuation == nullptr) return;
    if (wanted_ != nullptr) passAttemptsOn();
    if (error_) return continuation->complete(Result<T>{*error_});
    continuation->complete(std::move(*result_));
  }

 private:
  /// Without memory for them, the caller still gets the result.
  void passAttemptsOn() noexcept {
    if (wanted_->empty()) return wanted_->swap(attempts_);
    try {
      wanted_->insert(wanted_->end(), attempts_.begin(), attempts_.end());
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch)
    }
  }

  std::atomic<Continuation<T>*> continuation_{nullptr};
  std::unique_ptr<Result<T>> result_{};
  std::optional<Error> error_{};            // in its place
  std::vector<Attempt>* wanted_ = nullptr;  // the caller's
  std::vector<Attempt> attempts_{};
};

}  // namespace tally::detail
