#include <cctype>
#include <ostream>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/support.h"

// Each error in a description produces one clear line and no output.

namespace tally::codegen::test {

namespace {

struct Bad {
  std::string name{};
  std::vector<Edit> edits{};
  std::vector<std::string> lines{};
};

std::ostream& operator<<(std::ostream& out, const Bad& bad) {
  return out << bad.name;
}

const std::string list = "/paths/~1v1~1things/get";
const std::string search = "/paths/~1v1~1things~1search/get";
const std::string retrieve = "/paths/~1v1~1things~1{id}/get";
const std::string report = "/paths/~1v1~1things~1{id}~1report_gone/post";
const std::string body = report + "/requestBody/content/application~1x-www-form-urlencoded/schema";
const std::string schemas = "/components/schemas";
const std::string thing = schemas + "/thing";
const std::string states = thing + "/x-states";

Edit things(const std::string& pointer, const std::string& value) {
  return {"things.json", pointer, value};
}
Edit root(const std::string& pointer, const std::string& value) {
  return {"root.json", pointer, value};
}

/// The operation `things.gone`, whose outcome is that of `things.report_gone`.
const std::string anotherReport = R"({"operationId": "things.gone", "x-kind": "report", "summary": "s",
    "x-documented": "Things", "parameters": [{"$ref": "root.json#/components/parameters/id"}],
    "requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": {
      "type": "object", "properties": {"at": {"type": "integer"}}}}}},
    "responses": {
      "200": {"description": "d",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/thing"}}}},
      "default": {"$ref": "root.json#/components/responses/error"}}})";

/// A list of one limit, valid except for `rest`.
Edit limit(const std::string& rest) {
  std::string text = R"([{"name": "rate", "description": "A rate.", "x-documented": "Things")";
  for (const auto& [key, value] : {std::pair{"metric", R"("requests")"}, std::pair{"per", R"("account")"},
                                   std::pair{"reason", R"("global-rate")"}, std::pair{"window", "1"}})
    if (rest.find('"' + std::string{key} + '"') == std::string::npos)
      text += std::string{", \""} + key + "\": " + value;
  return things("/x-limits", text + ", " + rest + "}]");
}

const std::string documented = R"("x-documented": "Things")";

std::string manyFields(int count) {
  std::string properties;
  for (int i = 0; i < count; ++i)
    properties += (i == 0 ? "\"a" : ", \"a") + std::to_string(i) + R"(": {"type": "string"})";
  return R"({"type": "object", )" + documented + R"(, "properties": {)" + properties + "}}";
}

const std::string notOneLine = ": a line break or another control character; write it on one line";

const Bad badShapes[] = {
    {"unknown_key_of_operation",
     {things(list + "/x-king", R"("list")")},
     {"things.json#" + list +
      "/x-king: unknown key 'x-king' in an operation; the allowed keys are operationId, x-kind, summary, "
      "description, parameters, requestBody, responses"}},
    {"unknown_key_of_document",
     {things("/tags", "[]")},
     {"things.json#/tags: unknown key 'tags' in an API description; the allowed keys are openapi, info, "
      "servers, security, x-sections, x-assumptions, x-errors, x-limits, x-read-allocation, paths, "
      "components"}},
    {"unknown_key_beside_reference",
     {things(thing + "/properties/size/minimum", "1")},
     {"things.json#" + thing +
      "/properties/size/minimum: unknown key 'minimum' in a reference; the allowed keys are $ref, "
      "description, "
      "x-documented, x-assumed"}},
    {"missing_key",
     {things(list + "/summary", "")},
     {"things.json#" + list + ": an operation lacks the key 'summary'; add it: a string"}},
    {"wrong_type",
     {things(thing + "/required", R"("id")")},
     {"things.json#" + thing + "/required: wrong type; make it a list of strings"}},
    {"empty_required_text",
     {things(list + "/summary", R"("")"), root("/x-errors/thing_gone/message", R"("")"),
      root("/x-errors/thing_gone/type", R"("")"), things(thing + "/x-resource/id_prefix", R"("")"),
      things(thing + "/properties/colour/x-values/0/value", R"("")")},
     {"root.json#/x-errors/thing_gone/type: empty text; write one",
      "root.json#/x-errors/thing_gone/message: empty text; write one",
      "things.json#" + list + "/summary: empty text; write one",
      "things.json#" + thing + "/x-resource/id_prefix: empty text; write one",
      "things.json#" + thing + "/properties/colour/x-values/0/value: empty text; write one"}},
    {"empty_optional_text",
     {things(thing + "/properties/kind", R"({"type": "string", "const": ""})"),
      things(thing + "/required/0", R"("")")},
     {"things.json#" + thing + "/required/0: empty text; write one, or remove it",
      "things.json#" + thing + "/properties/kind/const: empty text; write one, or remove it"}},
    {"text_that_does_not_fit_into_a_line",
     {things(list + "/summary", R"("Lists things.\nNewest first.")"),
      things(thing + "/description", R"("A\u007F folder.")"),
      root("/x-errors/thing_gone/message", R"("One\nTwo")"), things(thing + "/required/0", R"("a\tb")"),
      things(retrieve + "/summary", R"("Retrieves \u202E a thing.")"),
      things(thing + "/x-resource/description", R"("One.\u2028Two.")"),
      things(schemas + "/one\ntwo", R"({"type": "object", )" + documented + "}")},
     {"root.json#/x-errors/thing_gone/message" + notOneLine, "things.json#" + list + "/summary" + notOneLine,
      "things.json#" + retrieve + "/summary" + notOneLine, "things.json#" + schemas + "/one two" + notOneLine,
      "things.json#" + thing + "/x-resource/description" + notOneLine,
      "things.json#" + thing + "/required/0" + notOneLine,
      "things.json#" + thing + "/description" + notOneLine}},
    {"text_with_a_backslash",
     {things(thing + "/properties/name/description", R"("A folder such as C:\\")"),
      things(thing + "/properties/size\\", R"({"type": "integer"})")},
     {"things.json#" + thing + "/properties/size\\: a backslash; remove it",
      "things.json#" + thing + "/properties/name/description: a backslash; remove it"}},
    {"text_with_a_trigraph",
     {root("/x-errors/thing_gone/message", R"("What?\u003F!")"),
      things(list + "/summary", R"("Which things???/")"),
      things(thing + "/properties/name/description", R"("Why?? Why??")")},
     {"root.json#/x-errors/thing_gone/message: the trigraph '?\?!'; remove a question mark",
      "things.json#" + list + "/summary: the trigraph '?\?/'; remove a question mark"}},
    {"integer_without_a_literal",
     {root("/components/parameters/limit/schema/minimum", "-9223372036854775808"),
      root("/components/parameters/limit/schema/default", "-9223372036854775808")},
     {"root.json#/components/parameters/limit/schema/minimum: the integer is too small; make it "
      "-9223372036854775807 or more",
      "root.json#/components/parameters/limit/schema/default: the integer is too small; make it "
      "-9223372036854775807 or more"}},
    {"constants_with_characters_that_compilers_refuse",
     {things(thing + "/example/name", R"("a \u202E b")"),
      things(states + "/transitions/0/effects/0", R"({"set": "name", "to": "Why??\u003F!"})")},
     {"things.json#" + states + "/transitions/0/effects/0/to: the trigraph '?\?!'; remove a question mark",
      "things.json#" + thing + "/example/name: a hidden character; remove it"}},
    {"text_twice_in_a_list",
     {things(thing + "/required/3", R"("id")"), limit(R"("operations": ["things.list", "things.list"])"),
      things(states + "/transitions/0/before/1", R"("here")")},
     {"things.json#" + states + "/transitions/0/before/1: 'here' appears twice; keep one of them",
      "things.json#" + thing + "/required/3: 'id' appears twice; keep one of them",
      "things.json#/x-limits/0/operations/1: 'things.list' appears twice; keep one of them"}},
    {"no_object", {things("/paths", "[]")}, {"things.json#/paths: wrong type; make it an object"}},
    {"everything_that_is_wrong_at_once",
     {things(list + "/summary", "1"), things(search + "/summary", ""), root("/info/version", "2")},
     {"root.json#/info/version: wrong type; make it a string",
      "things.json#" + list + "/summary: wrong type; make it a string",
      "things.json#" + search + ": an operation lacks the key 'summary'; add it: a string"}},
};

const Bad badPatterns[] = {
    {"that_can_not_be_checked",
     {things(thing + "/properties/name", R"({"type": "string", "pattern": "^[A-Z]+$"})")},
     {"things.json#" + thing +
      "/properties/name/pattern: unsupported pattern; make it ^[a-z]{N}$, or remove it"}},
    {"of_no_letters",
     {things(thing + "/properties/name", R"({"type": "string", "pattern": "^[a-z]{0}$"})")},
     {"things.json#" + thing +
      "/properties/name/pattern: unsupported pattern; make it ^[a-z]{N}$, or remove it"}},
    {"of_a_number",
     {things(body + "/properties/gone_at", R"({"type": "integer", "pattern": "^[a-z]{3}$"})")},
     {"things.json#" + body +
      "/properties/gone_at/pattern: a pattern on something other than a plain string; remove it"}},
    {"of_more_letters_than_any_text",
     {things(thing + "/properties/name", R"({"type": "string", "pattern": "^[a-z]{99999999999}$"})")},
     {"things.json#" + thing +
      "/properties/name/pattern: unsupported pattern; make it ^[a-z]{N}$, or remove it"}},
    {"of_elements",
     {things(thing + "/properties/tags",
             R"({"type": "array", "items": {"type": "string", "pattern": "^[a-z]{3}$"}})")},
     {"things.json#" + thing +
      "/properties/tags/items: a pattern for the elements of a list; remove it: only fields can have one"}},
};

/// A field of thing with this schema, and what is wrong with its key.
Bad ignored(const std::string& name, const std::string& schema, const std::string& key,
            const std::string& problem) {
  const std::string place = thing + "/properties/field";
  return {name, {things(place, schema)}, {"things.json#" + place + '/' + key + ": " + problem}};
}

const std::string movedThere = "move it to a schema in #/components/schemas, or remove it";

const Bad ignoredKeys[] = {
    ignored("minimum_of_a_string", R"({"type": "string", "minimum": 3})", "minimum",
            "'minimum' on something other than an integer; remove it"),
    ignored("maximum_of_a_boolean", R"({"type": ["boolean", "null"], "maximum": 3})", "maximum",
            "'maximum' on something other than an integer; remove it"),
    ignored("default_of_a_string", R"({"type": "string", "default": "a"})", "default",
            "'default' on something other than an integer; remove it"),
    ignored("fraction_as_default", R"({"type": "integer", "default": 1.5})", "default",
            "wrong type; make it an integer"),
    ignored("default_below_the_minimum", R"({"type": "integer", "minimum": 1, "default": 0})", "default",
            "the default is outside the bounds; make it a value from the minimum to the maximum"),
    ignored("default_above_the_maximum", R"({"type": "integer", "minimum": 1, "maximum": 9, "default": 10})",
            "default", "the default is outside the bounds; make it a value from the minimum to the maximum"),
    ignored("format_of_a_string", R"({"type": "string", "format": "date"})", "format",
            "'format' on something other than an integer; remove it"),
    ignored("constant_integer", R"({"type": "integer", "const": "3"})", "const",
            "'const' on something other than a string; remove it"),
    ignored("items_of_a_string", R"({"type": "string", "items": {"type": "string"}})", "items",
            "'items' on something other than an array; remove it"),
    ignored("minLength_of_a_list", R"({"type": "array", "items": {"type": "string"}, "minLength": 1})",
            "minLength", "'minLength' on something other than a string; remove it"),
    ignored("minLength_above_1", R"({"type": "string", "minLength": 3})", "minLength",
            "only the minimum length 1 is supported; make it 1, or remove it"),
    ignored("maxLength_of_a_string", R"({"type": "string", "maxLength": 5})", "maxLength",
            "only the maximum length 0 is supported, next to x-metadata-edit; remove it"),
    ignored("enum_of_a_string", R"({"type": "string", "enum": ["a", "b"]})", "enum",
            "an enum on something other than the elements of a list; make it x-values, or remove it"),
    ignored("two_types", R"({"type": ["string", "integer"]})", "type",
            "more than one type: string, integer; keep one, and null if it may be null"),
    ignored("map_with_properties",
            R"({"type": "object", "properties": {"a": {"type": "string"}},
                "additionalProperties": {"type": "string"}})",
            "additionalProperties", "both 'properties' and 'additionalProperties'; keep one of them"),
    ignored("constant_with_values", R"({"type": "string", "const": "a", "x-values": [{"value": "a"}]})",
            "x-values", "both 'const' and 'x-values'; keep one of them"),
    ignored("identifier_with_values", R"({"type": "string", "x-id": "self", "x-values": [{"value": "a"}]})",
            "x-values", "both 'x-id' and 'x-values'; keep one of them"),
    ignored("constant_identifier", R"({"type": "string", "x-id": "self", "const": "a"})", "x-id",
            "both 'const' and 'x-id'; keep one of them"),
    ignored("constant_that_may_be_null", R"({"type": ["string", "null"], "const": "a"})", "const",
            "a constant that may be null or absent; make it a required string without null"),
    ignored("constant_that_may_be_absent", R"({"type": "string", "const": "a"})", "const",
            "a constant that may be null or absent; make it a required string without null"),
    ignored("value_twice",
            R"({"type": "string", "x-values": [{"value": "red", "name": "a"}, {"value": "red"}]})",
            "x-values/1/value", "the value 'red' appears twice; keep one of them"),
    ignored("required_without_properties", R"({"type": "object", "required": ["a"]})", "required",
            "'required' without 'properties'; add 'properties', or remove 'required'"),
    ignored("resource_in_a_field",
            R"({"type": "object", "properties": {"a": {"type": "string"}},
                "x-resource": {"plural": "others", "id_prefix": "o_", "description": "d"}})",
            "x-resource", "'x-resource' on something other than a component; " + movedThere),
    ignored("opaque_field", R"({"type": "object", "x-opaque": {"id_prefix": "o_"}})", "x-opaque",
            "'x-opaque' on something other than a component; " + movedThere),
    ignored("convention_of_a_field", R"({"type": "object", "x-convention": "list"})", "x-convention",
            "'x-convention' on something other than a component; " + movedThere),
    ignored("parts_of_a_field", R"({"type": "object", "allOf": []})", "allOf",
            "'allOf' on something other than the response to a list or a search; write out the properties"),
    {"states_of_no_resource",
     {things(schemas + "/box", R"({"type": "object", "x-documented": "Things",
                                   "x-searchable": {"fields": ["a"]},
                                   "x-states": {"of": "a", "initial": "b", "states": {}, "transitions": []},
                                   "properties": {"a": {"type": "string"}}})")},
     {"things.json#" + schemas +
          "/box/x-states: 'x-states' without 'x-resource'; add 'x-resource', or remove 'x-states'",
      "things.json#" + schemas +
          "/box/x-searchable: 'x-searchable' without 'x-resource'; add 'x-resource', or remove "
          "'x-searchable'"}},
    {"fields_of_what_is_opaque",
     {things(schemas + "/box",
             R"({"type": "object", "x-documented": "Things", "x-opaque": {"id_prefix": "b_"},
                                   "properties": {"a": {"type": "string"}}})")},
     {"things.json#" + schemas + "/box/properties: both 'x-opaque' and 'properties'; keep one of them"}},
    {"unknown_convention",
     {root(schemas + "/box", R"({"type": "object", "x-documented": "Things", "x-convention": "lists"})")},
     {"root.json#" + schemas +
      "/box/x-convention: unknown convention 'lists'; make it 'list', 'search' or 'error'"}},
    {"convention_twice",
     {root(schemas + "/box", R"({"type": "object", "x-documented": "Things", "x-convention": "list"})")},
     {"root.json#" + schemas + "/box: a second schema has the x-convention 'list'; keep one of them"}},
    {"convention_and_headers_outside_of_root",
     {things(schemas + "/box", R"({"type": "object", "x-documented": "Things", "x-convention": "list"})"),
      things("/components/headers",
             R"({"trace": {"x-name": "Trace", "schema": {"type": "string"}, "x-documented": "Things"}})"),
      things("/components/parameters",
             R"({"trace": {"name": "Trace", "in": "header", "x-documented": "Things",
                                                     "schema": {"type": "string"}}})")},
     {"things.json#/components/headers: headers outside root.json; move them there",
      "things.json#/components/parameters/trace: a header outside root.json; move it there",
      "things.json#" + schemas + "/box: a convention outside root.json; move it there"}},
    {"rules_for_the_values_of_a_map",
     {things(thing + "/properties/a", R"({"type": "object", "additionalProperties": {"type": "string",
                                          "pattern": "^[a-z]{3}$"}})"),
      things(thing + "/properties/b",
             R"({"type": "object", "additionalProperties": {"type": "string", "x-id": "self"}})"),
      things(thing + "/properties/c", R"({"type": "object", "additionalProperties": {"type": "string",
                                          "x-values": [{"value": "d"}]}})")},
     {"things.json#" + thing +
          "/properties/a/additionalProperties/pattern: 'pattern' for the values of a map; "
          "remove it: they can be any string",
      "things.json#" + thing +
          "/properties/b/additionalProperties/x-id: 'x-id' for the values of a map; "
          "remove it: they can be any string",
      "things.json#" + thing +
          "/properties/c/additionalProperties/x-values: 'x-values' for the values of a "
          "map; remove it: they can be any string"}},
};

/// A field that is a list of what `items` describes, and what is wrong with that.
Bad unusable(const std::string& name, const std::string& items, const std::string& problem) {
  const std::string place = thing + "/properties/field";
  return {name,
          {things(place, R"({"type": "array", "items": )" + items + '}')},
          {"things.json#" + place + "/items" + problem}};
}

const Bad badElements[] = {
    unusable("that_are_booleans", R"({"type": "boolean"})",
             ": a list of booleans; make the elements strings, integers or objects"),
    unusable("that_may_be_null", R"({"type": ["string", "null"]})",
             "/type: null among the types of elements; remove it"),
    unusable("with_a_minimum", R"({"type": "integer", "minimum": 1})",
             "/minimum: 'minimum' for elements; remove it: only fields can have one"),
    unusable("with_a_minimum_length", R"({"type": "string", "minLength": 1})",
             "/minLength: 'minLength' for elements; remove it: only fields can have one"),
    {"of_a_map_that_may_be_null",
     {things(thing + "/properties/field",
             R"({"type": "object", "additionalProperties": {"type": ["string", "null"]}})")},
     {"things.json#" + thing +
      "/properties/field/additionalProperties/type: null among the types of elements; remove it"}},
};

/// A field whose reference does not lead to a schema.
Bad misled(const std::string& name, const std::string& reference) {
  return {name,
          {things(thing + "/properties/other", R"({"$ref": ")" + reference + "\"}")},
          {"things.json#" + thing + "/properties/other/$ref: the reference '" + reference +
           "' does not lead to a schema; refer to one in #/components/schemas"}};
}

const Bad badReferences[] = {
    {"dangling_in_another_file",
     {things(thing + "/properties/size", R"({"$ref": "root.json#/components/schemas/seize"})")},
     {"things.json#" + thing +
      "/properties/size/$ref: dangling reference 'root.json#/components/schemas/seize'; refer to something "
      "that exists in the description"}},
    {"dangling_file",
     {things(thing + "/properties/size", R"({"$ref": "rood.json#/components/schemas/size"})")},
     {"things.json#" + thing +
      "/properties/size/$ref: dangling reference 'rood.json#/components/schemas/size'; refer to something "
      "that exists in the description"}},
    {"in_a_circle",
     {things(schemas + "/a", R"({"$ref": "#/components/schemas/b"})"),
      things(schemas + "/b", R"({"$ref": "#/components/schemas/a"})")},
     {"things.json#" + schemas +
          "/a/$ref: the reference '#/components/schemas/b' is circular; end it at a definition",
      "things.json#" + schemas +
          "/b/$ref: the reference '#/components/schemas/a' is circular; end it at a definition"}},
    {"outside_of_the_components",
     {things(thing + "/properties/size", R"({"$ref": "#)" + body + R"(/properties/gone_at"})")},
     {"things.json#" + thing + "/properties/size/$ref: the reference '#" + body +
      "/properties/gone_at' points outside the components; move its target into the components"}},
    misled("to_all_schemas", "#/components/schemas"),
    misled("to_a_parameter", "root.json#/components/parameters/limit"),
    misled("to_the_schema_of_a_parameter", "root.json#/components/parameters/limit/schema"),
    misled("to_a_text", "root.json#/components/schemas/size/required/0"),
    misled("to_a_value", "root.json#/components/schemas/rate_limited_reason/x-values/0"),
    misled("to_all_properties", "root.json#/components/schemas/size/properties"),
    {"from_a_parameter_to_a_schema",
     {things(list + "/parameters/0", R"({"$ref": "root.json#/components/schemas/size"})")},
     {"things.json#" + list +
      "/parameters/0/$ref: the reference 'root.json#/components/schemas/size' does not lead to a parameter; "
      "refer to one in #/components/parameters"}},
    {"from_a_response_to_a_schema",
     {things(list + "/responses/default", R"({"$ref": "root.json#/components/schemas/error"})")},
     {"things.json#" + list +
      "/responses/default/$ref: the reference 'root.json#/components/schemas/error' does not lead to a "
      "response; refer to one in #/components/responses"}},
    {"from_the_field_example",
     {things(thing + "/properties/example", R"({"$ref": "#/components/schemas/seize"})")},
     {"things.json#" + thing +
      "/properties/example/$ref: dangling reference '#/components/schemas/seize'; refer to something that "
      "exists in the description"}},
};

const Bad badProvenance[] = {
    {"missing",
     {things(list + "/x-documented", "")},
     {"things.json#" + list +
      ": no source given; add x-documented with a section, or x-assumed with an assumption, here or on an "
      "enclosing object"}},
    {"empty_list_of_assumptions",
     {things(list + "/x-documented", ""), things(list + "/x-assumed", "[]")},
     {"things.json#" + list +
      ": no source given; add x-documented with a section, or x-assumed with an assumption, here or on an "
      "enclosing object"}},
    {"unknown_section",
     {things(list + "/x-documented", R"("Listen")")},
     {"things.json#" + list +
      "/x-documented: unknown section 'Listen'; name one of the x-sections in root.json, or add this one "
      "there"}},
    {"unknown_section_of_the_field_example",
     {things(thing + "/properties/example", R"({"type": "string", "x-documented": "Listen"})")},
     {"things.json#" + thing +
      "/properties/example/x-documented: unknown section 'Listen'; name one of the x-sections in root.json, "
      "or "
      "add this one there"}},
    {"unknown_assumption",
     {things(list + "/x-assumed", R"("gues")")},
     {"things.json#" + list +
      "/x-assumed: unknown assumption 'gues'; name a key of x-assumptions, or add this one there"}},
    {"unused_assumption",
     {things("/x-assumptions", R"({"idle": {"point": "p", "choice": "c", "reason": "r"}})")},
     {"things.json#/x-assumptions/idle: unused assumption; name it in x-assumed, mark it \"general\": true, "
      "or remove it"}},
    {"general_but_used",
     {things(list + "/x-assumed", R"("mood")")},
     {"root.json#/x-assumptions/mood: a general assumption, but x-assumed names it; remove \"general\""}},
    {"assumption_in_two_files",
     {things("/x-assumptions", R"({"guess": {"point": "p", "choice": "c", "reason": "r"}})")},
     {"things.json#/x-assumptions/guess: the assumption 'guess' is defined in two files; rename it in one of "
      "them"}},
    {"sections_outside_of_root",
     {things("/x-sections", R"(["Things"])")},
     {"things.json#/x-sections: sections outside root.json; move them there"}},
    {"another_version",
     {things("/info/version", R"("2.0.1")")},
     {"things.json#/info/version: version '2.0.1' differs from that of root.json, '2.0.0'; give all files "
      "the same version"}},
};

const Bad badNames[] = {
    {"keyword_as_field",
     {things(body + "/properties/delete", R"({"type": "boolean"})")},
     {"things.json#" + body + "/properties/delete: 'delete' is a C++ keyword; choose another name"}},
    {"keyword_as_value",
     {things(thing + "/properties/colour/x-values/0/value", R"("new")")},
     {"things.json#" + thing +
      "/properties/colour/x-values/0/value: 'new' is a C++ keyword; choose another name"}},
    {"keyword_as_method",
     {things(retrieve + "/operationId", R"("things.delete")")},
     {"things.json#" + retrieve + "/operationId: 'delete' is a C++ keyword; choose another name"}},
    {"member_that_the_client_needs",
     {things(thing + "/properties/unknown_fields", R"({"type": "boolean"})")},
     {"things.json#" + thing +
      "/properties/unknown_fields: 'unknownFields' is reserved for generated code; choose another name"}},
    {"type_that_the_client_has",
     {things(schemas + "/error",
             R"({"type": "object", )" + documented + R"(, "properties": {"a": {"type": "string"}}})")},
     {"things.json#" + schemas + "/error: 'Error' is reserved for the client; choose another name"}},
    {"method_that_the_client_has",
     {things(report + "/operationId", R"("things.check_report")"),
      things(states + "/transitions/0/trigger", R"("things.check_report")"),
      things(states + "/refusals/0/trigger", R"("things.check_report")")},
     {"things.json#" + report + ": 'checkReport' is reserved for the client; choose another name"}},
    {"method_that_a_mock_has",
     {things(retrieve + "/operationId", R"("things.send")")},
     {"things.json#" + retrieve + ": 'send' is reserved for the client; choose another name"}},
    {"type_of_the_reports",
     {things(states + "/states/here/shows", R"([{"set": "size.width", "to": 1}])"),
      things(schemas + "/thing_report",
             R"({"type": "object", )" + documented + R"(, "properties": {"a": {"type": "string"}}})")},
     {"things.json#" + thing + ": the type 'ThingReport' is also generated from things.json#" + schemas +
      "/thing_report; rename one of the two"}},
    {"struct_of_the_searchable_fields",
     {things(schemas + "/thing_search_fields",
             R"({"type": "object", )" + documented + R"(, "properties": {"a": {"type": "string"}}})")},
     {"things.json#" + thing + ": the type 'ThingSearchFields' is also generated from things.json#" +
      schemas + "/thing_search_fields; rename one of the two"}},
    {"template_of_the_parameters",
     {things(schemas + "/basic_thing_list_params",
             R"({"type": "object", )" + documented + R"(, "properties": {"a": {"type": "string"}}})")},
     {"things.json#" + list + ": the type 'BasicThingListParams' is also generated from things.json#" +
      schemas + "/basic_thing_list_params; rename one of the two"}},
    {"asynchronous_service",
     {things(schemas + "/async_things",
             R"({"type": "object", )" + documented + R"(, "properties": {"a": {"type": "string"}}})")},
     {"things.json#" + thing + ": the type 'AsyncThings' is also generated from things.json#" + schemas +
      "/async_things; rename one of the two"}},
    {"type_of_asynchronous_calls",
     {things(schemas + "/call",
             R"({"type": "object", )" + documented + R"(, "properties": {"a": {"type": "string"}}})")},
     {"things.json#" + schemas + "/call: 'Call' is reserved for the client; choose another name"}},
    {"header_of_the_asynchronous_service",
     {root(schemas + "/async_things",
           R"({"type": "string", )" + documented + R"(, "x-values": [{"value": "a"}]})")},
     {"things.json#" + thing + ": the header 'async_things.h' is also generated from root.json#" + schemas +
          "/async_things; rename one of the two",
      "things.json#" + thing + ": the type 'AsyncThings' is also generated from root.json#" + schemas +
          "/async_things; rename one of the two"}},
    {"header_that_the_client_has",
     {root(schemas + "/client",
           R"({"type": "string", )" + documented + R"(, "x-values": [{"value": "a"}]})")},
     {"root.json#" + schemas + "/client: 'client.h' is reserved for the client; choose another name",
      "root.json#" + schemas + "/client: 'Client' is reserved for the client; choose another name"}},
    {"type_and_header_of_pacing",
     {root(schemas + "/pacer", R"({"type": "string", )" + documented + R"(, "x-values": [{"value": "a"}]})")},
     {"root.json#" + schemas + "/pacer: 'pacer.h' is reserved for the client; choose another name",
      "root.json#" + schemas + "/pacer: 'Pacer' is reserved for the client; choose another name"}},
    {"types_of_the_tables",
     {things(schemas + "/field",
             R"({"type": "object", )" + documented + R"(, "properties": {"a": {"type": "string"}}})"),
      things(schemas + "/transition",
             R"({"type": "object", )" + documented + R"(, "properties": {"a": {"type": "string"}}})")},
     {"things.json#" + schemas + "/field: 'Field' is reserved for the client; choose another name",
      "things.json#" + schemas +
          "/transition: 'Transition' is reserved for the client; choose another name"}},
    {"type_of_the_outbox",
     {things(schemas + "/outbox_report",
             R"({"type": "object", )" + documented + R"(, "properties": {"a": {"type": "string"}}})")},
     {"things.json#" + schemas +
      "/outbox_report: 'OutboxReport' is reserved for the client; choose another name"}},
    {"no_identifier",
     {things(body + "/properties/Gone By", R"({"type": "boolean"})")},
     {"things.json#" + body +
      "/properties/Gone By: no C++ name can be made from 'Gone By'; use lowercase letters, digits and "
      "single underscores, starting with a letter"}},
    {"more_fields_than_bits",
     {things(schemas + "/most", manyFields(64)), things(schemas + "/crowd", manyFields(65))},
     {"things.json#" + schemas + "/crowd: more than 64 fields; group some of them into objects"}},
    {"two_fields_of_one_name",
     {things(body + "/properties/gone-at", R"({"type": "boolean"})")},
     {"things.json#" + body + "/properties/gone-at: the field 'goneAt' is also generated from things.json#" +
      body + "/properties/gone_at; rename one of the two"}},
    {"two_values_of_one_name",
     {things(thing + "/properties/colour/x-values", R"([{"value": "dark-red"}, {"value": "dark_red"}])")},
     {"things.json#" + thing + "/properties/colour: the value 'darkRed' is also generated from things.json#" +
      thing + "/properties/colour; rename one of the two"}},
    {"two_structs_of_one_name",
     {things(schemas + "/size",
             R"({"type": "object", )" + documented + R"(, "properties": {"a": {"type": "string"}}})")},
     {"things.json#" + schemas + "/size: the type 'Size' is also generated from root.json#" + schemas +
      "/size; rename one of the two"}},
    {"enum_and_struct_of_one_name",
     {things(schemas + "/thing_colour",
             R"({"type": "object", )" + documented + R"(, "properties": {"a": {"type": "string"}}})")},
     {"things.json#" + thing +
      "/properties/colour: the type 'ThingColour' is also generated from things.json#" + schemas +
      "/thing_colour; rename one of the two"}},
    {"struct_and_service_of_one_name",
     {things(schemas + "/things",
             R"({"type": "object", )" + documented + R"(, "properties": {"a": {"type": "string"}}})")},
     {"things.json#" + thing + ": the type 'Things' is also generated from things.json#" + schemas +
      "/things; rename one of the two"}},
    {"two_operations_of_one_name",
     {things(search + "/operationId", R"("things.list")")},
     {"things.json#" + search + ": the type 'ThingListParams' is also generated from things.json#" + list +
          "; rename one of the two",
      "things.json#" + search + ": the operation 'thingsList' is also generated from things.json#" + list +
          "; rename one of the two"}},
    {"operation_of_no_resource",
     {things(retrieve + "/operationId", R"("thinks.retrieve")")},
     {"things.json#" + retrieve +
      "/operationId: 'thinks.retrieve' is not named after its resource; start it with 'things.'"}},
    {"operation_with_two_dots",
     {things(retrieve + "/operationId", R"("things.one.retrieve")")},
     {"things.json#" + retrieve +
      "/operationId: 'things.one.retrieve' has more than one dot; make it the plural, a dot and the method"}},
    {"no_name_of_a_header",
     {root("/components/headers/request_id/x-name", R"("Request Id:")")},
     {"root.json#/components/headers/request_id: 'Request Id:' can't be the name of a header; use letters, "
      "digits and hyphens"}},
    {"two_errors_of_one_name",
     {root("/x-errors/thing-gone",
           R"({"status": 400, "type": "t", "code": "c", "message": "m", )" + documented + "}")},
     {"root.json#/x-errors/thing-gone: the error 'thingGone' is also generated from "
      "root.json#/x-errors/thing_gone; rename one of the two"}},
    {"two_codes_of_one_name",
     {root("/x-errors/other",
           R"({"status": 400, "type": "t", "code": "thing-gone", "message": "m", )" + documented + "}")},
     {"root.json#/x-errors/other/code: the error code 'thingGone' is also generated from 'thing_gone'; "
      "rename one of the two"}},
    {"schema_that_is_no_type",
     {things(schemas + "/3d_size",
             R"({"type": "object", )" + documented + R"(, "properties": {"a": {"type": "string"}}})")},
     {"things.json#" + schemas +
      "/3d_size: no C++ name can be made from '3d_size'; use lowercase letters, digits and single "
      "underscores, starting with a letter"}},
    {"schemas_named_like_parameters_of_templates",
     {things(schemas + "/o",
             R"({"type": "object", )" + documented + R"(, "properties": {"a": {"type": "string"}}})"),
      things(schemas + "/c",
             R"({"type": "object", )" + documented + R"(, "x-opaque": {"id_prefix": "c_"}})")},
     {"things.json#" + schemas + "/c: 'C' is reserved for generated code; choose another name",
      "things.json#" + schemas + "/o: 'O' is reserved for generated code; choose another name"}},
    {"opaque_schema_that_is_no_type",
     {things(schemas + "/2nd_thing",
             R"({"type": "object", )" + documented + R"(, "x-opaque": {"id_prefix": "th2_"}})")},
     {"things.json#" + schemas +
      "/2nd_thing: no C++ name can be made from '2nd_thing'; use lowercase letters, digits and single "
      "underscores, starting with a letter"}},
    {"no_prefix_of_identifiers",
     {things(thing + "/x-resource/id_prefix", R"("th.")"), things(thing + "/example/id", R"("th.1")")},
     {"things.json#" + thing +
      "/x-resource/id_prefix: 'th.' can't be the prefix of an identifier; use lowercase letters, digits and "
      "underscores"}},
    {"two_groups_of_searchable_fields_of_one_name",
     {things(schemas + "/outer", R"({"type": "object", )" + documented +
                                     R"(, "properties": {"b": {"$ref": "#/components/schemas/inner"}}})"),
      things(schemas + "/inner",
             R"({"type": "object", )" + documented + R"(, "properties": {"c": {"type": "string"}}})"),
      things(thing + "/properties/a", R"({"$ref": "#/components/schemas/outer"})"),
      things(thing + "/properties/a_b", R"({"$ref": "#/components/schemas/inner"})"),
      things(thing + "/x-searchable/fields", R"(["a.b.c", "a_b.c"])")},
     {"things.json#" + thing +
      ": the struct 'ABFields' for the searchable fields in 'a_b' is also generated for others; rename that "
      "field"}},
    {"group_of_searchable_fields_named_like_all_of_them",
     {things(thing + "/properties/thing_search", R"({"$ref": "root.json#/components/schemas/size"})"),
      things(thing + "/x-searchable/fields", R"(["thing_search.width"])")},
     {"things.json#" + thing +
      ": the struct 'ThingSearchFields' for the searchable fields in 'thing_search' is also generated for "
      "others; rename that field"}},
    {"file_not_named_after_the_plural",
     {things(thing + "/x-resource/plural", R"("thingies")")},
     {"things.json#" + thing +
      "/x-resource/plural: the file is not named after the plural 'thingies'; rename the file to "
      "'thingies.json'"}},
};

const std::string ofNoResource = ": a path in a file without a resource; move it to a resource's file";

const Bad badSchemas[] = {
    {"unknown_type",
     {things(thing + "/properties/name/type", R"("number")")},
     {"things.json#" + thing +
      "/properties/name: unknown type 'number'; make it string, integer, boolean, array or object, or one of "
      "these and null"}},
    {"no_type",
     {things(thing + "/properties/name/type", "")},
     {"things.json#" + thing +
      "/properties/name: a schema without a type; make it string, integer, boolean, array or object, or one "
      "of these and null"}},
    {"array_of_nothing",
     {things(thing + "/properties/names", R"({"type": "array"})")},
     {"things.json#" + thing +
      "/properties/names: an array without items; add \"items\" with the type of its elements"}},
    {"unknown_format",
     {things(body + "/properties/gone_at/format", R"("date")")},
     {"things.json#" + body +
      "/properties/gone_at/format: unknown format 'date'; make it unix-time, or remove it"}},
    {"identifier_of_nothing",
     {things(thing + "/properties/name/x-id", R"("think")")},
     {"things.json#" + thing +
      "/properties/name/x-id: unknown identifier target 'think'; name a schema with x-resource or x-opaque, "
      "or \"self\" in a resource's file"}},
    {"required_but_absent",
     {things(body + "/required/0", R"("gone")")},
     {"things.json#" + body +
      "/required: the required property 'gone' does not exist; add it to the properties, or remove it here"}},
    {"struct_in_itself",
     {things(schemas + "/box", R"({"type": "object", )" + documented +
                                   R"(, "properties": {"inner": {"$ref": "#/components/schemas/box"}}})")},
     {"things.json#" + schemas + "/box: 'Box' contains itself; use an identifier instead"}},
    {"list_in_itself",
     {things(schemas + "/boxes",
             R"({"type": "array", "items": {"$ref": "#/components/schemas/boxes"}, )" + documented + "}"),
      things(thing + "/properties/boxes", R"({"$ref": "#/components/schemas/boxes"})")},
     {"things.json#" + schemas + "/boxes: a list that contains itself; use identifiers instead"}},
    {"list_in_a_list_of_itself",
     {things(schemas + "/boxes", R"({"type": "array", "items": {"type": "array",
                                     "items": {"$ref": "#/components/schemas/boxes"}}, )" +
                                     documented + "}"),
      things(thing + "/properties/boxes", R"({"$ref": "#/components/schemas/boxes"})")},
     {"things.json#" + schemas + "/boxes: a list that contains itself; use identifiers instead"}},
    {"resource_that_is_opaque",
     {things(thing + "/x-opaque", R"({"id_prefix": "th_"})")},
     {"things.json#" + thing + "/x-resource: both 'x-opaque' and 'x-resource'; keep one of them",
      "things.json#" + thing + "/properties: both 'x-opaque' and 'properties'; keep one of them"}},
    {"range_upside_down",
     {root("/components/parameters/limit/schema/minimum", "60")},
     {"root.json#/components/parameters/limit/schema/minimum: the minimum is above the maximum; swap them"}},
    {"unknown_metadata_rule",
     {things(body + "/properties/metadata",
             R"({"type": "object", "x-metadata-edit": {"empty_value": "sets_key", "empty": "unsets_all"}})")},
     {"things.json#" + body +
      "/properties/metadata/x-metadata-edit/empty_value: unknown metadata rule 'sets_key'; make it "
      "'unsets_key'"}},
    {"resource_without_identifier",
     {things(thing + "/properties/id/x-id", "")},
     {"things.json#" + thing +
      R"(: a resource without its own identifier; add the required property id with "x-id": "self")"}},
    {"resource_that_does_not_name_itself",
     {things(thing + "/properties/object/const", R"("think")"),
      things(thing + "/example/object", R"("think")")},
     {"things.json#" + thing +
      R"(: a resource that does not state its own name; add the property object with "const": "thing")"}},
    {"resource_without_operations",
     {things("/paths", "{}"), things(states, ""), things(thing + "/x-searchable", "")},
     {"things.json#" + thing + ": a resource without operations; add a path, or make the schema x-opaque"}},
    {"no_resource",
     {things(thing + "/x-resource", ""), things(states, ""), things(thing + "/x-searchable", "")},
     {"things.json#/components/schemas: no schema is a resource; mark one with x-resource",
      "things.json#" + thing +
          "/properties/id/x-id: unknown identifier target 'self'; name a schema with x-resource or x-opaque, "
          "or \"self\" in a resource's file",
      "things.json#/paths/~1v1~1things" + ofNoResource,
      "things.json#/paths/~1v1~1things~1search" + ofNoResource,
      "things.json#/paths/~1v1~1things~1{id}" + ofNoResource,
      "things.json#/paths/~1v1~1things~1{id}~1report_gone" + ofNoResource}},
    {"no_error_responses",
     {root("/x-errors", "{}"), things(states + "/refusals", "[]"),
      things(states + "/transitions/0/before", R"(["here", "gone"])")},
     {"root.json#: no file has x-errors; add the error responses of the service"}},
    {"no_example",
     {things(thing + "/example", "")},
     {"things.json#" + thing +
      ": a resource without an example; add one: the fake creates new objects from it"}},
    {"example_of_another_type",
     {things(thing + "/example/size/width", R"("wide")")},
     {"things.json#" + thing +
      "/example/size/width: the example is not an integer; fix the example or its schema"}},
    {"example_with_an_unknown_field",
     {things(thing + "/example/nick", R"("x")")},
     {"things.json#" + thing +
      "/example/nick: the example has a field 'nick' that is not in thing; fix the example or its schema"}},
    {"example_without_a_required_field",
     {things(thing + "/example/name", "")},
     {"things.json#" + thing + "/example: the example lacks the required field 'name'; add it"}},
    {"values_below_the_minimum",
     {root(schemas + "/size/properties/width/minimum", "2")},
     {"things.json#" + thing +
          "/example/size/width: the example is below the minimum; fix the example or its schema",
      "things.json#" + states +
          "/transitions/0/effects/0/to: the constant is below the minimum; give a value of the field's "
          "type"}},
    {"example_that_is_null",
     {things(thing + "/example/name", "null")},
     {"things.json#" + thing + "/example/name: the example is null; fix the example or its schema"}},
    {"example_with_another_prefix",
     {things(thing + "/example/id", R"("tg_1")")},
     {"things.json#" + thing +
      "/example/id: the example does not begin with 'th_'; fix the example or its schema"}},
    {"unsearchable_field",
     {things(thing + "/x-searchable/fields/0", R"("size.height")")},
     {"things.json#" + thing +
          "/x-searchable/fields/0: unknown field 'size.height'; name a field of this schema",
      "things.json#" + search + ": a search, but no field is searchable; add x-searchable to the schema"}},
    {"searchable_object",
     {things(thing + "/x-searchable/fields/1", R"("size")")},
     {"things.json#" + thing +
      "/x-searchable/fields/1: 'size' can't be compared in a query; name a field inside it or another "
      "field"}},
};

const Bad badStates[] = {
    {"transition_to_nowhere",
     {things(states + "/transitions/0/after", R"("away")")},
     {"things.json#" + states +
      "/transitions/0/after: unknown state 'away'; name one of the states, or add it"}},
    {"transition_from_nowhere",
     {things(states + "/transitions/0/before/0", R"("away")")},
     {"things.json#" + states +
      "/transitions/0/before/0: unknown state 'away'; name one of the states, or add it"}},
    {"state_that_shows_what_its_transitions_say",
     {things(states + "/states/gone/shows", R"([{"set": "size.width", "to": 0}])")},
     {"things.json#" + states +
      "/states/gone/shows: a transition leads to this state; remove 'shows': the transitions to the state "
      "define what it shows"}},
    {"state_that_shows_what_is_no_field",
     {things(states + "/states/here/shows", R"([{"set": "size.height", "to": 0}])")},
     {"things.json#" + states +
      "/states/here/shows/0/set: unknown field 'size.height'; name a field of thing"}},
    {"initial_state_that_is_none",
     {things(states + "/initial", R"("away")")},
     {"things.json#" + states + "/initial: unknown state 'away'; name one of the states, or add it"}},
    {"states_of_nothing",
     {things(states + "/of", R"("attempt")")},
     {"things.json#" + states + "/of: unknown field 'attempt'; name the field that the states belong to"}},
    {"states_of_what_is_no_text",
     {things(states + "/of", R"("size")")},
     {"things.json#" + states +
      "/of: 'size' is neither an identifier nor a string; name the field that identifies the owner of the "
      "states"}},
    {"unknown_trigger",
     {things(states + "/transitions/0/trigger", R"("things.report_lost")")},
     {"things.json#" + states +
      "/transitions/0/trigger: unknown report operation 'things.report_lost'; use the operationId of a "
      "report on this resource"}},
    {"trigger_that_reads",
     {things(states + "/refusals/0/trigger", R"("things.list")")},
     {"things.json#" + states +
      "/refusals/0/trigger: unknown report operation 'things.list'; use the operationId of a report on this "
      "resource"}},
    {"unknown_error",
     {things(states + "/refusals/0/error", R"("thing_lost")")},
     {"things.json#" + states +
      "/refusals/0/error: unknown error 'thing_lost'; name a key of x-errors, or add it there"}},
    {"effect_on_no_field",
     {things(states + "/transitions/0/effects/0/set", R"("size.height")")},
     {"things.json#" + states +
      "/transitions/0/effects/0/set: unknown field 'size.height'; name a field of thing"}},
    {"effect_on_what_never_changes",
     {things(states + "/transitions/0/effects", R"([{"set": "id", "to": "th_2"}])"),
      things(states + "/on_create", R"([{"set": "object", "to": "thing"}])")},
     {"things.json#" + states + "/on_create/0/set: 'object' never changes; name another field",
      "things.json#" + states + "/transitions/0/effects/0/set: 'id' never changes; name another field"}},
    {"two_effects_on_one_field",
     {things(states + "/transitions/0/effects/1", R"({"set": "size.width", "to": 7})")},
     {"things.json#" + states +
      "/transitions/0/effects/1/set: 'size.width' is set twice; keep one of the assignments"}},
    {"effect_of_another_type",
     {things(states + "/transitions/0/effects/0/to", R"("0")")},
     {"things.json#" + states +
      "/transitions/0/effects/0/to: the constant is not an integer; give a value of the field's type"}},
    {"effect_from_another_type",
     {things(states + "/transitions/0/effects/0", R"({"set": "size.width", "from": "name"})")},
     {"things.json#" + states +
      "/transitions/0/effects/0/from: 'name' differs in type from the field that it sets; name a field of "
      "the same type"}},
    {"effect_from_no_field",
     {things(states + "/transitions/0/effects/0", R"({"set": "name", "from": "nick"})")},
     {"things.json#" + states +
      "/transitions/0/effects/0/from: unknown field 'nick'; name a field of thing"}},
    {"effect_from_what_may_be_absent",
     {things(thing + "/properties/nick", R"({"type": "string"})"),
      things(states + "/transitions/0/effects/0", R"({"set": "name", "from": "nick"})")},
     {"things.json#" + states +
      "/transitions/0/effects/0/from: 'nick' may be null or absent, unlike the field that it sets; name a "
      "required field"}},
    {"effect_from_a_part_of_what_may_be_null",
     {things(thing + "/properties/outer", R"({"type": ["object", "null"], "required": ["inner"],
                                              "properties": {"inner": {"type": "string"}}})"),
      things(states + "/transitions/0/effects/0", R"({"set": "name", "from": "outer.inner"})")},
     {"things.json#" + states +
      "/transitions/0/effects/0/from: 'outer.inner' may be null or absent, unlike the field that it sets; "
      "name a required field"}},
    {"effect_with_an_object_of_another_type",
     {things(states + "/transitions/0/effects/0", R"({"set": "size", "to": {"width": "0", "height": 1}})")},
     {"things.json#" + states +
          "/transitions/0/effects/0/to/width: the constant is not an integer; give a value of the field's "
          "type",
      "things.json#" + states +
          "/transitions/0/effects/0/to/height: the constant has a field 'height' that is not in size; give a "
          "value of the field's type"}},
    {"effect_with_an_incomplete_object",
     {things(states + "/transitions/0/effects/0", R"({"set": "size", "to": {}})")},
     {"things.json#" + states +
      "/transitions/0/effects/0/to: the constant lacks the required field 'width'; add it"}},
    {"effect_from_two_sources",
     {things(states + "/transitions/0/effects/0/from", R"("size.width")")},
     {"things.json#" + states +
      "/transitions/0/effects/0: exactly one of 'from' and 'to' is required; say where the value comes "
      "from"}},
    {"state_without_a_rule",
     {things(states + "/states/lost", "{}")},
     {"things.json#" + states +
      ": no rule for 'things.report_gone' in the state 'lost'; cover it with exactly one transition or "
      "refusal"}},
    {"state_with_two_rules",
     {things(states + "/refusals/0/before/1", R"("here")")},
     {"things.json#" + states +
      ": more than one rule for 'things.report_gone' in the state 'here'; cover it with exactly one "
      "transition or refusal"}},
    {"two_states_of_one_name",
     {things(states + "/states", R"({"here": {}, "gone": {}, "left-here": {}, "left_here": {}})"),
      things(states + "/refusals/0/before", R"(["gone", "left-here", "left_here"])")},
     {"things.json#" + states +
      "/states/left_here: two states map to 'stateLeftHere'; rename one of the two"}},
    {"report_that_nobody_can_check",
     {things(retrieve, "")},
     {"things.json#" + report +
      ": a report, but nothing retrieves the resource; add an operation of the kind 'retrieve'"}},
    {"report_without_parameters",
     {things(body, R"({"type": "object"})")},
     {"things.json#" + report + ": a report without parameters; add properties to the schema of its body"}},
    {"two_reports_of_one_outcome",
     {things("/paths/~1v1~1things~1{id}~1gone", R"({"post": )" + anotherReport + '}'),
      things(states + "/refusals/1",
             R"({"before": ["here", "gone"], "trigger": "things.gone", "error": "thing_gone"})")},
     {"things.json#/paths/~1v1~1things~1{id}~1gone/post: the outcome 'gone' is also that of things.json#" +
      report + "; rename one of the two"}},
    {"report_without_states",
     {things(states, "")},
     {"things.json#" + report + ": a report, but the resource has no states; add x-states to the schema"}},
};

/// An empty path item at a path that no request can have.
Bad unrequestable(const std::string& name, const std::string& path) {
  std::string escaped;
  for (const char c : path)
    c == '/' ? escaped += "~1" : escaped += c;
  return {"path_" + name,
          {things("/paths/" + escaped, "{}")},
          {"things.json#/paths/" + escaped + ": the path '" + path +
           "' can't be requested; begin it with /v1/ or /v2/; make each segment {id}, or lowercase letters, "
           "digits and single underscores"}};
}

const Bad badOperations[] = {
    {"unknown_kind",
     {things(retrieve + "/x-kind", R"("get")")},
     {"things.json#" + retrieve +
      "/x-kind: unknown kind 'get'; make it 'create', 'retrieve', 'update', 'report', 'list' or 'search'"}},
    {"report_that_reads",
     {things(retrieve + "/x-kind", R"("report")"),
      things(states + "/transitions/1",
             R"({"before": ["here", "gone"], "trigger": "things.retrieve", "after": "gone"})")},
     {"things.json#" + retrieve + ": the kind 'report' does not allow this method; use post",
      "things.json#" + retrieve + ": a write operation without a body; add a requestBody"}},
    {"path_without_id",
     {things(
         "/paths/~1v1~1thing",
         R"({"get": {"operationId": "things.find", "x-kind": "retrieve", "summary": "s", )" + documented +
             R"(, "responses": {"200": {"description": "d", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/thing"}}}}, "default": {"$ref": "root.json#/components/responses/error"}}}})")},
     {"things.json#/paths/~1v1~1thing/get: the kind 'retrieve' does not allow this path; use {id} as its "
      "only path parameter"}},
    {"shared_parameter_with_a_type_of_its_own",
     {root("/components/parameters/colour", R"({"name": "colour", "in": "query", "x-documented": "Lists",
            "schema": {"type": "string", "x-values": [{"value": "red"}]}})"),
      things(retrieve + "/parameters/1", R"({"$ref": "root.json#/components/parameters/colour"})")},
     {"root.json#/components/parameters/colour/schema: a shared parameter with a type that has no name; move "
      "its "
      "schema to #/components/schemas, and refer to it"}},
    {"id_not_among_the_parameters",
     {things(retrieve + "/parameters", "")},
     {"things.json#" + retrieve +
      ": lacks the parameter 'id'; refer to root.json#/components/parameters/id"}},
    {"list_without_its_parameters",
     {things(list + "/parameters", R"([{"$ref": "root.json#/components/parameters/limit"}])")},
     {"things.json#" + list +
          ": lacks the parameter 'starting_after'; refer to root.json#/components/parameters/starting_after",
      "things.json#" + list +
          ": lacks the parameter 'ending_before'; refer to root.json#/components/parameters/ending_before"}},
    {"search_without_its_parameters",
     {things(search + "/parameters/2", "")},
     {"things.json#" + search +
      ": lacks the parameter 'page'; refer to root.json#/components/parameters/page"}},
    {"list_with_one_response",
     {things(list + "/responses/200/content/application~1json/schema",
             R"({"$ref": "#/components/schemas/thing"})")},
     {"things.json#" + list +
      "/responses/200/content/application~1json/schema: the response does not follow the list convention; "
      "make it an allOf of the root schema with x-convention 'list' and an object whose data items refer to "
      "#/components/schemas/thing"}},
    {"retrieve_with_another_response",
     {things(retrieve + "/responses/200/content/application~1json/schema/$ref",
             R"("root.json#/components/schemas/size")")},
     {"things.json#" + retrieve +
      "/responses/200/content/application~1json/schema: the response is not a thing; refer to "
      "#/components/schemas/thing"}},
    {"error_that_is_none",
     {things(retrieve + "/responses/default",
             R"({"description": "d", "content": {"application/json": {"schema": {"type": "object"}}}})")},
     {"things.json#" + retrieve +
      "/responses/default: the response does not follow the error convention; refer to "
      "root.json#/components/responses/error"}},
    {"filter_that_is_no_field",
     {things(list + "/parameters/3", R"({"name": "shade", "in": "query", "schema": {"type": "string"}})")},
     {"things.json#" + list +
      "/parameters/3: the filter 'shade' matches no field of thing in name and type; name one of its fields "
      "and refer to the schema of that field"}},
    {"constant_within_a_parameter",
     {things(body + "/properties/parts",
             R"({"type": "array", "items": {"type": "object", "required": ["kind"],
                                            "properties": {"kind": {"type": "string", "const": "a"}}}})")},
     {"things.json#" + body +
      "/properties/parts/items/properties/kind: a constant among parameters that are not JSON; remove it: no "
      "call sends it"}},
    {"constant_as_parameter",
     {things(body + "/properties/kind", R"({"type": "string", "const": "a"})"),
      things(body + "/required", R"(["gone_at", "kind"])")},
     {"things.json#" + body +
      "/properties/kind: a constant among parameters that are not JSON; remove it: no call sends it"}},
    {"query_of_a_post",
     {things(report + "/parameters/1", R"({"$ref": "root.json#/components/parameters/page"})")},
     {"things.json#" + report +
      "/parameters: a write operation with query parameters; move them to the body"}},
    {"parameter_in_a_cookie",
     {things(list + "/parameters/3", R"({"name": "name", "in": "cookie", "schema": {"type": "string"}})")},
     {"things.json#" + list + "/parameters/3: a parameter in 'cookie'; make it a query parameter"}},
    {"parameter_that_is_not_in_the_path",
     {things(retrieve + "/parameters/1", R"({"name": "part", "in": "path", "schema": {"type": "string"}})")},
     {"things.json#" + retrieve + "/parameters/1: a parameter 'part' that is not in the path; remove it"}},
    {"excluding_itself",
     {root("/components/parameters/limit/x-excludes", R"("limit")")},
     {"root.json#/components/parameters/limit: 'limit' excludes itself; fix x-excludes"}},
    {"parameters_of_lists_and_searches_that_are_something_else",
     {root("/components/parameters/starting_after/required", "true"),
      root("/components/parameters/ending_before/schema", R"({"type": "integer"})"),
      root("/components/parameters/query/required", "false"),
      root("/components/parameters/page/schema", R"({"type": "integer"})")},
     {"root.json#/components/parameters/starting_after: 'starting_after' is not an optional identifier; make "
      "it one",
      "root.json#/components/parameters/ending_before: 'ending_before' is not an optional identifier; make "
      "it "
      "one",
      "root.json#/components/parameters/query: 'query' is not a required string; make it one",
      "root.json#/components/parameters/page: 'page' is not an optional string; make it one"}},
    {"pages_without_objects",
     {root("/components/parameters/limit/schema/minimum", "0"),
      root(schemas + "/search_result/properties/total_count/maximum", "0")},
     {"root.json#/components/parameters/limit/schema/minimum: not a positive number; make it 1 or more",
      "root.json#/components/schemas/search_result/properties/total_count/maximum: not a positive number; "
      "make "
      "it 1 or more"}},
    unrequestable("without_a_version", "/things/none"),
    unrequestable("of_another_version", "/v3/things/none"),
    unrequestable("of_the_control_api", "/_fake/things"),
    unrequestable("without_a_slash", "v1/things/none"),
    unrequestable("with_an_empty_segment", "/v1//things"),
    unrequestable("with_a_slash_at_the_end", "/v1/things/none/"),
    unrequestable("with_a_space", "/v1/other things"),
    unrequestable("with_a_quote", "/v1/\"things\""),
    unrequestable("with_a_query", "/v1/things?all=true"),
    unrequestable("with_encoded_characters", "/v1/th%69ngs"),
    unrequestable("with_an_identifier_in_a_segment", "/v1/things/{id}s"),
    {"excluding_nothing",
     {root("/components/parameters/limit/x-excludes", R"("page_size")")},
     {"root.json#/components/parameters/limit: excludes the parameter 'page_size', which does not exist "
      "here; fix x-excludes"}},
    {"body_that_is_no_object",
     {things(body, R"({"type": "string"})")},
     {"things.json#" + body + ": a body that is not an object; make its type object"}},
    {"status_that_is_no_error",
     {root("/x-errors/thing_gone/status", "200")},
     {"root.json#/x-errors/thing_gone/status: the status of an error response must be from 400 to 599; fix "
      "it"}},
    {"message_with_unknown_placeholders",
     {root("/x-errors/thing_gone/message", R"("The {resource} {thing} is {gone.")")},
     {"root.json#/x-errors/thing_gone/message: unknown placeholder '{thing}'; use {param}, {value}, "
      "{resource} or {detail}",
      "root.json#/x-errors/thing_gone/message: unknown placeholder '{gone.'; use {param}, {value}, "
      "{resource} or {detail}"}},
    {"no_search_convention",
     {root(schemas + "/search_result/x-convention", "")},
     {"root.json#/components/schemas: no schema has the x-convention 'search'; mark the one that defines it",
      "root.json#/components: lacks the parameter 'limit' or the field 'total_count'; add the missing one: "
      "lists and searches need both",
      "things.json#" + search +
          "/responses/200/content/application~1json/schema: the response does not follow the search "
          "convention; make it an allOf of the root schema with x-convention 'search' and an object whose "
          "data items refer to #/components/schemas/thing"}},
};

const std::string theLimit = "things.json#/x-limits/0";

const Bad badLimits[] = {
    {"limit_without_provenance",
     {things("/x-limits",
             R"([{"name": "rate", "description": "A rate.", "metric": "requests", "per": "account",
                              "reason": "global-rate", "window": 1}])")},
     {theLimit + ": no source given; add x-documented with a section, or x-assumed with an assumption, here "
                 "or on an enclosing object"}},
    {"unknown_key_of_limit",
     {limit(R"("rate": 5)")},
     {theLimit +
      "/rate: unknown key 'rate' in a limit; the allowed keys are name, description, metric, per, reason, "
      "kinds, operations, only_with_param, object, counts_for_connected_account, "
      "adds_to_endpoint_rate, number, "
      "live, sandbox, window"}},
    {"unknown_count",
     {limit(R"("metric": "calls")")},
     {theLimit + "/metric: unknown value 'calls'; make it 'requests', 'changes' or 'in_progress'"}},
    {"unknown_scope",
     {limit(R"("per": "user")")},
     {theLimit + "/per: unknown value 'user'; make it 'account', 'operation' or 'object'"}},
    {"unknown_reason",
     {limit(R"("reason": "local-rate")")},
     {theLimit + "/reason: unknown reason 'local-rate'; make it 'global-rate' or 'endpoint-rate'"}},
    {"unknown_group_of_operations",
     {root("/x-errors/thing_gone/applies_to", R"("writes")")},
     {"root.json#/x-errors/thing_gone/applies_to: unknown group of operations 'writes'; make it 'all', "
      "'objects', "
      "'lists', 'parameters', 'bodies', 'changes' or 'reads'"}},
    {"unknown_operation",
     {limit(R"("operations": ["things.make"])")},
     {theLimit + "/operations/0: unknown operation 'things.make'; use an operationId"}},
    {"unknown_kind_of_operation",
     {limit(R"("kinds": ["find"])")},
     {theLimit + "/kinds/0: unknown value 'find'; make it 'create', 'retrieve', 'update', 'report', 'list' "
                 "or 'search'"}},
    {"no_operations",
     {limit(R"("operations": [])")},
     {theLimit + "/operations: an empty list; name some, or remove it: the limit then applies to all"}},
    {"no_kinds",
     {limit(R"("kinds": [])")},
     {theLimit + "/kinds: an empty list; name some, or remove it: the limit then applies to all"}},
    {"operations_and_kinds",
     {limit(R"("operations": ["things.list"], "kinds": ["list"])")},
     {theLimit + ": both 'operations' and 'kinds'; keep one of them"}},
    {"reads_that_change",
     {limit(R"("metric": "changes", "operations": ["things.list"])")},
     {theLimit + "/metric: 'things.list' makes no changes that could be counted; make it \"requests\", or "
                 "name operations that write"}},
    {"parameter_that_is_not_there",
     {limit(R"("operations": ["things.list"], "only_with_param": "size")")},
     {theLimit +
      "/only_with_param: 'things.list' has no parameter 'size'; name a parameter that all operations of the "
      "limit have"}},
    {"parameter_without_operations",
     {limit(R"("only_with_param": "size")")},
     {theLimit + ": a parameter, but no operations; name the operations that have it"}},
    {"object_without_operations",
     {limit(R"("per": "object")")},
     {theLimit + ": a limit per object, but no operations; name the operations on that object"}},
    {"object_that_nothing_names",
     {limit(R"("per": "object", "operations": ["things.list"])")},
     {theLimit + ": 'things.list' has no identifier in its path; set \"object\" to the parameter that holds "
                 "the identifier"}},
    {"object_that_is_no_identifier",
     {limit(R"("per": "object", "operations": ["things.list"], "object": "limit")")},
     {theLimit + "/object: 'limit' of 'things.list' is neither an identifier nor a string; name a parameter "
                 "that holds an identifier"}},
    {"object_of_no_use",
     {limit(R"("operations": ["things.list"], "object": "starting_after")")},
     {theLimit + "/object: an object parameter on a limit that is not per object; set \"per\" to \"object\", "
                 "or remove this"}},
    {"object_of_the_one_who_pays",
     {limit(R"("per": "object", "operations": ["things.list"], "object": "starting_after",
             "counts_for_connected_account": true)")},
     {theLimit +
      "/counts_for_connected_account: a limit per object counts all requests on the object; remove it"}},
    {"number_that_is_not_positive",
     {limit(R"("number": 0)")},
     {theLimit + "/number: not a positive number; make it 1 or more"}},
    {"window_beyond_the_clock",
     {limit(R"("window": 9223372036854775807)"),
      root("/x-read-allocation", R"({"reads_per_transaction": 1, "minimum": 1, "window": 3155760001,
                                     "x-documented": "Things"})")},
     {theLimit + "/window: longer than 100 years; make it 3155760000 or less",
      "root.json#/x-read-allocation/window: longer than 100 years; make it 3155760000 or less"}},
    {"number_twice",
     {limit(R"("number": 5, "live": 6)")},
     {theLimit + ": a number for both modes and one for a single mode; keep one of the two"}},
    {"window_of_what_is_in_progress",
     {limit(R"("metric": "in_progress")")},
     {theLimit + ": a window on a concurrency limit; remove it"}},
    {"adds_to_endpoint_rate_without_operations",
     {limit(R"("adds_to_endpoint_rate": true)")},
     {theLimit + "/adds_to_endpoint_rate: only for rate limits that name operations; remove it"}},
    {"no_window",
     {things("/x-limits",
             R"([{"name": "rate", "description": "A rate.", "metric": "requests", "per": "account",
                              "reason": "global-rate", "x-documented": "Things"}])")},
     {theLimit + ": lacks a window; add the number of seconds for which a request counts"}},
    {"two_limits_of_one_name",
     {things("/x-limits",
             R"([{"name": "a_rate", "description": "A rate.", "metric": "requests", "per": "account",
                  "reason": "global-rate", "window": 1, "x-documented": "Things"},
                 {"name": "a-rate", "description": "A rate.", "metric": "requests", "per": "account",
                  "reason": "global-rate", "window": 1, "x-documented": "Things"}])")},
     {"things.json#/x-limits/1: the limit 'aRate' is also generated from things.json#/x-limits/0; rename one "
      "of the two"}},
    {"name_that_is_taken",
     {limit(R"("number": 5)"), things("/x-limits/0/name", R"("all")")},
     {theLimit + "/name: 'all' is reserved for generated code; choose another name"}},
    {"read_allocation_of_a_resource",
     {things("/x-read-allocation", R"({"reads_per_transaction": 5, "minimum": 1, "window": 1,
                                       "x-documented": "Things"})")},
     {"things.json#/x-read-allocation: the read allocation outside root.json; move it there"}},
    {"read_allocation_of_nothing",
     {root("/x-read-allocation", R"({"reads_per_transaction": 0, "minimum": 1, "window": 1,
                                     "x-documented": "Things"})")},
     {"root.json#/x-read-allocation/reads_per_transaction: not a positive number; make it 1 or more"}},
};

class BadDescription : public testing::TestWithParam<Bad> {};

TEST_P(BadDescription, CausesOneLinePerErrorAndNoOutputFiles) {
  const TempFolder folder;
  writeSmallApi(folder / "api", GetParam().edits);
  const Outcome outcome = generate({"--api", folder / "api", "--out", folder / "out"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.errors, GetParam().lines);
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

std::string nameOf(const testing::TestParamInfo<Bad>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Shapes, BadDescription, testing::ValuesIn(badShapes), nameOf);
INSTANTIATE_TEST_SUITE_P(Patterns, BadDescription, testing::ValuesIn(badPatterns), nameOf);
INSTANTIATE_TEST_SUITE_P(IgnoredKeys, BadDescription, testing::ValuesIn(ignoredKeys), nameOf);
INSTANTIATE_TEST_SUITE_P(Elements, BadDescription, testing::ValuesIn(badElements), nameOf);
INSTANTIATE_TEST_SUITE_P(References, BadDescription, testing::ValuesIn(badReferences), nameOf);
INSTANTIATE_TEST_SUITE_P(Provenance, BadDescription, testing::ValuesIn(badProvenance), nameOf);
INSTANTIATE_TEST_SUITE_P(Names, BadDescription, testing::ValuesIn(badNames), nameOf);
INSTANTIATE_TEST_SUITE_P(Schemas, BadDescription, testing::ValuesIn(badSchemas), nameOf);
INSTANTIATE_TEST_SUITE_P(States, BadDescription, testing::ValuesIn(badStates), nameOf);
INSTANTIATE_TEST_SUITE_P(Operations, BadDescription, testing::ValuesIn(badOperations), nameOf);
INSTANTIATE_TEST_SUITE_P(Limits, BadDescription, testing::ValuesIn(badLimits), nameOf);

TEST(GoodDescription, IsAccepted) {
  const TempFolder folder;
  writeSmallApi(folder / "api");
  const Outcome outcome = generate({"--api", folder / "api", "--out", folder / "out", "--unformatted"});
  EXPECT_THAT(outcome.errors, testing::IsEmpty());
  EXPECT_EQ(outcome.status, 0);
}

TEST(GoodDescription, MayHaveAnyKeysOfAssumptions) {
  const TempFolder folder;
  const std::string assumption = R"({"point": "Point", "choice": "A choice.", "reason": "A reason."})";
  writeSmallApi(folder / "api",
                {root("/x-assumptions/1st", assumption), root("/x-assumptions/a~1b", assumption),
                 root("/x-assumptions/a-b", assumption), root("/x-assumptions/section1", assumption),
                 things(thing + "/x-assumed", R"(["1st", "a/b", "a-b", "section1"])")});
  const Outcome outcome = generate({"--api", folder / "api", "--out", folder / "out", "--unformatted"});
  ASSERT_THAT(outcome.errors, testing::IsEmpty());
  const std::string generated = readFile(folder / "out" / "fake" / "generated" / "provenance.cpp");
  std::set<std::string> arrays;
  const std::regex definition{R"(constexpr std::string_view (.*)\[\] = )"};
  for (std::sregex_iterator found{generated.begin(), generated.end(), definition}, end; found != end;
       ++found) {
    const std::string name = (*found)[1];
    EXPECT_TRUE(std::isalpha(static_cast<unsigned char>(name.front()))) << name;
    EXPECT_TRUE(arrays.insert(name).second) << name;
  }
  EXPECT_THAT(arrays, testing::SizeIs(7));
}

TEST(GoodDescription, MayHaveAnyStates) {
  const TempFolder folder;
  writeSmallApi(
      folder / "api",
      {things(states + "/states", R"({"state": {"shows": [{"set": "size.width", "to": 1}]}, "shows": {}})"),
       things(states + "/initial", R"("state")"), things(states + "/transitions/0/before", R"(["state"])"),
       things(states + "/transitions/0/after", R"("shows")"),
       things(states + "/refusals/0/before", R"(["shows"])")});
  const Outcome outcome = generate({"--api", folder / "api", "--out", folder / "out", "--unformatted"});
  ASSERT_THAT(outcome.errors, testing::IsEmpty());
  const std::string generated = readFile(folder / "out" / "sdk" / "generated" / "src" / "things.cpp");
  EXPECT_THAT(generated, testing::HasSubstr("  stateShows,\n"));
  EXPECT_THAT(generated, testing::Not(testing::HasSubstr(" stateShows[] = {"))) << "the name of the state";
}

// A state called `x_effects`, and a report called `state_x`.
TEST(GoodDescription, MayNameReportsLikeStates) {
  const TempFolder folder;
  writeSmallApi(folder / "api",
                {things(states + "/states", R"({"here": {}, "x_effects": {}})"),
                 things(states + "/transitions/0/after", R"("x_effects")"),
                 things(states + "/transitions/0/trigger", R"("things.state_x")"),
                 things(states + "/refusals/0", R"({"before": ["x_effects"], "trigger": "things.state_x",
                                                    "error": "thing_gone"})"),
                 things(report + "/operationId", R"("things.state_x")")});
  const Outcome outcome = generate({"--api", folder / "api", "--out", folder / "out", "--unformatted"});
  ASSERT_THAT(outcome.errors, testing::IsEmpty());
  const std::string generated = readFile(folder / "out" / "sdk" / "generated" / "src" / "things.cpp");
  EXPECT_THAT(generated, testing::HasSubstr("  stateXEffects,\n"));
  EXPECT_THAT(generated, testing::Not(testing::HasSubstr(" stateXEffects[] = {"))) << "the name of the state";
}

// A raw literal would end there.
TEST(GoodDescription, MayHaveAnyExample) {
  const TempFolder folder;
  writeSmallApi(folder / "api", {things(thing + "/example/name", R"x(")json")x")});
  const Outcome outcome = generate({"--api", folder / "api", "--out", folder / "out", "--unformatted"});
  ASSERT_THAT(outcome.errors, testing::IsEmpty());
  EXPECT_THAT(readFile(folder / "out" / "fake" / "generated" / "things_rules.cpp"),
              testing::AllOf(testing::HasSubstr("R\"json1({\n"), testing::HasSubstr("\n})json1\";\n")));
}

/// The generated sources after each `from` in the description has become `to`.
std::string provenanceWith(const std::string& assumptions, const std::string& from, const std::string& to) {
  const TempFolder folder;
  writeSmallApi(folder / "api", {root("/x-assumptions", assumptions)});
  for (const char* name : {"root.json", "things.json"})
    writeFile(folder / "api" / name,
              std::regex_replace(readFile(folder / "api" / name), std::regex{from}, to));
  const Outcome outcome = generate({"--api", folder / "api", "--out", folder / "out", "--unformatted"});
  EXPECT_THAT(outcome.errors, testing::IsEmpty());
  return readFile(folder / "out" / "fake" / "generated" / "provenance.cpp");
}

// C++ has no empty arrays.
TEST(GoodDescription, MayLackAssumptionsOrDocumentedFacts) {
  const std::string allDocumented =
      provenanceWith("{}", R"("x-assumed":"guess")", R"("x-documented":"Things")");
  EXPECT_THAT(allDocumented, testing::Not(testing::HasSubstr("assumptionTable")));
  EXPECT_THAT(allDocumented, testing::HasSubstr("sectionTable[] = {"));
  const std::string allAssumed =
      provenanceWith(R"({"guess": {"point": "Point", "choice": "A choice.", "reason": "A reason."}})",
                     R"("x-documented":"[A-Z][a-z]+")", R"("x-assumed":"guess")");
  EXPECT_THAT(allAssumed, testing::HasSubstr("assumptionTable[] = {"));
  EXPECT_THAT(allAssumed, testing::Not(testing::HasSubstr("sectionTable")));
}

/// An object with a quote in its name, which is legal in JSON.
TEST(GoodDescription, MayHaveAnyConstants) {
  const TempFolder folder;
  writeSmallApi(
      folder / "api",
      {things(schemas + "/part", R"({"type": "object", "x-documented": "Things", "required": ["object"],
                                               "properties": {"object": {"type": "string", "const": "a \"part\""}}})")});
  const Outcome outcome = generate({"--api", folder / "api", "--out", folder / "out", "--unformatted"});
  ASSERT_THAT(outcome.errors, testing::IsEmpty());
  EXPECT_THAT(readFile(folder / "out" / "sdk" / "generated" / "include" / "tally" / "things.h"),
              testing::HasSubstr(R"code(object = R"(a "part")";)code"));
}

/// The small description, with another resource that is a copy of the first one.
TEST(BadDescription, IsRefusedWhenReportsCanNotTellTwoResourcesApart) {
  const TempFolder folder;
  writeSmallApi(folder / "api");
  std::string others = readFile(folder / "api" / "things.json");
  for (const auto& [from, to] : {std::pair{"things", "others"}, std::pair{"\"thing\"", "\"other\""},
                                 std::pair{"schemas/thing\"", "schemas/other\""}})
    others = std::regex_replace(others, std::regex{from}, to);
  writeFile(folder / "api" / "others.json", others);
  const Outcome outcome = generate({"--api", folder / "api", "--out", folder / "out"});
  EXPECT_THAT(
      outcome.errors,
      testing::ElementsAre(
          "things.json#" + thing +
          ": the prefix 'th_' is also that of others.json#/components/schemas/other; rename one of the two"));
}

TEST(BadDescription, IsRefusedWhenAnOperationIsNamedLikeAResource) {
  const TempFolder folder;
  writeSmallApi(folder / "api");
  std::string text = readFile(folder / "api" / "things.json");
  for (const auto& [from, to] :
       {std::pair{"\"thing\"", "\"things_x\""}, std::pair{"schemas/thing\"", "schemas/things_x\""},
        std::pair{"things.retrieve", "things.x_resource"}})
    text = std::regex_replace(text, std::regex{from}, to);
  writeFile(folder / "api" / "things.json", text);
  EXPECT_THAT(
      generate({"--api", folder / "api", "--out", folder / "out"}).errors,
      testing::ElementsAre("things.json#" + retrieve +
                           ": 'thingsXResource' is reserved for generated code; choose another name"));
}

TEST(BadDescription, IsRefusedWhenItHasNoResources) {
  const TempFolder folder;
  writeSmallApi(folder / "api");
  std::filesystem::remove(folder / "api" / "things.json");
  EXPECT_THAT(generate({"--api", folder / "api", "--out", folder / "out"}).errors,
              testing::ElementsAre("root.json#: there are no resources; add a file for each"));
}

TEST(BadDescription, IsRefusedWhenGeneratedHeadersWouldIncludeEachOther) {
  const TempFolder folder;
  const std::string part =
      R"({"type": "object", "x-documented": "Things", "properties": {"a": {"type": "string"}}})";
  writeSmallApi(folder / "api", {things(schemas + "/thing_part", part),
                                 things(thing + "/properties/other",
                                        R"({"$ref": "others.json#/components/schemas/other_part"})")});
  writeFile(folder / "api" / "others.json", R"({
    "openapi": "3.1.0", "info": {"title": "Others", "version": "2.0.0"},
    "components": {"schemas": {
      "other": {"type": "object", "x-documented": "Things",
        "x-resource": {"plural": "others", "id_prefix": "ot_", "description": "Others."},
        "required": ["id", "object"],
        "properties": {
          "id": {"type": "string", "x-id": "self"},
          "object": {"type": "string", "const": "other"},
          "part": {"$ref": "things.json#/components/schemas/thing_part"}},
        "example": {"id": "ot_1", "object": "other"}},
      "other_part": )" + part + "}}}");
  const Outcome outcome = generate({"--api", folder / "api", "--out", folder / "out"});
  EXPECT_THAT(outcome.errors, testing::ElementsAre("others.json#: headers include each other: others.h, "
                                                   "things.h, others.h; move what they share to root.json"));
}

}  // namespace

}  // namespace tally::codegen::test
