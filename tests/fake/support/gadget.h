#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tally/id.h>
#include <tally/json.h>
#include <tally/metadata.h>

#include "schema/schema.h"
#include "tables/description.h"

// A made-up resource with every kind of field and operation, so that the fake's machinery is tested with
// separate tables.

namespace tally::test {

struct Gadget;

struct Maker {
  std::string name{};

  bool operator==(const Maker&) const = default;
};

struct Part {
  std::string name{};
  std::optional<std::int64_t> weight{};
  std::optional<Maker> maker{};
  std::optional<Id<Gadget>> origin{};  // the gadget that it was copied from

  bool operator==(const Part&) const = default;
};

struct Gadget {
  static constexpr std::string_view object = "test_gadget";

  Id<Gadget> id{};
  bool livemode{};
  std::chrono::sys_seconds created{};
  std::string name{};
  std::optional<std::string> note{};
  std::int64_t size{};
  bool active{};
  Part main{};
  std::optional<Part> spare{};
  std::vector<Part> parts{};
  std::optional<RawJson> extra{};
  std::optional<Id<Gadget>> parent{};
  Id<Gadget> serial{};
  Metadata metadata{};

  bool operator==(const Gadget&) const = default;
};

/// The parameters for creating and updating a gadget.
struct GadgetParams {
  std::optional<std::string> name{};
  std::optional<std::string> note{};
  std::optional<std::int64_t> size{};
  std::optional<bool> active{};
  std::optional<Part> spare{};
  std::optional<std::vector<Part>> parts{};
  std::vector<std::string> tags{};
  std::optional<RawJson> extra{};
  std::optional<Id<Gadget>> parent{};
  std::optional<Id<Gadget>> twin{};  // by its serial number
  std::optional<std::chrono::sys_seconds> at{};
  Metadata labels{};
  MetadataEdit metadata{};

  bool operator==(const GadgetParams&) const = default;
};

struct GadgetListParams {
  std::optional<std::int64_t> limit{};
  std::optional<Id<Gadget>> startingAfter{};
  std::optional<Id<Gadget>> endingBefore{};
  std::optional<std::string> name{};
  std::optional<bool> active{};
};

struct GadgetSearchParams {
  std::optional<std::string> query{};
  std::optional<std::int64_t> limit{};
  std::optional<std::string> page{};
  std::vector<std::string> expand{};
};

using tally::detail::refTo;

/// Operations on gadgets: `gadgets.create`, `.create_json`, `.update`, `.retrieve`, `.list`, `.search`,
/// `.start`, `.stop`, `.tune`. A gadget is `idle`, `running` or `broken`; starting one moves it to `running`
/// and puts its size into `main.weight`, stopping moves it back and empties `spare`; tuning makes it idle,
/// and its size 0 unless another one is given.
extern const fake::detail::Description gadgets;

extern const fake::detail::ResourceRules gadgetRules;

extern const tally::detail::AnyOperation gadgetList;
extern const tally::detail::AnyOperation gadgetSearch;

}  // namespace tally::test

namespace tally::detail {

template <>
const Struct Schema<test::Maker>::value;
template <>
const Struct Schema<test::Part>::value;
template <>
const Struct Schema<test::Gadget>::value;
template <>
const Struct Schema<test::GadgetParams>::value;
template <>
const Struct Schema<test::GadgetListParams>::value;
template <>
const Struct Schema<test::GadgetSearchParams>::value;

}  // namespace tally::detail
