#pragma once

#include <tally/detail/cpp20.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <tally/call.h>
#include <tally/pager.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
template <class T>
class AsyncWalk;
}

/// A list or a search of an AsyncClient. It makes one call at a time; starting another call while one is
/// outstanding throws std::logic_error. Destroying the pager cancels its outstanding call. Checkpoints,
/// errors and prefetching work as in a Pager. Move-only. A moved-from pager can be assigned to and destroyed;
/// its functions throw std::logic_error.
///
///     while (auto page = (co_await pager.nextPage()).value())
///       for (const PaymentRecord& record : page->data) …
template <class T>
class AsyncPager {
 public:
  explicit AsyncPager(std::shared_ptr<detail::AsyncWalk<T>> walk);
  AsyncPager(AsyncPager&&) noexcept;
  AsyncPager& operator=(AsyncPager&&) noexcept;
  ~AsyncPager();

  /// The next page in the direction of iteration, or the rest of the page in which forEach() ended; empty
  /// after the last page. After an error, requests the same page again.
  [[nodiscard]] Call<std::optional<Page<T>>> nextPage();

  /// Invokes `consume` for each object in the direction of iteration, in the thread of the AsyncClient, and
  /// returns how many objects were consumed. If `consume` returns false or throws for an object, the
  /// iteration ends early and that object is not consumed, so the next call starts with it. If `consume`
  /// throws, the call ends in ErrorKind::exception. Once the coroutine that awaits the call has been
  /// destroyed in the thread of the AsyncClient, `consume` is not invoked again. If AsyncOptions::executor is
  /// set, `consume` must not refer to the coroutine.
  [[nodiscard]] Call<std::size_t> forEach(std::function<bool(T& object)> consume);
  /// Rejects temporary lambdas that own something: g++ 12 destroys their captures twice in a `co_await`. Name
  /// the lambda, or capture by reference.
  template <class Consume>
    requires(std::is_class_v<Consume> && !std::is_trivially_destructible_v<Consume> &&
             !std::is_same_v<Consume, std::function<bool(T& object)>>)
  Call<std::size_t> forEach(Consume&& consume) = delete;

  /// The position after the last consumed object. A page that nextPage() returned is consumed when the next
  /// page is requested. Call checkpoint() only while no call is in progress, or in `consume`.
  [[nodiscard]] std::string checkpoint() const;

  /// Starts the iteration at a checkpoint. Call it before anything is requested.
  [[nodiscard]] AsyncPager resumeFrom(std::string_view checkpoint) &&;
  /// Requests the next page while the current one is processed. Call it before anything is requested.
  [[nodiscard]] AsyncPager prefetch() &&;

 private:
  [[nodiscard]] const std::shared_ptr<detail::AsyncWalk<T>>& walk() const;

  std::shared_ptr<detail::AsyncWalk<T>> walk_;
};

}  // namespace tally
