#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "text/make_room.h"

namespace tally::detail {

/// How far whoever walks has come through the pages that were fetched. An object is finished when the walker
/// moves on behind it.
class Progress {
 public:
  struct FetchedPage {
    std::string cursor{};  // that it was asked for with
    std::string lastId{};  // of the last of its objects, in the direction of travel
    std::size_t left = 0;  // objects that are not finished
    bool isWhole = true;   // none of its objects were finished before it was fetched
  };

  /// As if the object `id` had been finished last, in the page that comes next. Empty: none was.
  void startBehind(std::string id);

  /// Room for one more page: fetched() takes no memory then.
  void expectPage() { makeRoom(pages_, 1); }

  void fetched(FetchedPage page);

  /// The walker stands on an object now. Its identifier is kept, since the walker may move it away.
  void reach(const std::string& id) { reached_ = id; }

  /// The object that was reached is finished, and the walker stands on the next; empty: on none that was
  /// fetched. Where memory runs out, nothing has changed.
  void finish(const std::string& next);

  /// So many objects are finished, of which the first was reached and `last` is the last; the same of the
  /// next.
  void finish(std::size_t count, std::string last, std::string next) noexcept;

  /// The object that the walker stands on.
  [[nodiscard]] const std::string& reached() const noexcept { return reached_; }

  /// All of the page that was fetched first is finished.
  void finishPage();

  /// Whether objects that were fetched are not finished.
  [[nodiscard]] bool pending() const noexcept { return first_ != pages_.size(); }

  /// Of the page that the next unfinished object is in; only where some are pending.
  [[nodiscard]] const std::string& pageCursor() const noexcept { return pages_[first_].cursor; }

  /// The object that was finished last; empty: none was.
  [[nodiscard]] const std::string& behind() const noexcept { return behind_; }

  /// The same where the next object is in the same page, else empty.
  [[nodiscard]] std::string behindInPage() const { return inPage_ ? behind_ : std::string{}; }

 private:
  void leaveObjects(std::size_t count) noexcept;
  void leavePage() noexcept;

  std::vector<FetchedPage> pages_{};  // in the order of the walk
  std::size_t first_ = 0;             // those before it are finished
  std::string reached_{};
  std::string next_{};  // memory, to be used again
  std::string behind_{};
  bool inPage_ = false;  // whether the next object is in the page of the one that was finished last
};

}  // namespace tally::detail
