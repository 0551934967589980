#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "objects/inserted_object.h"
#include "tables/id_generator.h"

namespace tally::fake::detail {

/// Objects that a test describes once and inserts many times. Each equals what complete() makes of the
/// description, without the effort to find that out again.
class ObjectSeries {
 public:
  /// Starts with `object`, which complete() has brought into `state`. Refers to it.
  ObjectSeries(const ResourceType& type, Paths said, std::uint8_t state, ObjectRef object)
      : type_(type), said_(std::move(said)), state_(state), object_(object) {}

  [[nodiscard]] const ResourceType& type() const noexcept { return type_; }
  [[nodiscard]] std::uint8_t state() const noexcept { return state_; }

  /// Makes the next object. Throws std::invalid_argument if the description has an identifier, and
  /// `collection` has it already.
  void advance(const Collection& collection, IdGenerator& ids, Instant now);

  /// The present object. Only its identifiers and its creation are up to date, unless it is an account.
  [[nodiscard]] ObjectRef object() const noexcept { return object_; }
  /// Its JSON; empty before advance().
  [[nodiscard]] const std::string& json() const noexcept { return present_.json; }

 private:
  struct Made {
    std::string json{};
    std::vector<std::string> ids{};  // in the order of the type's fresh ones
    std::int64_t created = 0;
  };

  /// A place in the JSON that has an identifier.
  struct Blank {
    std::size_t at = 0;
    std::size_t id = 0;  // the index in Made::ids
  };
  using Blanks = std::vector<Blank>;

  [[nodiscard]] bool isSaid(std::string_view path) const { return isAmong(said_, path); }
  void takeIds();
  void encodeWhole();
  static void fill(const Blanks& blanks, Made& made);
  [[nodiscard]] static std::optional<Blanks> blanksBetween(const Made& one, const Made& other);

  const ResourceType& type_;
  Paths said_;
  std::uint8_t state_;
  ObjectRef object_;
  Made present_{};
  std::optional<Blanks> blanks_{};  // once two objects show where they are
};

}  // namespace tally::fake::detail
