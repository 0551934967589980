#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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

/// The iterator of anything with `current()`, `advance()` and `done()`. To move on only marks: what comes
/// next is fetched when somebody looks, so that a loop over so many objects asks for no page behind the last
/// of them.
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

/// The pages of a list or a search, fetched one at a time as they are asked for: a `std::ranges::input_range`
/// of Result<Page<T>>. Move-only; one thread at a time. Made by Pager<T>::pages().
///
/// After an error, which is the last element of its loop, begin() asks for the same page again.
template <class T>
class Pages {
 public:
  using value_type = Result<Page<T>>;
  using iterator = detail::InputIterator<Pages>;

  explicit Pages(std::unique_ptr<detail::Walk> walk);
  Pages(Pages&& other) noexcept;  // which then has no pages
  Pages& operator=(Pages&& other) noexcept;
  ~Pages();

  /// Sends nothing yet. One walk goes on: begin() after a `break` stands where that loop was.
  iterator begin();
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

  /// As Pager<T>::checkpoint(), and of the same kind: a page is finished when the loop moves on behind it.
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

  std::unique_ptr<detail::Walk> walk_;
  std::optional<value_type> current_{};
  bool failed_ = false;
};

/// The objects of a list or a search, over all pages, fetched as the loop reaches them: a
/// `std::ranges::input_range` of Result<T>, which composes with `std::views`. An error is the last element of
/// its loop. Move-only; one thread at a time; may outlive its Client.
///
/// Objects come in the direction of travel: newest first, or, with `endingBefore`, from the cursor towards
/// the newest. Never more than one page is held, but for collect() and readingAhead().
///
/// An object is finished when the loop moves on behind it. Where a loop is left before that, by a `break` or
/// because `take_while` does not want the object, the next loop begins with it, and so does collect() and
/// whoever goes on at a checkpoint. Copies of an iterator, and all iterators of a pager, stand on the same
/// object.
template <class T>
class Pager {
 public:
  using value_type = Result<T>;
  using iterator = detail::InputIterator<Pager>;

  explicit Pager(std::unique_ptr<detail::Walk> walk);
  Pager(Pager&& other) noexcept;  // which then has no objects, and an empty checkpoint
  Pager& operator=(Pager&& other) noexcept;
  ~Pager();

  /// Sends nothing yet: a page is fetched when an iterator is read or compared with end(). After an error,
  /// that is the same page again. One walk goes on: begin() after a `break` stands where that loop was.
  iterator begin();
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

  /// Up to `n` objects, which are finished then; fewer only where no more follow. Fetches pages of the size
  /// that was asked for until there are so many, and keeps the rest for whoever reads on; 0 sends nothing.
  ///
  /// With an error, none of the objects that were read is finished or lost: they are kept, and the next
  /// collect() or loop begins with them and asks only for what was missing. What is held is bounded by `n`
  /// and a page.
  [[nodiscard]] Result<std::vector<T>> collect(std::size_t n);

  /// Where the walk stands, as a text from which another process walks on with resumedAt(): behind the last
  /// object that is finished, in the middle of a page too. At the head of a loop's body it stands before the
  /// object of that turn, after an error before the page that did not come. Sends nothing.
  ///
  /// The text is one word of letters, digits and `-._~`. It holds the operation's name, a cursor or
  /// identifiers, and checksums; no key, no parameter. A walk towards the newest has no end: there it stands
  /// before what is to come. Taken before a first object is finished, it stands before whatever is the first
  /// when the walk goes on.
  [[nodiscard]] std::string checkpoint() const;

  /// The walk as it goes on at a checkpoint of the same operation and connected account, with the same
  /// parameters but for `expand`, and for the `limit` of a list. Call it before begin().
  ///
  /// A text that is no such checkpoint is an error of kind `invalidParameter` for `checkpoint`, which the
  /// loop or collect() gives; no request is made, and checkpoint() gives the text back. A search asks for the
  /// page again in whose middle it stands; if it no longer has the object that was finished last, all of its
  /// objects come, finished or not.
  [[nodiscard]] Pager resumedAt(std::string_view checkpoint) &&;

  /// The same walk, with the next page already on its way while the objects of a page are decoded and worked
  /// on, for whoever walks to the end: not more than one page ahead, which is held as it came. Objects and
  /// checkpoints are the same as without; a page that can't be decoded is asked for once more. Call it before
  /// begin(), and before or after resumedAt(), but before pages().
  ///
  /// Who leaves the walk early has used a request, and of the read allocation a read, more than it needed;
  /// that is why it is off unless it is asked for. A walk towards the newest (`endingBefore`) is not read
  /// ahead.
  ///
  /// The pages behind the first are asked for in a thread of the pager's own, in which an observer hears of
  /// them, unless the transport is Transport::inProcess(). To destroy the pager ends what is under way, and
  /// so does the stop token of the call. `RequestOptions::trail` gets the attempts of a page when the walk
  /// comes to it.
  [[nodiscard]] Pager readingAhead() &&;

  /// The same walk, a page at a time. Call it before begin().
  [[nodiscard]] Pages<T> pages() &&;

  /// The total count that came with the last page; nothing before there is one, and nothing unless the search
  /// expands `total_count`.
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

  std::unique_ptr<detail::Walk> walk_;
  std::vector<value_type> items_{};  // from `position_` on not finished; or the error with which a loop ends
  std::size_t position_ = 0;
  bool failed_ = false;
  std::optional<std::int64_t> totalCount_{};
};

}  // namespace tally
