#include "load/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "load/provenance.h"
#include "load/repeated_keys.h"
#include "support/support.h"

namespace tally::codegen::load {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> problemsOf(const std::string& text) {
  Problems problems;
  EXPECT_FALSE(parseDocument("a.json", text, problems));
  return problems.lines();
}

Documents documentsOf(const std::map<std::string, std::string>& files) {
  Documents documents;
  Problems problems;
  for (const auto& [name, text] : files)
    documents.emplace(name, *parseDocument(name, text, problems));
  return documents;
}

TEST(Load, ReportsTheLineAndColumnOfInvalidJson) {
  EXPECT_THAT(problemsOf("{\n  \"a\": tru\n}"), ElementsAre(testing::StartsWith("a.json:2:8: not JSON: ")));
  EXPECT_THAT(problemsOf(""), ElementsAre(testing::StartsWith("a.json:1:1: not JSON: ")));
  EXPECT_THAT(problemsOf("{\"a\": [1, 2"), ElementsAre(testing::StartsWith("a.json:1:12: not JSON: ")));
  EXPECT_THAT(problemsOf("{}\n\n}"), ElementsAre(testing::StartsWith("a.json:3:1: not JSON: ")));
}

TEST(Load, ReportsWhereJsonIsNestedTooDeeply) {
  const std::string list(33, '[');
  EXPECT_THAT(problemsOf(list),
              ElementsAre("a.json:1:33: nested more than 32 levels deep; remove some levels"));
}

TEST(Load, ReportsOnlyTheSyntaxOfAnInvalidRootFile) {
  const test::TempFolder folder;
  test::writeSmallApi(folder.path());
  test::writeFile(folder / "root.json", "{");
  Problems problems;
  EXPECT_FALSE(load({folder.path()}, problems));
  EXPECT_THAT(problems.lines(), ElementsAre(testing::StartsWith("root.json:1:2: not JSON: ")));
}

TEST(Load, RefusesDuplicateKeys) {
  EXPECT_THAT(problemsOf("{\"a\": 1,\n \"b\": 2,\n \"a\": 3}"),
              ElementsAre("a.json:3:3: the key 'a' appears twice in one object; keep one of them"));
}

TEST(Load, AllowsTheSameKeyInDifferentObjects) {
  EXPECT_FALSE(repeatedKey(R"({"a": {"a": ["a", "a"]}, "b": [{"a": 1}, {"a": "\"a\": {"}]})"));
  EXPECT_TRUE(repeatedKey(R"({"x": [{"a\"": 1, "b": {}, "a\"": 1}]})"));
  EXPECT_TRUE(repeatedKey(R"({"a": 1, "\u0061": 1})")) << "another spelling";
}

TEST(Load, ReportsAnUnreadableFile) {
  Problems problems;
  EXPECT_FALSE(load({"/nowhere/at/all.json"}, problems));
  EXPECT_THAT(
      problems.lines(),
      ElementsAre(
          "/nowhere/at/all.json: can't be read; pass a file of the API description, or its folder",
          "root.json: the file with the shared definitions is missing; pass it or its folder with --api"));
}

TEST(Load, ReportsAFolderThatIsNamedLikeAFile) {
  const test::TempFolder folder;
  test::writeSmallApi(folder.path());
  std::filesystem::create_directory(folder / "more.json");
  Problems problems;
  EXPECT_FALSE(load({folder.path()}, problems));
  EXPECT_THAT(problems.lines(),
              ElementsAre((folder / "more.json").string() +
                          ": can't be read; pass a file of the API description, or its folder"));
}

TEST(Load, ReadsEveryJsonFileInAFolder) {
  const test::TempFolder folder;
  test::writeSmallApi(folder.path());
  test::writeFile(folder / "notes.txt", "not part of it");
  Problems problems;
  const auto documents = load({folder.path()}, problems);
  EXPECT_THAT(problems.lines(), IsEmpty());
  ASSERT_TRUE(documents);
  EXPECT_EQ(documents->size(), 2U);
}

TEST(Load, RefusesTwoFilesWithTheSameName) {
  const test::TempFolder folder;
  test::writeSmallApi(folder / "a");
  test::writeSmallApi(folder / "b");
  Problems problems;
  EXPECT_FALSE(load({folder / "a", folder / "b" / "things.json"}, problems));
  EXPECT_THAT(
      problems.lines(),
      ElementsAre("things.json: two files have this name, so references can't distinguish them; rename one"));
}

TEST(Load, EscapesJsonPointers) {
  const Documents documents = documentsOf({{"a.json", R"({"a/b": {"c~d": [1, {"e": 2}]}})"}});
  const Node node = Node{documents.at("a.json")}["a/b"]["c~d"].at(1)["e"];
  EXPECT_EQ(node.place().str(), "a.json#/a~1b/c~0d/1/e");
  EXPECT_EQ(target(documents, node, "#/a~1b/c~0d/1/e").value(), 2);
}

TEST(Load, ResolvesReferences) {
  const Documents documents = documentsOf({
      {"a.json", R"({"r": {"$ref": "b.json#/components/s"}})"},
      {"b.json", R"({"components": {"s": {"$ref": "#/components/t"}, "t": {"type": "string"}}})"},
  });
  const Node found = resolve(documents, Node{documents.at("a.json")}["r"]);
  ASSERT_TRUE(found);
  EXPECT_EQ(found.place().str(), "b.json#/components/t");
}

TEST(Load, RefusesDanglingReferences) {
  const Documents documents = documentsOf({{"a.json", R"({"l": [0, 1]})"}});
  const Node root{documents.at("a.json")};
  for (const char* reference : {"#/m", "#/l/2", "#/l/x", "#/l/1x", "#l", "b.json#/l", "/l", ""})
    EXPECT_FALSE(target(documents, root, reference)) << reference;
  EXPECT_TRUE(target(documents, root, "#/l/1"));
  EXPECT_TRUE(target(documents, root, "a.json#"));
}

TEST(Load, TakesProvenanceFromTheNearestAncestor) {
  const Documents documents = documentsOf({{"a.json", R"({
    "x-documented": "far",
    "b": {"x-documented": "near", "x-assumed": ["p", "q"], "c": {"d": 1}},
    "e": {"f": 1}})"}});
  const Node root{documents.at("a.json")};
  const Attribution near = attributionOf(documents, root["b"]["c"]["d"]);
  EXPECT_EQ(near.section, "near");
  EXPECT_THAT(near.assumptions, ElementsAre("p", "q"));
  EXPECT_EQ(attributionOf(documents, root["e"]["f"]).section, "far");
}

TEST(Load, DoesNotInterpretExamples) {
  const test::TempFolder folder;
  test::writeSmallApi(folder.path(), {{"things.json", "/components/schemas/thing/properties/anything",
                                       R"({"type": "object"})"},
                                      {"things.json", "/components/schemas/thing/example/anything",
                                       R"({"$ref": "#/no", "x-assumed": "no"})"}});
  Problems problems;
  EXPECT_TRUE(load({folder.path()}, problems));
  EXPECT_THAT(problems.lines(), IsEmpty());
}

}  // namespace

}  // namespace tally::codegen::load
