#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <boost/unordered/unordered_flat_set.hpp>

#include "pagination/checkpoint.h"
#include "pagination/page_source.h"
#include "pagination/page_type.h"
#include "pagination/progress.h"

namespace tally::detail {

class ReadAhead;
struct RawPage;

/// The way through the pages of one list or search. It moves on only when the walker has a page, so that
/// after an error or an exception the same page can be asked for again.
class Walk {
 public:
  /// `params` are those of the first page. A fault in them is the answer to every fetch().
  Walk(std::shared_ptr<const Core> core, const Operation& operation, const void* params,
       const RequestOptions& options);
  ~Walk();

  /// From now on each page but the first is asked for while the walker has the one before; not towards the
  /// newest. Called before anything is fetched.
  void readAhead() noexcept { readsAhead_ = !backwards(); }

  /// Goes on where a checkpoint of the same walk was taken. Called before anything is fetched; a fault in it
  /// is the answer to every fetch().
  void resumeAt(std::string_view checkpoint);

  /// Behind the object that was finished last.
  [[nodiscard]] std::string checkpoint() const;

  /// Reads the next page into `page`, but for objects that were finished before a checkpoint. Until moveOn()
  /// it stays the next one.
  [[nodiscard]] std::optional<Error> fetch(const PageType& type, void* page);

  /// The walker has the page that was fetched.
  void moveOn() noexcept;

  /// Whether there is no page left to fetch.
  [[nodiscard]] bool ended() const noexcept { return ended_ && !fault_; }

  /// What the walker has finished of what was fetched.
  [[nodiscard]] Progress& progress() noexcept { return progress_; }

  /// Whether the walk goes from older objects to newer ones.
  [[nodiscard]] bool backwards() const noexcept { return source_.backwards(); }

 private:
  class PageReader;

  /// A page that has come, and the cursor of the one behind it, if more follow.
  struct Arrival {
    Progress::FetchedPage page{};
    std::optional<std::string> next{};
  };

  void moveTo(std::string cursor);
  [[nodiscard]] Standing standing() const;
  [[nodiscard]] WalkName name() const noexcept { return {source_.operation().name, selection_}; }
  [[nodiscard]] std::optional<RawPage> takeAhead(const PageType& type);
  [[nodiscard]] bool accept(const RawPage& raw, const PageType& type, void* page);
  [[nodiscard]] std::optional<Error> arrived(const PageType& type, void* page);
  void see(const std::string& cursor) { seen_.insert(std::hash<std::string>{}(cursor)); }
  [[nodiscard]] bool hasSeen(const std::string& cursor) const;
  [[nodiscard]] std::optional<Error> findNext(const PageFacts& facts, Arrival& arrival) const;
  [[nodiscard]] Error endless(const std::string& message) const;

  PageSource source_;
  std::optional<Error> fault_;
  std::string cursor_{};         // of the next page; empty for the first
  std::uint32_t selection_ = 0;  // the fingerprint of what selects the objects
  std::string unreadable_{};     // the checkpoint that the walk can't go on at
  Progress progress_{};
  Arrival arrival_{};
  // Hashes of the cursors so far, in one block. A node for each would lie between the pages' memory and keep
  // it from being used again.
  boost::unordered_flat_set<std::size_t> seen_{};
  bool ended_ = false;
  bool readsAhead_ = false;
  std::unique_ptr<ReadAhead> ahead_{};  // null until the first page is asked for
};

/// The walk that a generated list or search begins with.
[[nodiscard]] std::unique_ptr<Walk> walk(std::shared_ptr<const Core> core, const Operation& operation,
                                         const void* params, const RequestOptions& options);

}  // namespace tally::detail
