// The reader of objects, for every model, accepts only what Boost.JSON accepts, and finds no syntax error in
// what Boost.JSON accepts. What it read is written as a text with the same value, from which the same object
// is read, also into an object that was filled before.
#include "json/json_reader.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fuzz.h"
#include "json/model_json.h"
#include "operations.h"
#include "schema/any_object.h"
#include "schema/schema.h"

namespace tally::fuzz {

namespace {

struct Part {
  std::string name{};
  std::optional<std::int64_t> count{};
};

/// Has what no model has: fields that may be missing.
struct Sample {
  std::optional<std::string> note{};
  std::optional<std::int64_t> size{};
  std::optional<bool> flag{};
  std::optional<Part> part{};
  std::vector<Part> parts{};
  std::optional<std::vector<std::vector<Part>>> grid{};
  std::optional<Metadata> labels{};
  std::optional<RawJson> raw{};
  UnknownFields unknownFields{};
};

constexpr detail::Field partFields[] = {detail::field<&Part::name>("name", detail::Presence::required),
                                        detail::field<&Part::count>("count")};

}  // namespace

}  // namespace tally::fuzz

template <>
const tally::detail::Struct tally::detail::Schema<tally::fuzz::Part>::value =
    describe<fuzz::Part>("part", fuzz::partFields);

namespace tally::fuzz {

namespace {

constexpr detail::Field sampleFields[] = {
    detail::nullable(detail::field<&Sample::note>("note", detail::Presence::required)),
    detail::field<&Sample::size>("size"),
    detail::field<&Sample::flag>("flag"),
    detail::nullable(detail::field<&Sample::part>("part")),
    detail::field<&Sample::parts>("parts", detail::Presence::required),
    detail::field<&Sample::grid>("grid"),
    detail::field<&Sample::labels>("labels"),
    detail::field<&Sample::raw>("raw"),
};

}  // namespace

}  // namespace tally::fuzz

template <>
const tally::detail::Struct tally::detail::Schema<tally::fuzz::Sample>::value =
    describe<fuzz::Sample>("sample", fuzz::sampleFields);

namespace tally::fuzz {

namespace {

using detail::AnyObject;
/// The models of all resources, and the sample.
const std::vector<const detail::Struct*>& models() {
  static const auto found = [] {
    std::vector<const detail::Struct*> all;
    for (const detail::AnyOperation* operation : detail::operations)
      if (std::ranges::find(all, operation->resource->model) == all.end())
        all.push_back(operation->resource->model);
    all.push_back(&detail::Schema<Sample>::value);
    return all;
  }();
  return found;
}

/// `before` is first read into the object that reads the text again.
void checkRead(const detail::Struct& type, const AnyObject& read, std::string_view text,
               std::string_view before) {
  const std::string written = detail::jsonOf(read.ref());
  require(parsedJson(written) == parsedJson(text), "what is read has the value that Boost.JSON parses");
  AnyObject again{type};
  (void)detail::readJson(before, again.ref());
  require(!detail::readJson(written, again.ref()), "what is written is read");
  require(detail::jsonOf(again.ref()) == written, "what is written is read as the same object");
}

}  // namespace

/// The first byte is the model. Two texts follow, with a NUL between them.
void test(std::string_view input) {
  Choices choices{input};
  const detail::Struct& type = *choices.oneOf(models());
  const std::string_view before = choices.until('\0');
  const std::string_view text = choices.rest();
  AnyObject read{type};
  const auto problem = detail::readJson(text, read.ref());
  const bool isJson = parsedJson(text).has_value();
  if (!problem) {
    require(isJson, "Boost.JSON accepts what is read");
    return checkRead(type, read, text, before);
  }
  const bool tooDeep = problem->find("deep") != std::string::npos;
  require(!problem->empty(), "a problem has a description");
  if (isJson) require(tooDeep || !problem->starts_with("not JSON"), "what Boost.JSON accepts is JSON");
}

}  // namespace tally::fuzz
