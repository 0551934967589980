#include "search/search_page.h"

#include <optional>

#include <tally/fake/sent_request.h>

#include "conventions.h"
#include "schema/cursor.h"
#include "schema/text_param.h"
#include "search/query_parser.h"
#include "search/search.h"
#include "search/search_cursor.h"

namespace tally::fake::detail {

using tally::detail::textParam;

namespace {

constexpr std::string_view queryName = "query";
constexpr std::string_view expandName = "expand";
constexpr std::string_view totalCountName = "total_count";

std::variant<BoundQuery, Refusal> readQuery(std::string_view text, const ResourceType& type) {
  auto parsed = parseQuery(text);
  const auto refused = [](const QueryFault& fault) {
    return invalid(std::string{queryName}, describe(fault));
  };
  if (const auto* fault = std::get_if<QueryFault>(&parsed)) return refused(*fault);
  auto bound = bindQuery(std::get<Query>(std::move(parsed)), type);
  if (const auto* fault = std::get_if<QueryFault>(&bound)) return refused(*fault);
  return std::get<BoundQuery>(std::move(bound));
}

/// The parameter's name as the caller wrote it: `expand[]` or `expand[0]`.
std::string nameOfExpanded(std::string_view value, std::string_view url) {
  for (const SentParam& param : sentParams({.url = std::string{url}}))
    if (param.name.starts_with(expandName) && param.value == value) return param.name;
  return std::string{expandName};
}

/// Whether the caller requests the total count. Refuses any other expansion.
std::variant<bool, Refusal> readExpand(ConstObjectRef params, std::string_view url) {
  const Field* field = params.type().find(expandName);
  const auto expand = field == nullptr ? tally::detail::ConstValueRef{} : params.value(*field);
  const std::size_t size = expand ? expand.list().size() : 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::string& name = expand.list()[i].text();
    if (name != totalCountName)
      return invalid(nameOfExpanded(name, url), "only '" + std::string{totalCountName} + "' can be expanded");
  }
  return size != 0;
}

std::string scopeText(const AnyOperation& operation, const SearchScope& scope) {
  return std::string{operation.name} + (scope.livemode ? " live " : " sandbox ") + std::string{scope.account};
}

struct Found {
  std::vector<const Record*> page{};
  std::optional<std::string> nextPage{};
  std::optional<std::size_t> totalCount{};
};

struct Wanted {
  BoundQuery query{};
  SearchCursors cursors;
  std::optional<Position> after{};
  std::size_t limit = 0;
  bool counted = false;
};

Found find(const Search& search, const Wanted& wanted) {
  Found found{.page = search.find(wanted.after, wanted.limit + 1)};
  if (found.page.size() > wanted.limit) {
    found.page.pop_back();
    found.nextPage = wanted.cursors.write(found.page.back()->position());
  }
  if (wanted.counted) found.totalCount = search.count(totalCountCap);
  return found;
}

std::string envelope(const Found& found, std::string_view url) {
  std::string out = R"({"object":"search_result","url":")";
  out += url;
  out += found.nextPage ? R"(","has_more":true,)" : R"(","has_more":false,)";
  writeData(out, found.page);
  if (found.nextPage) out += R"("next_page":")" + *found.nextPage + R"(",)";
  if (found.totalCount) out += R"("total_count":)" + std::to_string(*found.totalCount) + ",";
  out.back() = '}';
  return out;
}

}  // namespace

Response searchPage(const AnyOperation& operation, const ResourceType& type, const Collection& collection,
                    ConstObjectRef params, SearchScope scope) {
  const std::string& text = *textParam(params, queryName);
  auto query = readQuery(text, type);
  if (auto* refusal = std::get_if<Refusal>(&query)) return std::move(*refusal);
  auto counted = readExpand(params, scope.url);
  if (auto* refusal = std::get_if<Refusal>(&counted)) return std::move(*refusal);

  const SearchCursors cursors{scope.secret, scopeText(operation, scope), text};
  const std::string* page = textParam(params, tally::detail::cursor::page);
  const auto after = page == nullptr ? std::nullopt : cursors.read(*page);
  if (page != nullptr && !after)
    return invalid(std::string{tally::detail::cursor::page}, "not the next page of this search");

  return Deferred{[&operation, &type, present = collection, indexed = scope.indexed,
                   searched = std::move(scope.searched),
                   wanted = Wanted{.query = std::get<BoundQuery>(std::move(query)),
                                   .cursors = cursors,
                                   .after = after,
                                   .limit = limitOf(params),
                                   .counted = std::get<bool>(counted)}]() mutable {
    const Search search{wanted.query, type.model(), present, indexed};
    std::string body = envelope(find(search, wanted), operation.path);
    if (searched) searched(std::move(present));
    return body;
  }};
}

}  // namespace tally::fake::detail
