#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <boost/unordered/unordered_flat_set.hpp>

#include "pagination/checkpoint.h"
#include "pagination/page_source.h"
#include "pagination/page_type.h"
#include "pagination/walk_position.h"
#include "text/fingerprint.h"

namespace tally::detail {

class Prefetcher;
struct RawPage;

/// The iteration over the pages of one list or search. It advances only once the consumer has a page, so that
/// after an error or an exception the same page can be requested again.
class PageWalker {
 public:
  /// `params` are those of the first page. If they have a fault, every fetch() returns it.
  PageWalker(std::shared_ptr<const ClientCore> core, const AnyOperation& operation, ConstObjectRef params,
             const RequestOptions& options);
  ~PageWalker();

  /// Enables prefetching, except towards the newest. Call it before anything is fetched.
  void enablePrefetch() noexcept { prefetches_ = !backwards(); }

  /// Continues at a checkpoint of the same iteration. Call it before anything is fetched. If the checkpoint
  /// has a fault, every fetch() returns it.
  void resumeAt(std::string_view checkpoint);

  /// The position after the object consumed last.
  [[nodiscard]] std::string checkpoint() const;

  /// Reads the next page into `page`, without objects consumed before a checkpoint. It remains the next page
  /// until moveOn().
  [[nodiscard]] std::optional<Error> fetch(const PageType& type, ObjectRef page);

  // The steps of fetch(), for those who send the request themselves.

  [[nodiscard]] const std::optional<Error>& fault() const noexcept { return fault_; }
  [[nodiscard]] const PageSource& source() const noexcept { return source_; }
  /// The cursor of the page to fetch; empty: the first.
  [[nodiscard]] const std::string& cursor() const noexcept { return cursor_; }
  /// Reads the response to a request for that page.
  [[nodiscard]] std::optional<Error> read(TransportResult& result, Instant now, const PageType& type,
                                          ObjectRef page);
  /// Reads the body of such a response. False if it is not a valid page.
  [[nodiscard]] bool accept(RawPage& raw, const PageType& type, ObjectRef page);

  /// The consumer has the fetched page.
  void moveOn() noexcept;

  /// Whether no page is left to fetch.
  [[nodiscard]] bool ended() const noexcept { return ended_ && !fault_; }

  /// What the consumer has consumed of the fetched pages.
  [[nodiscard]] WalkPosition& position() noexcept { return position_; }

  /// Whether iteration goes from older objects to newer ones.
  [[nodiscard]] bool backwards() const noexcept { return source_.backwards(); }

 private:
  class PageReader;

  /// Keeps a prefetcher that it can't destroy.
  struct PrefetcherDeleter {
    void operator()(Prefetcher* prefetcher) const noexcept;
  };

  /// A page that has arrived, and the cursor of the next one, if any.
  struct Arrival {
    WalkPosition::FetchedPage page{};
    std::optional<std::string> next{};
  };

  void moveTo(std::string cursor);
  [[nodiscard]] Standing standing() const;
  [[nodiscard]] WalkName name() const noexcept { return {source_.operation().name, selection_}; }
  [[nodiscard]] std::optional<RawPage> takePrefetched(const PageType& type);
  [[nodiscard]] std::optional<Error> arrived(const PageType& type, ObjectRef page);
  void see(const std::string& cursor) { seen_.insert(longFingerprint(cursor)); }
  [[nodiscard]] bool hasSeen(const std::string& cursor) const;
  [[nodiscard]] std::optional<Error> findNext(const PageFacts& facts, Arrival& arrival) const;
  [[nodiscard]] Error endless(const std::string& message) const;

  PageSource source_;
  std::optional<Error> fault_;
  std::string cursor_{};         // of the next page; empty for the first
  std::uint32_t selection_ = 0;  // a fingerprint of the parameters that select the objects
  std::string unreadable_{};     // an invalid checkpoint, which checkpoint() returns unchanged
  WalkPosition position_{};
  Arrival arrival_{};
  // Fingerprints of the cursors so far, in one block: separate nodes would fragment the memory that pages
  // reuse. With 32 bits, as std::hash has on some systems, two of 65,000 cursors are likely to have the same.
  boost::unordered_flat_set<std::uint64_t> seen_{};
  bool ended_ = false;
  bool prefetches_ = false;
  std::unique_ptr<Prefetcher, PrefetcherDeleter> prefetcher_{};  // null until the first fetch
};

}  // namespace tally::detail
