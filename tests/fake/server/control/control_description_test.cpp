#include <regex>
#include <string>
#include <vector>

#include <boost/algorithm/string/case_conv.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/control_operations.h"
#include "fake/server/support/described_control.h"

namespace tally::fake::detail {

namespace {

namespace json = boost::json;

using testing::HasSubstr;

/// Replaces path parameters with `*`.
std::string starred(const std::string& text) {
  return std::regex_replace(text, std::regex{"\\{[a-z]+\\}"}, "*");
}

std::string titleOf(const ControlOperation& operation) {
  return std::string{operation.method} + " /_fake/" + std::string{operation.path};
}

/// The operations of Control, such as `POST /_fake/clock/advance`; `*` matches a segment.
std::vector<std::string> controlOperations() {
  std::vector<std::string> all;
  for (const auto table : {controlTable(), serverTable()})
    for (const ControlOperation& operation : table)
      all.push_back(titleOf(operation));
  return all;
}

/// Their query parameters, such as `GET /_fake/requests limit`.
std::vector<std::string> controlParameters() {
  std::vector<std::string> all;
  for (const auto table : {controlTable(), serverTable()})
    for (const ControlOperation& operation : table)
      for (const std::string_view name : operation.query)
        if (!name.empty()) all.push_back(titleOf(operation) + ' ' + std::string{name});
  return all;
}

std::vector<std::string> namesOf(const json::value& members) {
  std::vector<std::string> all;
  for (const auto& [name, value] : members.as_object())
    all.emplace_back(name);
  return all;
}

class ControlDescription : public DescribedControlTest {};

TEST_F(ControlDescription, DescribesEveryOperation) {
  std::vector<std::string> described;
  for (const auto& [path, methods] : description.at("paths").as_object())
    for (const auto& [method, operation] : methods.as_object())
      described.push_back(boost::algorithm::to_upper_copy(std::string{method}) + ' ' +
                          starred(std::string{path}));
  EXPECT_THAT(described, testing::UnorderedElementsAreArray(controlOperations()));
}

TEST_F(ControlDescription, DescribesEveryQueryParameter) {
  std::vector<std::string> described;
  for (const auto& [path, methods] : description.at("paths").as_object())
    for (const auto& [method, operation] : methods.as_object()) {
      const auto* parameters = operation.as_object().if_contains("parameters");
      if (parameters == nullptr) continue;
      for (const auto& parameter : parameters->as_array())
        if (parameter.at("in") == "query")
          described.push_back(boost::algorithm::to_upper_copy(std::string{method}) + ' ' + std::string{path} +
                              ' ' + test::text(parameter.at("name")));
    }
  EXPECT_THAT(described, testing::UnorderedElementsAreArray(controlParameters()));
}

/// The JSON of a logged request has exactly the described members.
TEST_F(ControlDescription, DescribesEveryMemberOfALoggedRequest) {
  (void)get(records);
  const auto log = told(get("/_fake/requests"));
  const auto& schema = description.at("components").at("schemas").at("request").at("properties");
  EXPECT_THAT(namesOf(log.at("requests").at(0)), testing::UnorderedElementsAreArray(namesOf(schema)));
}

TEST_F(ControlDescription, MatchesTheExampleRequestOnTheDocumentationPage) {
  const std::string page = contentsOf(TALLY_CONTROL_PAGE);
  const std::string fence = "```json\n";
  const std::size_t begin = page.find(fence, page.find("\n## The log and verification\n")) + fence.size();
  const auto shown = json::parse(page.substr(begin, page.find("```", begin) - begin));
  const auto& schema = description.at("components").at("schemas").at("request").at("properties");
  EXPECT_THAT(namesOf(shown), testing::ElementsAreArray(namesOf(schema)));
}

/// The fault names and the longest duration match the service.
TEST_F(ControlDescription, MatchesTheFaultNamesAndLongestDurationOfTheService) {
  const auto& fault = description.at("components").at("schemas").at("fault").at("properties").at("fault");
  for (const auto& name : fault.at("enum").as_array())
    EXPECT_EQ(post("/_fake/faults", R"({"fault":")" + test::text(name) + "\"}").status, 200) << name;
  const std::string text = contentsOf(TALLY_CONTROL_DESCRIPTION);
  const std::regex maximum{R"("maximum": (31\d+))"};
  const std::sregex_iterator found{text.begin(), text.end(), maximum};
  EXPECT_EQ(std::distance(found, {}), 14);
  for (auto each = found; each != std::sregex_iterator{}; ++each)
    EXPECT_EQ(std::stoll((*each)[1]), std::chrono::milliseconds{std::chrono::years{100}}.count());
}

TEST_F(ControlDescription, HasOnlyOperationsThatTheDocumentationPageLists) {
  const std::string page = starred(contentsOf(TALLY_CONTROL_PAGE));
  for (const std::string& operation : controlOperations())
    EXPECT_THAT(page, HasSubstr('`' + operation + '`'));
}

}  // namespace

}  // namespace tally::fake::detail
