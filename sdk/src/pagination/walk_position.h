#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "text/reserve_more.h"

namespace tally::detail {

/// The consumer's position in the fetched pages. An object is consumed once the iterator advances past
/// it.
class WalkPosition {
 public:
  struct FetchedPage {
    std::string cursor{};  // that requested it
    std::string lastId{};  // of its last object, in the direction of iteration
    std::size_t left = 0;  // objects not consumed yet
    bool isWhole = true;   // no objects were consumed before it was fetched
  };

  /// Starts after the object `id`, in the page that comes next. Empty: at the beginning.
  void startBehind(std::string id);

  /// Reserves space for one more page, so that fetched() allocates nothing.
  void expectPage() { reserveMore(pages_, 1); }

  void fetched(FetchedPage page);

  /// The consumer is now at this object. Copies the identifier, since the consumer may move the object away.
  void reach(const std::string& id) { reached_ = id; }

  /// The current object is consumed; `next` becomes the current one (empty: none fetched). If memory runs
  /// out, nothing changes.
  void finish(const std::string& next);

  /// `count` objects are consumed, from the current one to `last`; `next` becomes the current one.
  void finish(std::size_t count, std::string last, std::string next) noexcept;

  /// The current object.
  [[nodiscard]] const std::string& reached() const noexcept { return reached_; }

  /// The whole first page is consumed.
  void finishPage();

  /// Whether fetched objects are left to consume.
  [[nodiscard]] bool pending() const noexcept { return first_ != pages_.size(); }

  /// The cursor of the page with the next object; only if pending().
  [[nodiscard]] const std::string& pageCursor() const noexcept { return pages_[first_].cursor; }

  /// The object consumed last; empty: none.
  [[nodiscard]] const std::string& behind() const noexcept { return behind_; }

  /// The same if the next object is in the same page, else empty.
  [[nodiscard]] std::string behindInPage() const { return inPage_ ? behind_ : std::string{}; }

 private:
  void leaveObjects(std::size_t count) noexcept;
  void leavePage() noexcept;

  std::vector<FetchedPage> pages_{};  // in the order of iteration
  std::size_t first_ = 0;             // earlier pages are consumed
  std::string reached_{};
  std::string next_{};  // kept to reuse its memory
  std::string behind_{};
  bool inPage_ = false;  // the next object is in the same page as the last one consumed
};

}  // namespace tally::detail
