#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "request/json_document.h"
#include "tables/catalog.h"
#include "text/string_map.h"

namespace tally::fake::detail {

/// The state that an object is in, as its fields show; nothing if they fit none. `first` is tried first.
[[nodiscard]] std::optional<std::uint8_t> shownState(const ResourceType& type, ConstObjectRef object,
                                                     std::uint8_t first);

/// Whether two objects, given as JSON, have the same values in the fields that both have.
[[nodiscard]] bool areAlike(const ResourceType& type, const JsonValue& shown, std::string_view fake);

using FieldNames = std::set<std::string, std::less<>>;

/// Keeps the objects of the fake as the recorded service has them, with its identifiers. What a response has
/// not shown yet, or no longer with certainty, is in doubt: the next response that shows it decides.
class Mirror {
 public:
  explicit Mirror(Engine& engine) : engine_(engine) {}

  [[nodiscard]] bool has(const Caller& caller, const ResourceType& type, std::string_view id) const;
  [[nodiscard]] bool isInDoubt(std::string_view id) const { return doubted_.contains(id); }
  /// Whether any object of the resource is in doubt.
  [[nodiscard]] bool doubtsAny(const ResourceType& type) const;
  /// Whether its place in lists is unknown.
  [[nodiscard]] bool isUnplaced(std::string_view id) const { return unplaced_.contains(id); }
  /// Whether that is so for any object of the resource.
  [[nodiscard]] bool hasUnplaced(const ResourceType& type) const { return lists_.contains(&type); }

  /// Adds an object of which nothing else is known. `placed`: whether its place in lists is certain.
  void announce(const Caller& caller, const ResourceType& type, std::string_view id, std::int64_t created,
                bool placed);

  /// Makes the object as `shown`, which is its JSON. Adds it if it is new, as one created then.
  void show(const Caller& caller, const ResourceType& type, std::string_view id, const JsonValue& shown);

  /// The same for an object as it was before the report `trigger`, whose response is `shown`.
  void showBefore(const Caller& caller, const ResourceType& type, std::string_view id, const JsonValue& shown,
                  const AnyOperation& trigger);

  /// Brings an object in doubt into a state in which `trigger` is refused, if possible with that code.
  void refuse(const Caller& caller, const ResourceType& type, std::string_view id,
              const AnyOperation& trigger, std::string_view code);

  void doubt(const ResourceType& type, std::string_view id);

  /// The top-level fields that no response has shown as the fake can store them; null if there are none.
  [[nodiscard]] const FieldNames* unknownFields(std::string_view id) const;

  /// Makes the object as `shown`, from which it differed. If a later response shows what the fake had before,
  /// that is no other difference; see reconsider().
  void correct(const Caller& caller, const ResourceType& type, std::string_view id, const JsonValue& shown,
               std::string_view fake);

  /// Makes the object as `shown` if the fake had it so before a correction.
  void reconsider(const Caller& caller, const ResourceType& type, std::string_view id,
                  const JsonValue& shown);

  /// Undoes a correction; nothing if there was none.
  void takeBack(const Caller& caller, const ResourceType& type, std::string_view id);
  [[nodiscard]] bool isCorrected(std::string_view id) const { return corrected_.contains(id); }

  /// Adds an object that a request has created now, as `shown`. Its place in lists follows from the time of
  /// the request, whatever time it shows.
  void add(const Caller& caller, const ResourceType& type, std::string_view id, const JsonValue& shown);

  /// Lists `first` directly before `second`, if it is listed later, by moving the first or the second.
  enum class Moved : std::uint8_t { first, second };
  void putBefore(const Caller& caller, const ResourceType& type, std::string_view first,
                 std::string_view second, Moved moved);
  /// Lists all objects that `isMoved` chooses, and that are listed later than `second`, directly before it.
  void putBefore(const Caller& caller, const ResourceType& type, std::string_view second,
                 const std::function<bool(std::string_view id)>& isMoved);

  /// An object as it is stored.
  struct Stored {
    std::string json{};
    std::uint8_t state = 0;
  };
  [[nodiscard]] std::optional<Stored> stored(const Caller& caller, const ResourceType& type,
                                             std::string_view id) const;
  void restore(const Caller& caller, const ResourceType& type, std::string_view id, const Stored& stored);

  /// The objects of an account, to undo what a request creates.
  [[nodiscard]] std::vector<Collection> objectsOf(const Caller& caller) const;
  void restore(const Caller& caller, std::vector<Collection> objects);

  /// Makes an account of a new object that is one.
  void adopt(const Caller& caller, const ResourceType& type, std::string_view id);

 private:
  [[nodiscard]] Collection& collectionOf(const Caller& caller, const ResourceType& type) const;
  void put(const Caller& caller, const ResourceType& type, std::string_view id, AnyObject object,
           std::uint8_t state);
  [[nodiscard]] AnyObject storable(const Caller& caller, const ResourceType& type, std::string_view id,
                                   const JsonValue& shown);
  void settle(std::string_view id);

  Engine& engine_;
  tally::detail::StringMap<const ResourceType*> doubted_{};
  FieldNames unplaced_{};
  std::set<const ResourceType*> lists_{};
  tally::detail::StringMap<FieldNames> unknown_{};
  tally::detail::StringMap<std::string> corrected_{};  // what the fake had, by object
  std::map<const ResourceType*, std::size_t> doubts_{};
};

}  // namespace tally::fake::detail
