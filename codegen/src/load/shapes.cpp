#include "load/shapes.h"

#include <algorithm>

namespace tally::codegen::load {

namespace {

Key needed(std::string_view name, Form form = Form::text, const Shape* shape = nullptr) {
  return {name, form, shape, true};
}

extern const Shape schemaShape;

const Shape infoShape{"the info", {needed("title"), needed("version"), {"description"}}};

const Shape serverShape{"a server", {needed("url"), {"description"}}};

const Shape assumptionShape{
    "an assumption",
    {needed("point"), needed("choice"), needed("reason"), {"setting"}, {"general", Form::boolean}}};

const Shape errorShape{"an error response",
                       {needed("status", Form::integer),
                        needed("type"),
                        needed("code"),
                        needed("message", Form::quoted),
                        {"request_id", Form::boolean},
                        {"reason", Form::boolean},
                        {"applies_to"}},
                       true};

const Shape limitShape{"a limit",
                       {needed("name"),
                        needed("description"),
                        needed("metric"),
                        needed("per"),
                        needed("reason"),
                        {"kinds", Form::texts},
                        {"operations", Form::texts},
                        {"only_with_param"},
                        {"object"},
                        {"counts_for_connected_account", Form::boolean},
                        {"adds_to_endpoint_rate", Form::boolean},
                        {"number", Form::integer},
                        {"live", Form::integer},
                        {"sandbox", Form::integer},
                        {"window", Form::integer}},
                       true};

const Shape allocationShape{"the read allocation",
                            {needed("reads_per_transaction", Form::integer), needed("minimum", Form::integer),
                             needed("window", Form::integer)},
                            true};

const Shape valueShape{"a value", {needed("value"), {"name"}, {"description"}}};

const Shape resourceShape{"a resource",
                          {needed("plural"),
                           needed("id_prefix"),
                           needed("description"),
                           {"outside_read_allocation", Form::boolean},
                           {"is_transaction", Form::boolean},
                           {"is_account", Form::boolean}}};

const Shape opaqueShape{"x-opaque", {needed("id_prefix")}};

const Shape assignmentShape{"an assignment", {needed("set"), {"from"}, {"to", Form::any}}};

const Shape stateShape{"a state", {{"description"}, {"shows", Form::list, &assignmentShape}}, true};

const Shape transitionShape{"a transition",
                            {needed("before", Form::texts),
                             needed("trigger"),
                             needed("after"),
                             {"effects", Form::list, &assignmentShape}},
                            true};

const Shape refusalShape{
    "a refusal", {needed("before", Form::texts), needed("trigger"), needed("error")}, true};

const Shape machineShape{"x-states",
                         {needed("of"),
                          needed("initial"),
                          needed("states", Form::map, &stateShape),
                          {"on_create", Form::list, &assignmentShape},
                          needed("transitions", Form::list, &transitionShape),
                          {"refusals", Form::list, &refusalShape}},
                         true};

const Shape searchableShape{"x-searchable", {needed("fields", Form::texts)}, true};

const Shape metadataEditShape{"x-metadata-edit", {needed("empty_value"), needed("empty")}};

const Shape schemaShape{"a schema",
                        {{"type", Form::textOrTexts},
                         {"description"},
                         {"format"},
                         {"minimum", Form::integer},
                         {"maximum", Form::integer},
                         {"minLength", Form::integer},
                         {"maxLength", Form::integer},
                         {"pattern"},
                         {"default", Form::any},
                         {"const"},
                         {"enum", Form::texts},
                         {"items", Form::object, &schemaShape},
                         {"properties", Form::map, &schemaShape},
                         {"required", Form::texts},
                         {"additionalProperties", Form::object, &schemaShape},
                         {"allOf", Form::list, &schemaShape},
                         {"example", Form::any},
                         {"x-id"},
                         {"x-values", Form::list, &valueShape},
                         {"x-resource", Form::object, &resourceShape},
                         {"x-opaque", Form::object, &opaqueShape},
                         {"x-states", Form::object, &machineShape},
                         {"x-searchable", Form::object, &searchableShape},
                         {"x-metadata-edit", Form::object, &metadataEditShape},
                         {"x-convention"},
                         {"x-expanded", Form::boolean}},
                        true,
                        "schemas",
                        true};

const Shape mediaTypeShape{"a media type", {needed("schema", Form::object, &schemaShape)}};

const Shape contentShape{"the content",
                         {{"application/json", Form::object, &mediaTypeShape},
                          {"application/x-www-form-urlencoded", Form::object, &mediaTypeShape}}};

const Shape headerShape{"a header",
                        {needed("x-name"), {"description"}, needed("schema", Form::object, &schemaShape)},
                        true,
                        "headers"};

const Shape parameterShape{"a parameter",
                           {needed("name"),
                            needed("in"),
                            {"required", Form::boolean},
                            {"description"},
                            needed("schema", Form::object, &schemaShape),
                            {"x-excludes"}},
                           true,
                           "parameters"};

const Shape bodyShape{
    "a request body", {{"required", Form::boolean}, needed("content", Form::object, &contentShape)}, true};

const Shape responseShape{"a response",
                          {needed("description"),
                           {"headers", Form::map, &headerShape},
                           needed("content", Form::object, &contentShape)},
                          true,
                          "responses"};

const Shape responsesShape{
    "the responses",
    {needed("200", Form::object, &responseShape), needed("default", Form::object, &responseShape)}};

const Shape operationShape{"an operation",
                           {needed("operationId"),
                            needed("x-kind"),
                            needed("summary"),
                            {"description"},
                            {"parameters", Form::list, &parameterShape},
                            {"requestBody", Form::object, &bodyShape},
                            needed("responses", Form::object, &responsesShape)},
                           true};

const Shape pathShape{"a path",
                      {{"get", Form::object, &operationShape}, {"post", Form::object, &operationShape}}};

const Shape securitySchemeShape{
    "a security scheme", {needed("type"), needed("scheme"), {"description"}}, true};

const Shape componentsShape{"the components",
                            {{"securitySchemes", Form::map, &securitySchemeShape},
                             {"headers", Form::map, &headerShape},
                             {"parameters", Form::map, &parameterShape},
                             {"schemas", Form::map, &schemaShape},
                             {"responses", Form::map, &responseShape}}};

}  // namespace

const Shape documentShape{"an API description",
                          {needed("openapi"),
                           needed("info", Form::object, &infoShape),
                           {"servers", Form::list, &serverShape},
                           {"security", Form::any},
                           {"x-sections", Form::texts},
                           {"x-assumptions", Form::map, &assumptionShape},
                           {"x-errors", Form::map, &errorShape},
                           {"x-limits", Form::list, &limitShape},
                           {"x-read-allocation", Form::object, &allocationShape},
                           {"paths", Form::map, &pathShape},
                           {"components", Form::object, &componentsShape}}};

const Key* find(std::span<const Key> keys, std::string_view name) {
  const auto found = std::ranges::find(keys, name, &Key::name);
  return found == keys.end() ? nullptr : &*found;
}

}  // namespace tally::codegen::load
