#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <boost/unordered/unordered_flat_set.hpp>

#include "core.h"

namespace tally::detail {

/// What a walk needs to know of a page to find the next one.
struct PageFacts {
  std::size_t count = 0;
  bool hasMore = false;
  std::string_view firstId{};
  std::string_view lastId{};
  const std::string* nextPage = nullptr;
};

/// The way through the pages of one list or search. It moves on only when a page has come, so that after an
/// error the same page can be asked for again.
class Walk {
 public:
  /// `params` are those of the first page. A fault in them is the answer to every fetch().
  Walk(std::shared_ptr<const Core> core, const Operation& operation, const void* params,
       const RequestOptions& options);

  /// Reads the next page into `page`, whose fields are those of `type`; `facts` looks into it.
  [[nodiscard]] std::optional<Error> fetch(const Struct& type, void* page,
                                           PageFacts (*facts)(const void* page));

  /// Whether there is no page left to fetch.
  [[nodiscard]] bool ended() const noexcept { return ended_; }

  /// Whether the walk goes from older objects to newer ones.
  [[nodiscard]] bool backwards() const noexcept;

 private:
  class PageReader;

  void startAt(const void* params);
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
  std::string cursor_{};  // empty for the first page
  // Hashes of the cursors so far, in one block. A node for each would lie between the pages' memory and keep
  // it from being used again.
  boost::unordered_flat_set<std::size_t> seen_{};
  bool ended_ = false;
};

/// The walk that a generated list or search begins with.
[[nodiscard]] std::unique_ptr<Walk> walk(std::shared_ptr<const Core> core, const Operation& operation,
                                         const void* params, const RequestOptions& options);

}  // namespace tally::detail
