#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <tally/pager.h>

#include "pagination/page_walker.h"
#include "print/printer.h"
#include "text/reserve_more.h"

// The bodies of Pager and Pages. Generated code instantiates them for each resource, so that users' files
// need not compile them.

namespace [[gnu::visibility("default")]] tally {

// g++ takes the visibility of a function template from its definition.
template <class T>
std::ostream& operator<<(std::ostream& out, const Page<T>& value) {
  return detail::print(out, value);
}

}  // namespace tally

namespace tally {

namespace detail {

/// A page whose objects are decoded in place, into the results that a loop yields.
template <class T>
struct ResultPage {
  std::vector<Result<T>> data{};
  bool hasMore = false;
  std::string url{};
  std::optional<std::string> nextPage{};
  std::optional<std::int64_t> totalCount{};
  LastResponse lastResponse{};
};

template <class T>
struct ListElement<Result<T>> {
  using Value = T;

  static T& of(Result<T>& result) {
    if (!result) result = Result<T>{boost::outcome_v2::in_place_type<T>};
    return result.assume_value();
  }
  static T& append(std::vector<Result<T>>& results) {
    return results.emplace_back(boost::outcome_v2::in_place_type<T>).assume_value();
  }
};

template <class P>
inline constexpr Field pageFields[] = {
    field<&P::url>("url", Presence::required),   field<&P::hasMore>("has_more", Presence::required),
    field<&P::data>("data", Presence::required), field<&P::nextPage>("next_page"),
    field<&P::totalCount>("total_count"),
};

template <class T>
struct Schema<Page<T>> {
  static constexpr Struct value = describe<Page<T>>("page", pageFields<Page<T>>);
};

template <class T>
struct Schema<ResultPage<T>> {
  static constexpr Struct value = describe<ResultPage<T>>("page", pageFields<ResultPage<T>>);
};

template <class T>
const std::string& idOf(const T& object) {
  return object.id.str();
}

template <class T>
const std::string& idOf(const Result<T>& object) {
  return object.assume_value().id.str();
}

template <class P>
PageFacts pageFacts(ConstObjectRef object) {
  const P& page = object.as<P>();
  PageFacts facts{.count = page.data.size(), .hasMore = page.hasMore};
  if (page.nextPage) facts.nextPage = &*page.nextPage;
  if (page.data.empty()) return facts;
  facts.firstId = idOf(page.data.front());
  facts.lastId = idOf(page.data.back());
  return facts;
}

template <class P>
bool dropThrough(ObjectRef object, std::string_view id) {
  auto& data = object.as<P>().data;
  const auto last = std::ranges::find_if(data, [id](const auto& item) { return idOf(item) == id; });
  if (last == data.end()) return false;
  data.erase(data.begin(), last + 1);
  return true;
}

template <class P>
inline constexpr PageType pageType{Schema<P>::value, &pageFacts<P>, &dropThrough<P>};

template <class P>
std::optional<Error> fetchPage(PageWalker& walk, P& page) {
  return walk.fetch(pageType<P>, refTo(page));
}

/// Starts a list or a search. Generated services consist of such calls.
template <class Params, class Model>
Pager<Model> walkPages(std::shared_ptr<const ClientCore> core, const Operation<Params, Model>& operation,
                       const std::type_identity_t<Params>& params, const RequestOptions& options) {
  return Pager<Model>{
      std::make_unique<PageWalker>(std::move(core), operation, refTo(operation, params), options)};
}

}  // namespace detail

template <class T>
Pages<T>::Pages(std::unique_ptr<detail::PageWalker> walk) : walk_(std::move(walk)) {}

template <class T>
Pages<T>::Pages(Pages&& other) noexcept {
  *this = std::move(other);
}

template <class T>
Pages<T>& Pages<T>::operator=(Pages&& other) noexcept {
  if (this == &other) return *this;
  walk_ = std::move(other.walk_);
  current_ = std::exchange(other.current_, std::nullopt);
  failed_ = std::exchange(other.failed_, false);
  return *this;
}

template <class T>
Pages<T>::~Pages() = default;

template <class T>
typename Pages<T>::iterator Pages<T>::begin() {
  if (failed_) current_.reset();
  failed_ = false;
  return iterator{this};
}

template <class T>
void Pages<T>::advance() {
  if (done()) return;
  if (!failed_) walk_->position().finishPage();
  current_.reset();
}

template <class T>
void Pages<T>::fetchNext() {
  if (failed_ || !walk_ || walk_->ended()) return;
  value_type next{boost::outcome_v2::in_place_type<Page<T>>};
  if (auto error = detail::fetchPage(*walk_, next.assume_value())) {
    current_.emplace(*std::move(error));
    failed_ = true;
  } else {
    current_ = std::move(next);
    walk_->moveOn();
  }
}

template <class T>
std::string Pages<T>::checkpoint() const {
  return walk_ ? walk_->checkpoint() : std::string{};
}

template <class T>
Pager<T>::Pager(std::unique_ptr<detail::PageWalker> walk) : walk_(std::move(walk)) {}

template <class T>
Pager<T>::Pager(Pager&& other) noexcept {
  *this = std::move(other);
}

template <class T>
Pager<T>& Pager<T>::operator=(Pager&& other) noexcept {
  if (this == &other) return *this;
  walk_ = std::move(other.walk_);
  items_ = std::exchange(other.items_, std::vector<value_type>{});
  position_ = std::exchange(other.position_, 0);
  failed_ = std::exchange(other.failed_, false);
  totalCount_ = std::exchange(other.totalCount_, std::nullopt);
  return *this;
}

template <class T>
Pager<T>::~Pager() = default;

template <class T>
typename Pager<T>::iterator Pager<T>::begin() {
  forgetError();
  return iterator{this};
}

template <class T>
void Pager<T>::forgetError() {
  if (!failed_) return;
  items_.clear();
  position_ = 0;
  failed_ = false;
}

template <class T>
void Pager<T>::advance() {
  if (done()) return;
  if (!failed_) walk_->position().finish(idAt(position_ + 1));
  ++position_;
}

/// An error is returned once and ends the loop.
template <class T>
void Pager<T>::fetchNext() {
  while (!atHand() && !failed_ && !over()) {
    if (auto error = fetch()) {
      items_.emplace_back(*std::move(error));
      failed_ = true;
    }
  }
}

template <class T>
bool Pager<T>::over() const noexcept {
  return !walk_ || walk_->ended();
}

/// The identifier of an object; empty beyond the objects held.
template <class T>
const std::string& Pager<T>::idAt(std::size_t position) const {
  static const std::string none;
  return position < items_.size() ? detail::idOf(items_[position]) : none;
}

/// Appends the next page to the unconsumed objects. If anything throws, that page remains the next one.
template <class T>
std::optional<Error> Pager<T>::fetch() {
  detail::ResultPage<T> page;
  if (atHand()) {
    dropFinished();
  } else {
    position_ = 0;
    page.data.swap(items_);  // decode into the old page, to reuse its memory
  }
  if (auto error = detail::fetchPage(*walk_, page)) return error;
  for (auto& object : page.data)
    object.assume_value().lastResponse = page.lastResponse;
  if (walk_->backwards()) std::ranges::reverse(page.data);
  add(std::move(page.data));
  walk_->moveOn();
  totalCount_ = page.totalCount;
  return std::nullopt;
}

template <class T>
void Pager<T>::add(std::vector<value_type>&& page) {
  if (atHand()) {
    detail::reserveMore(items_, page.size());
    std::ranges::move(page, std::back_inserter(items_));
  } else {
    if (!page.empty()) walk_->position().reach(detail::idOf(page.front()));
    items_ = std::move(page);
  }
}

template <class T>
void Pager<T>::dropFinished() {
  items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(position_));
  position_ = 0;
}

template <class T>
std::optional<Error> Pager<T>::fill(std::size_t n) {
  forgetError();
  while (items_.size() - position_ < n && !over())
    if (auto error = fetch()) return error;
  return std::nullopt;
}

template <class T>
Result<std::vector<T>> Pager<T>::collect(std::size_t n) {
  if (auto error = fill(n)) return *std::move(error);
  const std::size_t count = std::min(n, items_.size() - position_);
  std::vector<T> objects;
  if (count == 0) return objects;
  // Allocations come first, so that no object is consumed that the caller does not get.
  objects.reserve(count);
  const std::size_t end = position_ + count;
  detail::WalkPosition& position = walk_->position();
  std::string last = count == 1 ? position.reached() : idAt(end - 1);
  std::string next = idAt(end);
  for (; position_ != end; ++position_)
    objects.push_back(std::move(items_[position_].assume_value()));
  position.finish(count, std::move(last), std::move(next));
  return objects;
}

template <class T>
std::string Pager<T>::checkpoint() const {
  return walk_ ? walk_->checkpoint() : std::string{};
}

template <class T>
Pager<T> Pager<T>::resumeFrom(std::string_view checkpoint) && {
  if (walk_) walk_->resumeAt(checkpoint);
  return std::move(*this);
}

template <class T>
Pager<T> Pager<T>::prefetch() && {
  if (walk_) walk_->enablePrefetch();
  return std::move(*this);
}

template <class T>
Pages<T> Pager<T>::pages() && {
  return Pages<T>{std::move(walk_)};
}

}  // namespace tally
