#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tally/async_pager.h>
#include <tally/borrowed.h>

#include "async/activity_operation.h"
#include "async/async_engine.h"
#include "async/async_pages.h"
#include "pagination/pager_impl.h"

// The bodies of AsyncPager. Generated code instantiates them for each resource.

namespace tally {

namespace detail {

template <class T>
class AsyncWalk final : public AsyncPages {
 public:
  using AsyncPages::AsyncPages;

  /// The page that forEach() is consuming; in the service's order.
  std::optional<Page<T>> page{};
  std::size_t consumed = 0;  // of its objects, in the direction of iteration

  void setPage(Page<T>&& fetched) {
    page = std::move(fetched);
    consumed = 0;
  }
  /// The next object; null if all are consumed.
  [[nodiscard]] T* next() {
    if (!page || consumed == page->data.size()) return nullptr;
    return &page->data[walk().backwards() ? page->data.size() - 1 - consumed : consumed];
  }
  /// The page with what is left of it, if anything is.
  [[nodiscard]] std::optional<Page<T>> takeRest() {
    if (next() == nullptr) return std::nullopt;
    std::vector<T>& data = page->data;
    const auto count = static_cast<std::ptrdiff_t>(consumed);
    if (walk().backwards()) {
      data.erase(data.end() - count, data.end());
    } else {
      data.erase(data.begin(), data.begin() + count);
    }
    return std::exchange(page, std::nullopt);
  }
};

/// A call of an AsyncPager that ends in an `R`.
template <class T, class R>
class PagerCall : public ActivityOperation<R, PageFetch> {
 public:
  void start(Continuation<R>& continuation) final {
    ActivityRef self{this};
    const auto walk = walk_;
    walk->acquire();
    (void)self.release();
    try {
      ActivityOperation<R, PageFetch>::start(continuation);
    } catch (...) {  // `*this` may have been destroyed
      walk->release();
      throw;
    }
  }

 protected:
  explicit PagerCall(std::shared_ptr<AsyncWalk<T>> walk)
      : ActivityOperation<R, PageFetch>(walk), walk_(std::move(walk)) {
    this->keepAttempts(this->delivery().collectFor(this->walk().source().options().attempts));
  }

  [[nodiscard]] AsyncWalk<T>& pages() noexcept { return *walk_; }

  /// Call it first. Makes room for the result: once the iteration has moved on, nothing may fail.
  void prepare() {
    this->heedPager();
    result_ = &this->delivery().makeValue();
  }

  void succeed(R result) noexcept {
    *result_ = std::move(result);
    this->end(nullptr);
  }

  void fetchPage() {
    page_ = {};
    this->fetch(pageType<Page<T>>, refTo(page_));
  }
  [[nodiscard]] Page<T>& page() noexcept { return page_; }

 private:
  void setError(const Error& error) final { this->delivery().setError(error); }
  void complete() final {
    walk_->release();
    ActivityOperation<R, PageFetch>::complete();
  }

  std::shared_ptr<AsyncWalk<T>> walk_;
  Page<T> page_{};
  R* result_ = nullptr;  // since prepare()
};

template <class T>
class NextPageCall final : public PagerCall<T, std::optional<Page<T>>> {
 public:
  explicit NextPageCall(std::shared_ptr<AsyncWalk<T>> walk)
      : PagerCall<T, std::optional<Page<T>>>(std::move(walk)) {}

 private:
  /// The page before is consumed, unless forEach() has left a part of it.
  void begin() override {
    this->prepare();
    if (auto rest = this->pages().takeRest()) return this->succeed(std::move(rest));
    this->walk().position().finishPage();
    if (this->walk().ended()) return this->succeed(std::nullopt);
    this->fetchPage();
  }
  void fetched() override { this->succeed(std::move(this->page())); }
};

template <class T>
class ForEachCall final : public PagerCall<T, std::size_t> {
 public:
  ForEachCall(std::shared_ptr<AsyncWalk<T>> walk, std::function<bool(T& object)> consume)
      : PagerCall<T, std::size_t>(std::move(walk)), consume_(std::move(consume)) {}

 private:
  void begin() override {
    this->prepare();
    if (this->pages().next() == nullptr) this->walk().position().finishPage();
    consumePage();
  }
  void fetched() override {
    this->pages().setPage(std::move(this->page()));
    consumePage();
  }

  /// What the consumer leaves, after an exception too, remains for the next call. The consumer of a canceled
  /// call may refer to what is gone.
  void consumePage() {
    while (T* const object = this->pages().next()) {
      if (this->isCancelRequested()) return this->fail(this->cancellation());
      std::string id = object->id.str();  // the consumer may move it away
      if (!consume_(*object)) return this->succeed(consumed_);
      ++consumed_;
      ++this->pages().consumed;
      this->walk().position().finish(1, std::move(id), {});
    }
    if (!this->walk().ended()) return this->fetchPage();
    if (this->isCancelRequested()) return this->fail(this->cancellation());
    this->succeed(consumed_);
  }

  std::function<bool(T& object)> consume_;
  std::size_t consumed_ = 0;
};

/// Starts a list or a search. Generated services consist of such calls.
template <class Params, class Model>
AsyncPager<Model> asyncPager(const std::shared_ptr<AsyncEngine>& engine,
                             const Operation<Params, Model>& operation,
                             const std::type_identity_t<Params>& params,
                             const Borrowed<RequestOptions>& options) {
  return AsyncPager<Model>{
      std::make_shared<AsyncWalk<Model>>(engine, operation, refTo(operation, params), options)};
}

}  // namespace detail

template <class T>
AsyncPager<T>::AsyncPager(std::shared_ptr<detail::AsyncWalk<T>> walk) : walk_(std::move(walk)) {}

template <class T>
AsyncPager<T>::AsyncPager(AsyncPager&& other) noexcept = default;

template <class T>
AsyncPager<T>& AsyncPager<T>::operator=(AsyncPager&& other) noexcept {
  if (this == &other) return *this;
  if (walk_) walk_->abandon();
  walk_ = std::move(other.walk_);
  return *this;
}

template <class T>
AsyncPager<T>::~AsyncPager() {
  if (walk_) walk_->abandon();
}

template <class T>
const std::shared_ptr<detail::AsyncWalk<T>>& AsyncPager<T>::walk() const {
  if (!walk_) throw std::logic_error{"this tally::AsyncPager has been moved from"};
  return walk_;
}

template <class T>
Call<std::optional<Page<T>>> AsyncPager<T>::nextPage() {
  return Call<std::optional<Page<T>>>{std::make_unique<detail::NextPageCall<T>>(walk())};
}

template <class T>
Call<std::size_t> AsyncPager<T>::forEach(std::function<bool(T& object)> consume) {
  return Call<std::size_t>{std::make_unique<detail::ForEachCall<T>>(walk(), std::move(consume))};
}

template <class T>
std::string AsyncPager<T>::checkpoint() const {
  return walk()->walk().checkpoint();
}

template <class T>
AsyncPager<T> AsyncPager<T>::resumeFrom(std::string_view checkpoint) && {
  walk()->walk().resumeAt(checkpoint);
  return std::move(*this);
}

template <class T>
AsyncPager<T> AsyncPager<T>::prefetch() && {
  walk()->enablePrefetch();
  return std::move(*this);
}

}  // namespace tally
