#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "observed/list_order.h"
#include "observed/observation.h"
#include "text/string_map.h"

namespace tally::fake::detail {

/// When an object was created, by the clock of the recorder.
struct CreationTime {
  Instant earliest{};
  Instant latest{};
  std::uint64_t shownBy = 0;  // the number of the request that shows the object first
};

/// An object that no recorded request created.
struct FoundObject {
  std::string id{};
  const Resource* resource = nullptr;
  std::int64_t created = 0;
  bool placed = true;  // false if no list shows it, and others were created in the same second
  std::optional<CreationTime> madeLater{};  // set unless it certainly existed before the recording
};

/// An account that the recording shows, in one mode.
struct FoundAccount {
  std::string id{};  // empty if no request names it
  bool livemode = false;
  std::vector<std::string> keys{};                 // in the order of their first requests
  std::vector<FoundObject> objects{};              // oldest first
  std::set<std::string, std::less<>> connected{};  // the accounts that it acts for
};

/// What a first pass over a recording finds: who calls, which objects there are, and how the recording is
/// ordered. Its memory depends on the number of keys and objects, and not on that of requests.
class Inventory {
 public:
  void note(const Observation& seen);

  /// Ends the pass.
  void finish();

  [[nodiscard]] const std::vector<FoundAccount>& accounts() const noexcept { return accounts_; }
  [[nodiscard]] std::uint64_t requests() const noexcept { return requests_; }
  [[nodiscard]] Instant start() const noexcept { return start_; }
  /// How much earlier a request started than one before it in the recording.
  [[nodiscard]] std::chrono::nanoseconds disorder() const noexcept { return disorder_; }
  /// Of the recorded times: zero if they are exact, and a millisecond for recorders that keep no more.
  [[nodiscard]] std::chrono::nanoseconds resolution() const noexcept { return resolution_; }
  /// By how much the clock of the service is ahead of that of the recorder, by its `Date`.
  [[nodiscard]] std::chrono::seconds skew() const noexcept { return skew_.value_or(std::chrono::seconds{0}); }
  /// How far the clocks may differ from skew(): two synchronized clocks seldom show the same second.
  [[nodiscard]] std::chrono::seconds unsure() const noexcept { return unsure_; }

  /// Whether the recording shows the end of the list that a request reads, or the start if the request reads
  /// backward. If so, all objects there are known, except those created since.
  [[nodiscard]] bool showsEnd(const Observation& page) const;

  /// Whether the recording shows all pages of a search, of which the first ended after the start of this
  /// request. If so, all objects that it finds are known.
  [[nodiscard]] bool showsAll(const Observation& page) const;

  /// Whether the recording does not show which of two objects is newer, although lists show both: they were
  /// created in the same second, and no page connects the parts of the list that have them.
  [[nodiscard]] bool areUnordered(std::string_view one, std::string_view other) const;

  /// Whether pages connect two such objects, or they are the same one.
  [[nodiscard]] bool areOfOnePart(std::string_view one, std::string_view other) const;

  /// Whether a recorded request created the object.
  [[nodiscard]] bool createdInRecording(std::string_view id) const { return created_.contains(id); }

 private:
  /// A key, or an account that a key acts for, in one mode. Those that see the same object in the same mode
  /// are one account.
  struct Holder {
    std::size_t same = 0;  // as the holder with this number; its own number: none
    std::string key{};
    std::string account{};
    std::optional<bool> livemode{};
    std::set<std::string, std::less<>> connected{};
  };
  struct Sighting {
    std::size_t holder = 0;
    const Resource* resource = nullptr;
    std::int64_t created = 0;
    Instant shown{};            // the end of the first response that shows it
    std::uint64_t shownBy = 0;  // the number of its request
    std::size_t rank = 0;       // in lists: the greater, the newer; 0: in none
    std::size_t part = 0;       // of the lists, as ListOrder numbers them
  };

  /// Where an object is that another part of the same list may precede or follow.
  struct LoosePlace {
    std::size_t second = 0;  // numbers the seconds of creations in all lists
    std::size_t part = 0;

    bool operator==(const LoosePlace&) const = default;
  };

  struct PageEnd {
    std::string last{};              // its last object
    std::optional<Instant> begun{};  // when the first page was shown, if it and those between are recorded
  };

  void noteTimes(const Observation& seen);
  void noteDate(const Observation& seen);
  [[nodiscard]] std::size_t holderOf(const Observation& seen);
  [[nodiscard]] std::size_t holder(const std::string& name, const std::string& key,
                                   const std::string& account);
  [[nodiscard]] std::size_t rootOf(std::size_t holder) const;
  void join(std::size_t one, std::size_t other);
  [[nodiscard]] bool haveOtherModes(std::size_t one, std::size_t other) const;
  static void noteShown(const Observation& seen, Sighting& sighting);
  void noteObject(const Observation& seen, std::size_t holder, const JsonValue& object);
  void notePage(const Observation& seen, std::size_t holder);
  void notePageEnd(std::string nextPage, const std::vector<std::string>& ids, std::optional<Instant> begun);
  void rankObjects();
  void noteLoosePlaces();
  [[nodiscard]] std::optional<CreationTime> creationOf(const Sighting& sighting) const;
  [[nodiscard]] FoundAccount accountOf(std::size_t root) const;

  std::uint64_t requests_ = 0;
  Instant start_ = Instant::max();
  Instant latest_ = Instant::min();
  std::chrono::nanoseconds disorder_{0};
  std::chrono::nanoseconds resolution_ = std::chrono::milliseconds{1};
  std::optional<std::chrono::seconds> skew_{};
  std::chrono::seconds unsure_{1};
  std::vector<Holder> holders_{};
  tally::detail::StringMap<std::size_t> byName_{};
  tally::detail::StringMap<Sighting> objects_{};
  std::set<std::string, std::less<>> created_{};
  std::map<std::pair<std::size_t, const Resource*>, ListOrder> orders_{};
  tally::detail::StringMap<PageEnd> pageEnds_{};  // by `next_page`
  tally::detail::StringMap<Instant> ends_{};      // by list: when its end was last shown
  tally::detail::StringMap<Instant> starts_{};    // by list: when its start was last shown
  tally::detail::StringMap<Instant> wholes_{};    // by search: when the first of all its pages was last shown
  tally::detail::StringMap<LoosePlace> loose_{};
  std::vector<FoundAccount> accounts_{};
};

}  // namespace tally::fake::detail
