#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include <tally/pager.h>

#include "printer.h"
#include "walk.h"

// The bodies of Pager and Pages, which generated code instantiates for each resource, so that no user's file
// has to compile them.

namespace tally {

namespace detail {

/// A page whose objects are read where the loop will find them.
template <class T>
struct ResultPage {
  std::vector<Result<T>> data{};
  bool hasMore = false;
  std::string url{};
  std::optional<std::string> nextPage{};
  std::optional<std::int64_t> totalCount{};
};

template <class T>
inline constexpr ListAccess listAccess<Result<T>>{
    [](const void* list) { return static_cast<const std::vector<Result<T>>*>(list)->size(); },
    [](void* list, std::size_t index) -> void* {
      return &(*static_cast<std::vector<Result<T>>*>(list))[index].assume_value();
    },
    [](void* list) -> void* {
      auto& results = *static_cast<std::vector<Result<T>>*>(list);
      return &results.emplace_back(boost::outcome_v2::in_place_type<T>).assume_value();
    },
    &elementType<T>,
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
PageFacts pageFacts(const void* object) {
  const P& page = *static_cast<const P*>(object);
  PageFacts facts{.count = page.data.size(), .hasMore = page.hasMore};
  if (page.nextPage) facts.nextPage = &*page.nextPage;
  if (page.data.empty()) return facts;
  facts.firstId = idOf(page.data.front());
  facts.lastId = idOf(page.data.back());
  return facts;
}

template <class P>
std::optional<Error> fetchPage(Walk& walk, P& page) {
  return walk.fetch(Schema<P>::value, &page, &pageFacts<P>);
}

}  // namespace detail

template <class T>
std::ostream& operator<<(std::ostream& out, const Page<T>& value) {
  return detail::print(out, value);
}

template <class T>
Pages<T>::Pages(std::unique_ptr<detail::Walk> walk) : walk_(std::move(walk)) {}

template <class T>
Pages<T>::Pages(Pages&&) noexcept = default;

template <class T>
Pages<T>& Pages<T>::operator=(Pages&&) noexcept = default;

template <class T>
Pages<T>::~Pages() = default;

template <class T>
typename Pages<T>::iterator Pages<T>::begin() {
  if (!current_ || current_->has_error()) fetch();
  return iterator{this};
}

template <class T>
void Pages<T>::advance() {
  if (current_->has_value()) return fetch();
  current_.reset();
}

template <class T>
void Pages<T>::fetch() {
  current_.reset();
  if (walk_->ended()) return;
  current_.emplace(boost::outcome_v2::in_place_type<Page<T>>);
  if (auto error = detail::fetchPage(*walk_, current_->assume_value())) current_.emplace(*std::move(error));
}

template <class T>
Pager<T>::Pager(std::unique_ptr<detail::Walk> walk) : walk_(std::move(walk)) {}

template <class T>
Pager<T>::Pager(Pager&&) noexcept = default;

template <class T>
Pager<T>& Pager<T>::operator=(Pager&&) noexcept = default;

template <class T>
Pager<T>::~Pager() = default;

template <class T>
typename Pager<T>::iterator Pager<T>::begin() {
  if (done() || current().has_error()) fetch();
  return iterator{this};
}

template <class T>
void Pager<T>::advance() {
  const bool failed = current().has_error();
  ++position_;
  if (done() && !failed) fetch();
}

template <class T>
void Pager<T>::fetch() {
  items_.clear();
  position_ = 0;
  if (walk_->ended()) return;
  detail::ResultPage<T> page;
  page.data.swap(items_);
  auto error = detail::fetchPage(*walk_, page);
  page.data.swap(items_);
  if (error) {
    items_.clear();
    items_.emplace_back(*std::move(error));
    return;
  }
  totalCount_ = page.totalCount;
  if (walk_->backwards()) std::reverse(items_.begin(), items_.end());
}

template <class T>
Pages<T> Pager<T>::pages() && {
  return Pages<T>{std::move(walk_)};
}

}  // namespace tally
