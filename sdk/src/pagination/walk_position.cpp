#include "pagination/walk_position.h"

#include <utility>

namespace tally::detail {

void WalkPosition::startBehind(std::string id) {
  inPage_ = !id.empty();
  behind_ = std::move(id);
}

void WalkPosition::fetched(FetchedPage page) {
  if (!pending()) inPage_ = !page.isWhole && page.left != 0;
  if (page.left != 0) pages_.push_back(std::move(page));
}

void WalkPosition::finish(const std::string& next) {
  next_ = next;
  behind_.swap(reached_);
  reached_.swap(next_);
  leaveObjects(1);
}

void WalkPosition::finish(std::size_t count, std::string last, std::string next) noexcept {
  behind_ = std::move(last);
  reached_ = std::move(next);
  leaveObjects(count);
}

void WalkPosition::leaveObjects(std::size_t count) noexcept {
  for (; count != 0; --count) {
    inPage_ = true;
    if (--pages_[first_].left == 0) leavePage();
  }
}

void WalkPosition::finishPage() {
  if (!pending()) return;
  behind_ = std::move(pages_[first_].lastId);
  leavePage();
}

void WalkPosition::leavePage() noexcept {
  inPage_ = false;
  if (++first_ != pages_.size()) return;
  pages_.clear();
  first_ = 0;
}

}  // namespace tally::detail
