#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

namespace tally::fake {

/// An object in the store of a Service, and its state.
struct StoredObject {
  std::string resource{};  ///< Such as `payment_record`.
  std::string id{};
  std::string state{};  ///< Such as `guaranteed`; empty if objects of this resource have no states.
  std::chrono::sys_seconds created{};
  std::string json{};  ///< As the service returns it.
};

std::ostream& operator<<(std::ostream& out, const StoredObject& value);

/// How many objects of a resource are in a state.
struct ObjectCount {
  std::string resource{};
  std::string state{};  ///< Empty if objects of this resource have no states.
  std::size_t count = 0;

  bool operator==(const ObjectCount&) const = default;
};

std::ostream& operator<<(std::ostream& out, const ObjectCount& value);

/// Which objects Objects::list() returns.
struct ObjectFilter {
  std::string resource{};   ///< Such as `payment_record`; empty: any.
  std::string state{};      ///< Such as `guaranteed`; empty: any.
  std::string text{};       ///< A part of the identifier; empty: any.
  std::size_t limit = 100;  ///< At most this many objects.
};

std::ostream& operator<<(std::ostream& out, const ObjectFilter& value);

/// Objects of an account in one mode.
struct ObjectList {
  std::vector<StoredObject> objects{};  ///< The objects that match, by resource, newest first.
  bool hasMore = false;                 ///< Whether further objects match.
  std::vector<ObjectCount> counts{};    ///< Of all objects, whether they match or not.
};

std::ostream& operator<<(std::ostream& out, const ObjectList& value);

}  // namespace tally::fake
