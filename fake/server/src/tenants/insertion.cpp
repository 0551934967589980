#include "tenants/insertion.h"

#include <algorithm>
#include <iterator>

#include "tables/description.h"

namespace tally::fake::detail {

namespace {

/// Calls `insertPart` with the size of each part of `count` objects, until `stopped` returns true.
template <class InsertPart>
void forEachPart(std::size_t count, const Stopped& stopped, const InsertPart& insertPart) {
  constexpr std::size_t most = 1'000;
  while (count > 0 && !stopped()) {
    const std::size_t part = std::min(count, most);
    insertPart(part);
    count -= part;
  }
}

}  // namespace

std::int64_t readCount(JsonInput& input) {
  return input.integer("count", 1, mostRecords).value_or(1);
}

Insertion readInsertion(JsonInput& input) {
  Insertion insertion{.resource = input.required(input.text("resource"), "resource"),
                      .count = readCount(input),
                      .state = input.text("state").value_or("")};
  if (const auto fields = input.object("fields")) insertion.fields = fields->json().text();
  return insertion;
}

std::vector<std::string> insert(Service& service, std::string_view key, const Insertion& insertion,
                                const Stopped& stopped) {
  std::vector<std::string> ids;
  forEachPart(static_cast<std::size_t>(insertion.count), stopped, [&](std::size_t part) {
    std::ranges::move(service.insertMany(key, insertion.resource, part, insertion.fields, insertion.state),
                      std::back_inserter(ids));
  });
  return ids;
}

void insertRecords(Service& service, std::string_view key, std::size_t count, const Stopped& stopped) {
  for (const ResourceRules* rules : Description{}.resources)
    if (rules->resource->machine != nullptr)
      forEachPart(count, stopped,
                  [&](std::size_t part) { (void)service.insertMany(key, rules->resource->name, part); });
}

}  // namespace tally::fake::detail
