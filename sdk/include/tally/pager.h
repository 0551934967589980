#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tally/result.h>

namespace tally {

namespace detail {
class Walk;
}

/// One page of a list or a search, as the service sent it.
/// Spec: "List object", "Search result object".
template <class T>
struct Page {
  std::vector<T> data{};  ///< In the service's order: newest first.
  bool hasMore = false;   ///< Whether more follow in the direction of travel.
  std::string url{};
  std::optional<std::string> nextPage{};     ///< Searches only: the cursor of the next page.
  std::optional<std::int64_t> totalCount{};  ///< Searches that expand `total_count`; accurate up to 10,000.
};

/// For the pages of a resource.
template <class T>
std::ostream& operator<<(std::ostream& out, const Page<T>& value);

namespace detail {

/// The iterator of anything with `bool next()` and `current_`.
template <class Range>
class InputIterator {
 public:
  using value_type = typename Range::value_type;
  using difference_type = std::ptrdiff_t;
  using iterator_concept = std::input_iterator_tag;

  InputIterator() = default;
  explicit InputIterator(Range* range) : range_(range) {}

  value_type& operator*() const { return range_->current(); }
  value_type* operator->() const { return &range_->current(); }
  InputIterator& operator++() {
    range_->advance();
    return *this;
  }
  void operator++(int) { range_->advance(); }
  friend bool operator==(const InputIterator& it, std::default_sentinel_t) { return it.atEnd(); }

 private:
  [[nodiscard]] bool atEnd() const { return range_->done(); }

  Range* range_ = nullptr;
};

}  // namespace detail

/// The pages of a list or a search, fetched one at a time as they are asked for. Move-only; one thread at a
/// time. Made by Pager<T>::pages().
///
/// After an error, which is the last element of its loop, begin() asks for the same page again.
template <class T>
class Pages {
 public:
  using value_type = Result<Page<T>>;
  using iterator = detail::InputIterator<Pages>;

  explicit Pages(std::unique_ptr<detail::Walk> walk);
  Pages(Pages&&) noexcept;
  Pages& operator=(Pages&&) noexcept;
  ~Pages();

  /// Fetches a page unless one is at hand. One walk goes on: begin() after a `break` stands where that loop
  /// was.
  iterator begin();
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

 private:
  friend iterator;
  value_type& current() { return *current_; }
  void advance();
  [[nodiscard]] bool done() const noexcept { return !current_; }
  void fetch();

  std::unique_ptr<detail::Walk> walk_;
  std::optional<value_type> current_{};
};

/// The objects of a list or a search, over all pages, fetched as the loop reaches them: a
/// `std::ranges::input_range` of Result<T>. An error is the last element of its loop. Move-only; one thread
/// at a time; may outlive its Client.
///
/// Objects come in the direction of travel: newest first, or, with `endingBefore`, from the cursor towards
/// the newest. Never more than one page is held.
template <class T>
class Pager {
 public:
  using value_type = Result<T>;
  using iterator = detail::InputIterator<Pager>;

  explicit Pager(std::unique_ptr<detail::Walk> walk);
  Pager(Pager&&) noexcept;
  Pager& operator=(Pager&&) noexcept;
  ~Pager();

  /// Fetches the first page, or, after an error, the same page again. One walk goes on: begin() after a
  /// `break` stands where that loop was.
  iterator begin();
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

  /// The same walk, a page at a time. Call it before begin().
  [[nodiscard]] Pages<T> pages() &&;

  /// The total count that came with the page at hand; nothing before begin(), and nothing unless the search
  /// expands `total_count`.
  [[nodiscard]] std::optional<std::int64_t> totalCount() const noexcept { return totalCount_; }

 private:
  friend iterator;
  value_type& current() { return items_[position_]; }
  void advance();
  [[nodiscard]] bool done() const noexcept { return position_ == items_.size(); }
  void fetch();

  std::unique_ptr<detail::Walk> walk_;
  std::vector<value_type> items_{};
  std::size_t position_ = 0;
  std::optional<std::int64_t> totalCount_{};
};

}  // namespace tally
