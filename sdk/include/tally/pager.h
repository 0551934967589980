#pragma once

#include <tally/detail/cpp20.h>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tally/last_response.h>
#include <tally/result.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class PageWalker;
}

/// One page of a list or a search, as the service sent it. Spec: "List object", "Search result object".
template <class T>
struct Page {
  std::vector<T> data{};  ///< In the service's order: newest first.
  bool hasMore = false;   ///< Whether more objects follow in the direction of iteration.
  std::string url{};
  std::optional<std::string> nextPage{};     ///< Searches only: the cursor of the next page.
  std::optional<std::int64_t> totalCount{};  ///< Only if `total_count` is expanded; accurate up to 10,000.
  LastResponse lastResponse{};               ///< The response that contained the page.
};

/// Defined for the pages of the API's resources.
template <class T>
std::ostream& operator<<(std::ostream& out, const Page<T>& value);

namespace detail {

/// The iterator of any range with `current()`, `advance()` and `done()`. Incrementing it only marks the
/// position; the next item is fetched on access. A loop over the first n objects therefore requests only the
/// pages that contain these objects.
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

/// The pages of a list or a search, fetched on demand: a `std::ranges::input_range` of Result<Page<T>>. Made
/// by Pager<T>::pages(). Move-only; used by one thread at a time; may outlive its Client.
///
/// An error is the last element of the loop in which it occurs. The next loop requests the same page again.
template <class T>
class Pages {
 public:
  using value_type = Result<Page<T>>;
  using iterator = detail::InputIterator<Pages>;

  explicit Pages(std::unique_ptr<detail::PageWalker> walk);
  Pages(Pages&& other) noexcept;  // `other` then has no pages
  Pages& operator=(Pages&& other) noexcept;
  ~Pages();

  /// Sends nothing yet. Iteration continues: after a `break`, begin() resumes where the loop stopped.
  iterator begin();
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

  /// Like Pager<T>::checkpoint(), in the same format. A page is consumed once the iterator advances past it.
  [[nodiscard]] std::string checkpoint() const;

 private:
  friend iterator;
  value_type& current() {
    look();
    return *current_;
  }
  void advance();
  [[nodiscard]] bool done() {
    look();
    return !current_;
  }
  void look() {
    if (!current_) fetchNext();
  }
  void fetchNext();

  std::unique_ptr<detail::PageWalker> walk_;
  std::optional<value_type> current_{};
  bool failed_ = false;
};

/// The objects of a list or a search across all pages, fetched on demand: a `std::ranges::input_range` of
/// Result<T>, which composes with `std::views`. An error is the last element of the loop in which it occurs.
/// Move-only; used by one thread at a time; may outlive its Client. Spec: "List operations", "Search
/// operations".
///
/// Objects arrive in the direction of iteration: newest first, or, with `endingBefore`, from the cursor
/// towards the newest. A pager holds at most one page, except during collect() and with prefetch().
///
/// An object is consumed once the iterator advances past it. If a loop is left before that, by a `break` or
/// because `take_while` rejects the object, the object is not lost: the next loop or collect() starts with
/// it, and so does an iteration that resumes from a checkpoint. All iterators of a pager share its position;
/// moving the pager invalidates them.
template <class T>
class Pager {
 public:
  using value_type = Result<T>;
  using iterator = detail::InputIterator<Pager>;

  explicit Pager(std::unique_ptr<detail::PageWalker> walk);
  Pager(Pager&& other) noexcept;  // `other` then has no objects, and an empty checkpoint
  Pager& operator=(Pager&& other) noexcept;
  ~Pager();

  /// Sends nothing yet: a page is fetched when an iterator is dereferenced or compared with end(). After an
  /// error, the page that failed is then fetched again. Iteration continues: after a `break`, begin() resumes
  /// where the loop stopped.
  iterator begin();
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

  /// Consumes and returns `n` objects, or fewer if no more follow. Fetches pages of the requested size until
  /// it has enough objects, and keeps the rest for the next loop or collect(). If `n` is 0, nothing is sent.
  ///
  /// If collect() returns an error, no object is consumed or lost. Objects that were already fetched are
  /// kept; the next collect() or loop starts with them, and requests only the missing pages. At most `n`
  /// objects and one page are held.
  [[nodiscard]] Result<std::vector<T>> collect(std::size_t n);

  /// The current position as a string, from which any process can continue with resumeFrom(). The position is
  /// after the last consumed object, even within a page. At the start of a loop body, it is before the
  /// current object; after an error, it is before the page that failed. This function sends nothing.
  ///
  /// The string is one word of letters, digits and `-._~`. It contains the name of the operation, a cursor or
  /// identifiers, and checksums, but no API key and no parameters. Iteration towards the newest object can be
  /// continued after it has ended: the last checkpoint precedes all objects that are created later. An
  /// iteration that resumes from a checkpoint taken before any object was consumed starts with the object
  /// that is first when it resumes.
  [[nodiscard]] std::string checkpoint() const;

  /// The same iteration, continued from a checkpoint of the same operation and connected account. The
  /// parameters must be the same, except for `expand` and, for a list, `limit`. Must be called before
  /// begin().
  ///
  /// If the string is anything else, the loop or collect() yields an error of kind `invalidParameter` whose
  /// `param` is `checkpoint`. No request is then sent, and checkpoint() returns the string unchanged. A
  /// search requests the page of the checkpoint again. If that page no longer contains the object that was
  /// consumed last, all of its objects are returned, including those already consumed.
  [[nodiscard]] Pager resumeFrom(std::string_view checkpoint) &&;

  /// The same iteration with prefetching, for loops that usually run to the end: the next page is requested
  /// while the current one is decoded and processed. At most one page is prefetched; it is held undecoded.
  /// Objects and checkpoints are the same as without prefetching; a page that can't be decoded is requested
  /// once more. Must be called before begin() and pages(); may be called before or after resumeFrom().
  ///
  /// Leaving a loop early costs one extra request, which counts as a read, so prefetching is opt-in.
  /// Iteration towards the newest object (`endingBefore`) is not prefetched.
  ///
  /// A thread of the pager requests the pages after the first and calls the observer, unless
  /// Transport::inProcess() is true. Destroying the pager or stopping the call by its stop token ends a
  /// request in flight. `RequestOptions::attempts` receives the attempts of a page when iteration reaches
  /// that page.
  [[nodiscard]] Pager prefetch() &&;

  /// The same iteration, one page at a time. Must be called before begin().
  [[nodiscard]] Pages<T> pages() &&;

  /// The total count in the page that was fetched last. Empty before the first page, and if the search does
  /// not expand `total_count`. Accurate up to 10,000. Spec: "Search result object".
  [[nodiscard]] std::optional<std::int64_t> totalCount() const noexcept { return totalCount_; }

 private:
  friend iterator;
  value_type& current() {
    look();
    return items_[position_];
  }
  void advance();
  [[nodiscard]] bool done() {
    look();
    return !atHand();
  }
  void look() {
    if (!atHand()) fetchNext();
  }
  void fetchNext();
  void forgetError();
  [[nodiscard]] bool atHand() const noexcept { return position_ != items_.size(); }
  [[nodiscard]] bool over() const noexcept;
  [[nodiscard]] const std::string& idAt(std::size_t position) const;
  [[nodiscard]] std::optional<Error> fill(std::size_t n);
  [[nodiscard]] std::optional<Error> fetch();
  void add(std::vector<value_type>&& page);
  void dropFinished();

  std::unique_ptr<detail::PageWalker> walk_;
  std::vector<value_type> items_{};  // unconsumed from `position_` on; or the error that ends a loop
  std::size_t position_ = 0;
  bool failed_ = false;
  std::optional<std::int64_t> totalCount_{};
};

}  // namespace tally
