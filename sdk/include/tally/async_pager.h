#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <tally/call.h>
#include <tally/pager.h>

namespace tally {

namespace detail {
template <class T>
class AsyncWalk;
}

/// A list or a search of an AsyncClient. Move-only; one call at a time: starting a second one throws
/// std::logic_error. May be destroyed while a call is outstanding, which is then canceled. See Pager for
/// checkpoints, errors and prefetching, which are the same.
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

  /// The next page in the direction of iteration; nothing after the last one. After an error, the same page
  /// again.
  [[nodiscard]] Call<std::optional<Page<T>>> nextPage();

  /// Invokes `consume` for each object in the direction of iteration, in the thread of the AsyncClient, and
  /// returns how many were consumed. Ends early when `consume` returns false or throws; that object is then
  /// not consumed, and is the first of the next call.
  [[nodiscard]] Call<std::size_t> forEach(std::function<bool(T& object)> consume);

  /// The position after the last consumed object. A page of nextPage() is consumed when the next one is
  /// requested.
  [[nodiscard]] std::string checkpoint() const;

  /// Call it before anything is requested.
  [[nodiscard]] AsyncPager resumeFrom(std::string_view checkpoint) &&;
  /// The next page is requested while the current one is processed. Call it before anything is requested.
  [[nodiscard]] AsyncPager prefetch() &&;

 private:
  std::shared_ptr<detail::AsyncWalk<T>> walk_;
};

}  // namespace tally
