#include "emit/emit.h"

#include <stdexcept>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emit/sdk/cpp_types.h"
#include "load/load.h"
#include "model/build.h"
#include "support/support.h"

namespace tally::codegen::emit {

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::filesystem::path templatesFolder() {
  return test::repository() / "codegen" / "templates";
}

/// The files for the small description with these changes and, if there is one, with another resource.
std::map<std::string, std::string> emitted(const std::vector<test::Edit>& edits = {},
                                           const std::string& others = {}) {
  const test::TempFolder folder;
  test::writeSmallApi(folder.path(), edits);
  if (!others.empty()) test::writeFile(folder / "others.json", others);
  Problems problems;
  const auto documents = load::load({folder.path()}, problems);
  const auto description = model::build(*documents, problems);
  EXPECT_THAT(problems.lines(), testing::IsEmpty());
  std::map<std::string, std::string> files;
  for (const File& file : emit(*description, templatesFolder()))
    files[file.path] = file.text;
  return files;
}

TEST(Emit, WritesFilesForTheDocsTheFakeAndTheSdk) {
  std::vector<std::string> paths;
  for (const auto& [path, text] : emitted())
    paths.push_back(path);
  EXPECT_THAT(paths,
              testing::ElementsAre(
                  "docs/reference/assumptions.md", "docs/reference/index.md", "docs/reference/things.md",
                  "docs/reference/things_states.svg", "fake/generated/conventions.h",
                  "fake/generated/errors.cpp", "fake/generated/errors.h",
                  "fake/generated/include/tally/testing/mock_things.h", "fake/generated/provenance.cpp",
                  "fake/generated/resource_rules.cpp", "fake/generated/sources.cmake",
                  "fake/generated/things_rules.cpp", "sdk/generated/include/tally/async_services.h",
                  "sdk/generated/include/tally/async_things.h", "sdk/generated/include/tally/error_codes.h",
                  "sdk/generated/include/tally/limits.h", "sdk/generated/include/tally/rate_limited_reason.h",
                  "sdk/generated/include/tally/services.h", "sdk/generated/include/tally/size.h",
                  "sdk/generated/include/tally/things.h", "sdk/generated/sources.cmake",
                  "sdk/generated/src/async_services/things.cpp", "sdk/generated/src/operations.cpp",
                  "sdk/generated/src/operations.h", "sdk/generated/src/services/things.cpp",
                  "sdk/generated/src/size.cpp", "sdk/generated/src/things.cpp", "sdk/generated/src/wire.h"));
}

TEST(Emit, MarksEveryFileWithTheVersion) {
  for (const auto& [path, text] : emitted()) {
    const std::string first = text.substr(0, text.find('\n'));
    EXPECT_THAT(first, HasSubstr("Generated from the API description, version 2.0.0. Do not edit.")) << path;
  }
}

// clang-format removes them from code.
TEST(Emit, LeavesNoTemplateMarkupOrExcessWhitespace) {
  for (const auto& [path, text] : emitted()) {
    EXPECT_THAT(text, Not(HasSubstr("{{"))) << path;
    EXPECT_THAT(text, Not(HasSubstr("&quot;"))) << path;
    EXPECT_TRUE(text.ends_with("\n") && !text.ends_with("\n\n")) << path;
    if (path.ends_with(".h") || path.ends_with(".cpp")) continue;
    EXPECT_THAT(text, Not(HasSubstr("\n\n\n"))) << path;
    EXPECT_THAT(text, Not(HasSubstr(" \n"))) << path;
  }
}

TEST(Emit, WritesServiceMethodsWithASingleStatement) {
  EXPECT_THAT(
      emitted().at("sdk/generated/src/services/things.cpp"),
      HasSubstr("Result<Thing> Things::reportGone(const Id<Thing>& id, const ThingReportGoneParams& params, "
                "const RequestOptions& options) const {\n"
                "  return detail::call(*core_, detail::thingsReportGone, id.str(), params, options);\n"
                "}\n"));
}

TEST(Emit, WritesAsynchronousMethodsWithASingleStatement) {
  const std::string source = emitted().at("sdk/generated/src/async_services/things.cpp");
  EXPECT_THAT(source, HasSubstr("  return detail::asyncCall(engine_, detail::thingsReportGone, id.str(), "
                                "params, options);\n}\n"));
  EXPECT_THAT(
      source,
      HasSubstr("  return detail::asyncCall(engine_, detail::thingsRetrieve, id.str(), options);\n}\n"));
  EXPECT_THAT(source,
              HasSubstr("  return detail::asyncPager(engine_, detail::thingsList, params, options);\n}\n"));
}

// g++ 12 destroys others twice in a `co_await`.
TEST(Emit, AssertsThatBorrowedParametersAreTriviallyDestructible) {
  const auto files = emitted();
  for (const std::string type : {"ThingListParams", "ThingSearchParams", "ThingReportGoneParams"}) {
    EXPECT_THAT(files.at("sdk/generated/include/tally/things.h"),
                AllOf(HasSubstr("template <class O>\nstruct Basic" + type + " {\n"),
                      HasSubstr("using " + type + " = Basic" + type + "<Owning>;\n")));
    EXPECT_THAT(files.at("sdk/generated/src/async_services/things.cpp"),
                HasSubstr("static_assert(std::is_trivially_destructible_v<Borrowed<" + type + ">>);\n"));
  }
}

TEST(Emit, DeclaresMembersThatCanOwnOrBorrow) {
  const model::Tag tag{.cppName = "Thing"};
  const model::Enum values{.cppName = "ThingColour"};
  const model::Struct object{.cppName = "Size"};
  const model::Type text{};
  const std::pair<model::Type, std::string> rows[] = {
      {text, "Held<O, std::optional<std::string>>"},
      {{.kind = model::Kind::id, .tag = &tag}, "Held<O, std::optional<Id<Thing>>>"},
      {{.kind = model::Kind::openEnum, .values = &values}, "Held<O, std::optional<OpenEnum<ThingColour>>>"},
      {{.kind = model::Kind::integer}, "std::optional<Integer>"},
      {{.kind = model::Kind::boolean}, "std::optional<bool>"},
      {{.kind = model::Kind::time}, "std::optional<Timestamp>"},
      {{.kind = model::Kind::object, .object = &object}, "Held<O, std::optional<Size>>"},
      {{.kind = model::Kind::list, .element = {text}}, "Held<O, std::vector<std::string>>"},
      {{.kind = model::Kind::list, .element = {{.kind = model::Kind::object, .object = &object}}},
       "Held<O, std::vector<Size>>"},
      {{.kind = model::Kind::metadata}, "Held<O, std::optional<Metadata>>"},
      {{.kind = model::Kind::metadataEdit}, "Held<O, MetadataEdit>"},
      {{.kind = model::Kind::rawJson}, "Held<O, std::optional<RawJson>>"},
      {{.kind = model::Kind::query, .tag = &tag}, "Held<O, std::optional<SearchQuery<Thing>>>"},
  };
  const model::Struct params{.role = model::Role::params, .borrowable = true};
  for (const auto& [type, member] : rows)
    EXPECT_EQ(memberType({.type = type}, params), member);
  const model::Struct part{.role = model::Role::part, .borrowable = true};
  EXPECT_EQ(memberType({.type = text, .required = true}, part), "Held<O, std::string>");
  EXPECT_EQ(memberType({.type = text, .required = true}, object), "std::string");
}

TEST(Emit, WritesAsynchronousReportChecks) {
  const auto files = emitted({{"things.json", "/components/schemas/thing/x-states/states/here/shows",
                               R"([{"set": "size.width", "to": 1}])"}});
  EXPECT_THAT(files.at("sdk/generated/include/tally/things.h"),
              HasSubstr("struct BasicThingReport : std::variant<BasicThingReportGoneParams<O>> {\n"));
  EXPECT_THAT(files.at("sdk/generated/src/report_calls.h"),
              HasSubstr("[[nodiscard]] ReportCall<Thing> callOf(const BasicThingReport<Owning>& report);\n"));
  EXPECT_THAT(files.at("sdk/generated/src/async_services/things.cpp"),
              HasSubstr("  return detail::asyncCheckReport<Thing, ThingReport, std::string>(engine_, report, "
                        "&detail::callOf, id.str(), known, options);\n"));
}

const std::string searchLatest = R"({"get": {
    "operationId": "things.latest", "x-kind": "search", "summary": "s", "x-documented": "Lists",
    "parameters": [{"$ref": "root.json#/components/parameters/query"},
                   {"$ref": "root.json#/components/parameters/limit"},
                   {"$ref": "root.json#/components/parameters/page"}],
    "responses": {
      "200": {"description": "d", "content": {"application/json": {"schema": {"allOf": [
        {"$ref": "root.json#/components/schemas/search_result"},
        {"type": "object",
         "properties": {"data": {"type": "array", "items": {"$ref": "#/components/schemas/thing"}}}}]}}}},
      "default": {"$ref": "root.json#/components/responses/error"}}}})";

/// The client takes the first operation whose path fits a raw request.
TEST(Emit, ListsOperationsWithoutAnIdentifierFirst) {
  const auto files = emitted({{"things.json", "/paths/~1v1~1things~1latest", searchLatest}});
  EXPECT_THAT(files.at("sdk/generated/src/operations.cpp"), HasSubstr("    &thingsList,\n"
                                                                      "    &thingsSearch,\n"
                                                                      "    &thingsLatest,\n"
                                                                      "    &thingsRetrieve,\n"
                                                                      "    &thingsReportGone,\n"));
}

TEST(Emit, ListsOperationsOfOtherResourcesBeforeThoseWithAnIdentifierInTheirPlace) {
  const auto files = emitted({{"things.json", "/paths/~1v1~1others~1latest", searchLatest}}, R"({
    "openapi": "3.1.0", "info": {"title": "Others", "version": "2.0.0"},
    "paths": {"/v1/others/{id}": {"get": {
      "operationId": "others.retrieve", "x-kind": "retrieve", "summary": "s", "x-documented": "Things",
      "parameters": [{"$ref": "root.json#/components/parameters/id"}],
      "responses": {
        "200": {"description": "d",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/other"}}}},
        "default": {"$ref": "root.json#/components/responses/error"}}}}},
    "components": {"schemas": {"other": {
      "type": "object", "x-documented": "Things",
      "x-resource": {"plural": "others", "id_prefix": "ot_", "description": "Others."},
      "required": ["id", "object"],
      "properties": {"id": {"type": "string", "x-id": "self"}, "object": {"type": "string", "const": "other"}},
      "example": {"id": "ot_1", "object": "other"}}}}})");
  EXPECT_THAT(files.at("sdk/generated/src/operations.cpp"), HasSubstr("    &thingsLatest,\n"
                                                                      "    &othersRetrieve,\n"
                                                                      "    &thingsList,\n"));
}

TEST(Emit, SeparatesTheTablesFromTheClient) {
  const auto files = emitted();
  EXPECT_THAT(files.at("sdk/generated/src/things.cpp"), Not(HasSubstr("core_")));
  EXPECT_THAT(files.at("sdk/generated/sources.cmake"),
              HasSubstr("set(TALLY_BASE_GENERATED_SOURCES\n"
                        "  src/things.cpp\n"
                        "  src/size.cpp\n"
                        "  src/operations.cpp\n"
                        ")\n\n"
                        "# The services of the client, relative to this folder.\n"
                        "set(TALLY_SDK_GENERATED_SOURCES\n"
                        "  src/services/things.cpp\n"
                        "  src/async_services/things.cpp\n"
                        ")\n"));
}

TEST(Emit, DescribesFieldsInTheTable) {
  const std::string source = emitted().at("sdk/generated/src/things.cpp");
  EXPECT_THAT(source, HasSubstr("    between(1, 50, field<&ThingListParams::limit>(\"limit\")),\n"));
  EXPECT_THAT(
      source,
      HasSubstr("    excluding(\"ending_before\", identifier(\"th_\", field<&ThingListParams::startingAfter>"
                "(\"starting_after\"))),\n"));
  EXPECT_THAT(source, HasSubstr("    constant(\"object\", \"thing\"),\n"));
  EXPECT_THAT(source, HasSubstr("    nullable(field<&Thing::colour>(\"colour\")),\n"));
  EXPECT_THAT(source,
              HasSubstr("    field<&ThingReportGoneParams::goneAt>(\"gone_at\", Presence::required),\n"));
}

TEST(Emit, RequiresParamsOnlyWhenAParameterIsRequired) {
  const std::string header = emitted().at("sdk/generated/include/tally/things.h");
  EXPECT_THAT(header, HasSubstr("list(const ThingListParams& params = {},"));
  EXPECT_THAT(header, HasSubstr("search(const ThingSearchParams& params,"));
  EXPECT_THAT(header, HasSubstr("retrieve(const Id<Thing>& id, const RequestOptions& options = {}) const;"));
}

TEST(Emit, CitesTheSourceOfEachFact) {
  const std::string header = emitted().at("sdk/generated/include/tally/things.h");
  EXPECT_THAT(header, HasSubstr("  /// Lists things.\n  /// Spec: \"Lists\".\n"));
  EXPECT_THAT(header, HasSubstr("/// Assumed (not specified): Guess.\nenum class ThingColour"));
}

/// The part of the reference about an operation.
std::string referenceTo(const std::string& method, const std::vector<test::Edit>& edits) {
  const std::string page = emitted(edits).at("docs/reference/things.md");
  const std::size_t start = page.find("## " + method + '\n');
  return page.substr(start, page.find("\n## ", start) - start);
}

TEST(Emit, ListsEachErrorWithItsOperations) {
  const auto lists = [](const std::string& method, const std::string& operations) {
    const auto edits = std::vector<test::Edit>{{"root.json", "/x-errors/thing_gone/applies_to", operations}};
    return referenceTo(method, edits).find("| `thing_gone` | 400 |") != std::string::npos;
  };
  EXPECT_FALSE(lists("search", R"("all")")) << "the index lists it once";
  EXPECT_TRUE(lists("list", R"("lists")"));
  EXPECT_FALSE(lists("search", R"("lists")"));
  EXPECT_TRUE(lists("retrieve", R"("objects")"));
  EXPECT_FALSE(lists("list", R"("objects")"));
  EXPECT_TRUE(lists("retrieve", R"("reads")"));
  EXPECT_FALSE(lists("retrieve", R"("changes")"));
  EXPECT_FALSE(lists("retrieve", R"("bodies")"));
  EXPECT_TRUE(lists("reportGone", R"("lists")")) << "it refuses the report";
}

TEST(Emit, ListsErrorsOfAllOperationsOnlyInTheIndex) {
  const auto files = emitted({{"root.json", "/x-errors/thing_gone/applies_to", R"("all")"}});
  const std::string row = "| `thing_gone` | 400 |";
  EXPECT_THAT(files.at("docs/reference/index.md"), HasSubstr(row));
  EXPECT_THAT(files.at("docs/reference/things.md"), Not(HasSubstr(row)));
}

TEST(Emit, ShowsACallAndItsRequest) {
  EXPECT_THAT(
      referenceTo("retrieve", {}),
      testing::AllOf(
          HasSubstr("`Result<Thing> retrieve(const Id<Thing>& id, const RequestOptions& options = {})`"),
          HasSubstr("client.things().retrieve(\"th_1\");"), HasSubstr("\nGET /v1/things/th_1\n")));
  EXPECT_THAT(referenceTo("list", {}),
              testing::AllOf(HasSubstr("`Pager<Thing> list(const ThingListParams& params = {}, "),
                             HasSubstr("client.things().list({.limit = 50});"),
                             HasSubstr("\nGET /v1/things?limit=50\n")));
}

// The client refuses calls without required parameters, or with wrong ones.
TEST(Emit, ShowsOnlyCallsThatAreValid) {
  const std::string page = referenceTo(
      "reportGone", {{"things.json",
                      "/paths/~1v1~1things~1{id}~1report_gone/post/requestBody/content/"
                      "application~1x-www-form-urlencoded/schema",
                      R"({"type": "object", "required": ["code", "names", "kinds", "sizes"], "properties": {
            "code": {"type": "string", "pattern": "^[a-z]{12}$"},
            "names": {"type": "array", "items": {"type": "string"}},
            "kinds": {"type": "array", "items": {"type": "string", "enum": ["round", "square"]}},
            "sizes": {"type": "array", "items": {"$ref": "root.json#/components/schemas/size"}}}})"}});
  EXPECT_THAT(page, HasSubstr(R"(reportGone("th_1", {.code = "usdabcdefghu", .names = {"a text"}, )"
                              R"(.kinds = {"round"}, .sizes = {tally::Size{.width = 1000}}});)"));
  EXPECT_THAT(page, HasSubstr("\ncode=usdabcdefghu&names[]=a text&kinds[]=round&sizes[0][width]=1000\n"));
}

TEST(Emit, EscapesSourcesInTables) {
  const auto files =
      emitted({{"root.json", "/x-sections/2", R"("Lists | pages")"},
               {"root.json", "/components/parameters/limit/x-documented", R"("Lists | pages")"}});
  EXPECT_THAT(files.at("docs/reference/things.md"),
              HasSubstr(R"(| documented: [Lists \| pages](specification.md#lists-pages) |)"));
  EXPECT_THAT(files.at("docs/reference/assumptions.md"),
              HasSubstr(R"(| Lists \| pages | parameter `limit` |)"));
}

TEST(Emit, NamesTheWindowOfTheReadAllocation) {
  const auto sentence = [](const std::string& window) {
    const std::string page =
        emitted({{"root.json", "/x-read-allocation",
                  R"({"reads_per_transaction": 1, "minimum": 2, "x-documented": "Things", "window": )" +
                      window + "}"}})
            .at("docs/reference/index.md");
    const std::size_t start = page.find("The read allocation is");
    return page.substr(start, page.find(" (", start) - start);
  };
  EXPECT_EQ(sentence("172800"), "The read allocation is 1 reads per transaction, at least 2, in 2 days");
  EXPECT_EQ(sentence("86400"), "The read allocation is 1 reads per transaction, at least 2, in 1 day");
  EXPECT_EQ(sentence("3600"), "The read allocation is 1 reads per transaction, at least 2, in 3600 s");
}

TEST(Emit, MarksOnlyTheInitialStateInTheDiagram) {
  const std::string diagram =
      emitted(
          {{"things.json", "/components/schemas/thing/x-states/states",
            R"({"here": {}, "gone": {}, "lost": {"shows": [{"set": "size.width", "to": 1}]}})"},
           {"things.json", "/components/schemas/thing/x-states/refusals/0/before", R"(["gone", "lost"])"}})
          .at("docs/reference/things_states.svg");
  EXPECT_THAT(diagram, testing::ContainsRegex(">here</text>\n<text [^>]*>initial</text>"));
  EXPECT_THAT(diagram, testing::ContainsRegex(">gone</text>\n<text [^>]*>reportGone</text>"));
  EXPECT_THAT(diagram, testing::ContainsRegex(">lost</text>\n<text [^>]*></text>"));
}

TEST(Emit, CitesTheSourceOfEachParameter) {
  EXPECT_THAT(referenceTo("list", {}),
              HasSubstr("| `limit` | integer | no | 1 to 50; default 5. | documented: "
                        "[Lists](specification.md#lists) |\n"));
}

TEST(Emit, WritesTextWithQuotesAsARawLiteral) {
  const auto files = emitted({{"root.json", "/x-errors/thing_gone/message", R"("Say \"gone\" \\ now.")"}});
  EXPECT_THAT(files.at("fake/generated/errors.cpp"),
              HasSubstr("    .message = R\"(Say \"gone\" \\ now.)\",\n"));
}

TEST(Emit, ListsAssumptionsWithTheirSettings) {
  const std::string page = emitted().at("docs/reference/assumptions.md");
  EXPECT_THAT(page,
              HasSubstr("### Guess\n\nA guess.\n\n*Why:* None is shown.\n\n*Setting:* `Options::guess`\n\n"
                        "*Where:* header `Request-Id`,"));
  EXPECT_THAT(page, HasSubstr("### Mood\n\nGood.\n\n*Why:* Why not.\n\n## Documented"));
  EXPECT_THAT(page, HasSubstr("\n| Lists | parameter `limit`, parameter `starting_after`,"));
}

TEST(Emit, ReportsAMissingTemplate) {
  const test::TempFolder folder;
  Templates templates{folder.path(), "1.0.0"};
  try {
    (void)templates.render("unit.h", Data{});
    FAIL() << "no exception";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(
        error.what(),
        testing::EndsWith("unit.h.mustache: can't be read; pass the template folder with --templates"));
  }
}

TEST(Emit, ReportsAMalformedTemplate) {
  const test::TempFolder folder;
  test::writeFile(folder / "a.mustache", "{{#open}}");
  Templates templates{folder.path(), "1.0.0"};
  try {
    (void)templates.render("a", Data{});
    FAIL() << "no exception";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("a.mustache: "));
  }
}

TEST(Emit, RemovesSectionsWhoseValueIsFalse) {
  const test::TempFolder folder;
  test::writeFile(folder / "a.mustache", "a\n{{#no}}\nb\n\n{{/no}}\nc <\"{{text}}\">\n");
  Templates templates{folder.path(), "1.0.0"};
  Data data;
  data.set("no", Data{false});
  data.set("text", "&'");
  EXPECT_EQ(templates.render("a", data), "a\nc <\"&'\">\n");
}

}  // namespace

}  // namespace tally::codegen::emit
