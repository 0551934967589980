#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <boost/unordered/unordered_flat_set.hpp>

#include "checkpoint.h"
#include "core.h"
#include "progress.h"

namespace tally::detail {

/// What a walk needs to know of a page to find the next one.
struct PageFacts {
  std::size_t count = 0;
  bool hasMore = false;
  std::string_view firstId{};
  std::string_view lastId{};
  const std::string* nextPage = nullptr;
};

/// How a walk reaches into pages of one type.
struct PageType {
  const Struct& fields;
  PageFacts (*facts)(const void* page) = nullptr;
  /// Drops the objects up to and including the one of that identifier. Whether there is one.
  bool (*dropThrough)(void* page, std::string_view id) = nullptr;
};

/// The way through the pages of one list or search. It moves on only when a page has come, so that after an
/// error the same page can be asked for again.
class Walk {
 public:
  /// `params` are those of the first page. A fault in them is the answer to every fetch().
  Walk(std::shared_ptr<const Core> core, const Operation& operation, const void* params,
       const RequestOptions& options);

  /// Goes on where a checkpoint of the same walk was taken. Called before anything is fetched; a fault in it
  /// is the answer to every fetch().
  void resumeAt(std::string_view checkpoint);

  /// Behind the object that was finished last.
  [[nodiscard]] std::string checkpoint() const;

  /// Reads the next page into `page`, but for objects that were finished before a checkpoint.
  [[nodiscard]] std::optional<Error> fetch(const PageType& type, void* page);

  /// Whether there is no page left to fetch.
  [[nodiscard]] bool ended() const noexcept { return ended_ && !fault_; }

  /// What the walker has finished of what was fetched.
  [[nodiscard]] Progress& progress() noexcept { return progress_; }

  /// Whether the walk goes from older objects to newer ones.
  [[nodiscard]] bool backwards() const noexcept;

 private:
  class PageReader;

  void startAt(const void* params);
  void moveTo(std::string cursor);
  [[nodiscard]] Standing standing() const;
  [[nodiscard]] WalkName name() const noexcept { return {operation_.name, selection_}; }
  [[nodiscard]] bool searches() const noexcept { return operation_.kind == OperationKind::search; }
  [[nodiscard]] std::optional<Error> arrived(const PageType& type, void* page);
  [[nodiscard]] bool firstSeen(const std::string& cursor);
  [[nodiscard]] std::optional<Error> moveOn(const PageFacts& facts);
  [[nodiscard]] std::optional<std::string> cursorBehind(const PageFacts& facts) const;
  [[nodiscard]] Error endless(const std::string& message) const;
  [[nodiscard]] HttpRequest nextRequest() const;

  std::shared_ptr<const Core> core_;
  const Operation& operation_;
  RequestOptions options_;
  HttpRequest request_{};  // of the first page, without a cursor
  PacedRequest paced_{};
  std::optional<Error> fault_{};
  std::string_view cursorName_{};
  std::string cursor_{};         // of the next page; empty for the first
  std::uint32_t selection_ = 0;  // the fingerprint of what selects the objects
  std::string unreadable_{};     // the checkpoint that the walk can't go on at
  Progress progress_{};
  // Hashes of the cursors so far, in one block. A node for each would lie between the pages' memory and keep
  // it from being used again.
  boost::unordered_flat_set<std::size_t> seen_{};
  bool ended_ = false;
};

/// The walk that a generated list or search begins with.
[[nodiscard]] std::unique_ptr<Walk> walk(std::shared_ptr<const Core> core, const Operation& operation,
                                         const void* params, const RequestOptions& options);

}  // namespace tally::detail
