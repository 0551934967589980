#include "search/list_page.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <tally/fake/sent_request.h>

#include "conventions.h"
#include "errors.h"
#include "json/json_reader.h"
#include "schema/cursor.h"
#include "schema/text_param.h"
#include "tables/scalar.h"
#include "tables/schema_types.h"

namespace tally::fake::detail {

namespace cursor = tally::detail::cursor;
using tally::detail::textParam;

namespace {

constexpr std::string_view limitName = "limit";

/// A parameter that filters by the model field of the same name.
struct Filter {
  const Field* field = nullptr;  // of the model
  Scalar wanted{};
};

std::vector<Filter> filtersOf(const Struct& model, ConstObjectRef params) {
  std::vector<Filter> filters;
  for (const Field& param : params.type().fields) {
    const auto given = params.given(param);
    if (!given || !isFilter(param.name)) continue;
    if (const Field* field = model.find(param.name)) filters.push_back({field, scalarOf(given)});
  }
  return filters;
}

/// The records of a page are scattered in memory. Prefetching them overlaps their cache misses.
void fetchAhead(std::string_view packed) {
  constexpr std::size_t cacheLine = 64;
  constexpr std::size_t most = 4 * cacheLine;  // the rest is fetched during the copy
  for (std::size_t at = 0; at < std::min(packed.size(), most); at += cacheLine)
    __builtin_prefetch(packed.data() + at);
}

class Lister {
 public:
  Lister(const Struct& model, std::vector<Filter> filters, std::size_t limit)
      : model_(model), filters_(std::move(filters)), limit_(limit) {}

  template <class Iterator>
  void collect(Iterator first, const Iterator& last) {
    for (; first != last && page_.size() <= limit_; ++first) {
      if (!passes(*first)) continue;
      page_.push_back(&*first);
      fetchAhead(first->packed());
    }
    hasMore_ = page_.size() > limit_;
    if (hasMore_) page_.pop_back();
  }

  [[nodiscard]] bool filters() const noexcept { return !filters_.empty(); }
  void reverse() { std::ranges::reverse(page_); }

  [[nodiscard]] const std::vector<const Record*>& page() const noexcept { return page_; }
  [[nodiscard]] bool hasMore() const noexcept { return hasMore_; }

 private:
  [[nodiscard]] bool passes(const Record& record) const {
    if (filters_.empty()) return true;
    AnyObject object{model_};
    (void)tally::detail::readJson(record.json(), object.ref());
    return std::ranges::all_of(filters_, [&](const Filter& filter) {
      return scalarOf(object.ref().value(*filter.field)) == filter.wanted;
    });
  }

  const Struct& model_;
  std::vector<Filter> filters_;
  std::size_t limit_;
  std::vector<const Record*> page_{};
  bool hasMore_ = false;
};

/// The start and direction of a page.
struct Place {
  bool before = false;           // ends before `of`, with newer objects
  std::optional<Position> of{};  // the cursor object; none for the first page
};

std::string envelope(const Lister& lister, std::string_view url) {
  std::string out = R"({"object":"list",)";
  writeData(out, lister.page());
  out += lister.hasMore() ? R"("has_more":true,"url":")" : R"("has_more":false,"url":")";
  out += url;
  out += "\"}";
  return out;
}

std::string pageOf(const Collection& collection, const Place& place, Lister lister, std::string_view url) {
  const auto ordered = collection.newestFirst();
  if (place.before) {
    lister.collect(std::make_reverse_iterator(ordered.at(*place.of)),
                   std::make_reverse_iterator(ordered.begin()));
    lister.reverse();
  } else {
    lister.collect(place.of ? ordered.behind(*place.of) : ordered.begin(), ordered.end());
  }
  return envelope(lister, url);
}

}  // namespace

bool isFilter(std::string_view param) {
  static constexpr std::array paging{limitName, cursor::startingAfter, cursor::endingBefore};
  return std::ranges::find(paging, param) == paging.end();
}

bool hasFilter(const std::string& url) {
  return std::ranges::any_of(sentParams({.url = url}),
                             [](const SentParam& param) { return isFilter(param.name); });
}

std::size_t limitOf(ConstObjectRef params) {
  const Field* field = params ? params.type().find(limitName) : nullptr;
  const auto value = field == nullptr ? ConstValueRef{} : params.value(*field);
  return static_cast<std::size_t>(value ? value.as<std::int64_t>() : defaultLimit);
}

void writeData(std::string& out, const std::vector<const Record*>& records) {
  constexpr std::size_t restOfEnvelope = 300;
  std::size_t size = out.size() + restOfEnvelope;
  for (const Record* record : records)
    size += record->jsonSize() + 1;
  out.reserve(size);
  out += "\"data\":[";
  for (const Record* record : records) {
    if (record != records.front()) out += ',';
    record->appendJson(out);
  }
  out += "],";
}

Response listPage(const AnyOperation& operation, const ResourceType& type, const Collection& collection,
                  ConstObjectRef params) {
  const std::string* after = textParam(params, cursor::startingAfter);
  const std::string* before = textParam(params, cursor::endingBefore);
  const std::string* id = before != nullptr ? before : after;
  const Record* from = id == nullptr ? nullptr : collection.find(*id);
  if (id != nullptr && from == nullptr)
    return Refusal{.response = &errors::cursorMissing,
                   .param = std::string{before != nullptr ? cursor::endingBefore : cursor::startingAfter},
                   .value = *id,
                   .words = type.words()};

  Place place{.before = before != nullptr};
  if (from != nullptr) place.of = from->position();
  Lister lister{type.model(), filtersOf(type.model(), params), limitOf(params)};
  if (!lister.filters()) return pageOf(collection, place, std::move(lister), operation.path);
  return Deferred{[present = collection, place, lister = std::move(lister), &operation] {
    return pageOf(present, place, lister, operation.path);
  }};
}

}  // namespace tally::fake::detail
