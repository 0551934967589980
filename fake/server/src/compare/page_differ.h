#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/response_differ.h"
#include "compare/world.h"
#include "observed/inventory.h"
#include "observed/timeline.h"
#include "text/string_map.h"

namespace tally::fake::detail {

/// Compares pages of lists and searches: their objects, the order, and whether more follows. What was made
/// before the recording and is never shown may follow any page, so that is judged only where the recording
/// shows the end.
class PageDiffer {
 public:
  PageDiffer(World& world, const Inventory& inventory, ResponseDiffer& responses, Findings& findings)
      : world_(world), inventory_(inventory), responses_(responses), findings_(findings) {}

  /// The request with the cursor of the fake instead of that of the recording.
  [[nodiscard]] HttpRequest translate(const Observation& seen) const;

  /// Skips a page that the fake can't have: after its last page, or after a cursor that no recorded page
  /// shows, and that the service knows. Returns whether this is one.
  [[nodiscard]] bool passUnplaced(const Observation& seen);

  /// Compares a successful page with the fake's response to `request`.
  void compare(const Observation& seen, const Caller& caller, const Timeline& timeline,
               const HttpRequest& request, HttpResponse fake);

  /// Whether a page shows an object too early for the fake: the recorded request that creates it begins
  /// later.
  [[nodiscard]] bool isEarly(const Caller& caller, const ResourceType& type, std::string_view id) const;

  /// Notes a created object: the order of those that were created at the same time is unknown.
  void noteCreation(const Observation& seen, std::string_view id);

 private:
  /// A page of the fake, without what the recorded page can't show.
  struct Page {
    JsonDocument body;
    std::vector<std::string> ids{};
    std::size_t dropped = 0;
  };
  /// The fake's cursor for one of the recording.
  struct Cursor {
    std::string text{};      // empty if the fake has no next page
    bool misplaced = false;  // it follows another object than that of the recording
    bool unknown = false;    // no recorded page shows where it follows
  };
  struct Context {
    const Observation& seen;
    const Caller& caller;
    const Timeline& timeline;
    const ResourceType& type;
    const std::vector<std::string>& recorded;
  };

  [[nodiscard]] std::optional<CreationTime> creationOf(std::string_view id) const;
  [[nodiscard]] const Cursor* cursorOf(const Observation& seen) const;
  [[nodiscard]] bool mayLack(const Context& context, const Page& page, std::string_view id) const;
  [[nodiscard]] Page read(const Context& context, const HttpResponse& fake) const;
  [[nodiscard]] bool areTied(std::string_view one, std::string_view other) const;
  [[nodiscard]] bool rearrange(const Context& context, const Page& page);
  [[nodiscard]] bool moveAcrossCursor(const Context& context, const Page& page);
  void putBefore(const Context& context, std::string_view first, std::string_view second,
                 Mirror::Moved moved);
  [[nodiscard]] static bool isSame(const Context& context, const Page& page);
  void reportOrder(const Context& context, const Page& page);
  void compareEnd(const Context& context, const Page& page);
  void compareNextPage(const Context& context, bool more);
  void noteNextPage(const Observation& seen, Cursor cursor);
  [[nodiscard]] static Cursor nextOf(const Context& context, const Page& page);
  void compareCount(const Context& context, const Page& page);
  void compareObjects(const Context& context, const Page& page);

  World& world_;
  const Inventory& inventory_;
  ResponseDiffer& responses_;
  Findings& findings_;
  tally::detail::StringMap<Cursor> cursors_{};  // by those of the recording
  std::deque<std::string> cursorOrder_{};
  tally::detail::StringMap<CreationTime> creations_{};
  std::deque<std::string> creationOrder_{};
};

}  // namespace tally::fake::detail
