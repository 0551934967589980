#include "load/shapes.h"

#include <algorithm>

namespace tally::codegen::load {

namespace {

constexpr bool required = true;

extern const Shape schemaShape;

const Shape infoShape{
    "the info",
    {{"title", Form::text, nullptr, required}, {"version", Form::text, nullptr, required}, {"description"}}};

const Shape serverShape{"a server", {{"url", Form::text, nullptr, required}, {"description"}}};

const Shape assumptionShape{"an assumption",
                            {{"point", Form::text, nullptr, required},
                             {"choice", Form::text, nullptr, required},
                             {"reason", Form::text, nullptr, required},
                             {"setting"},
                             {"general", Form::boolean}}};

const Shape errorShape{"an error response",
                       {{"status", Form::integer, nullptr, required},
                        {"type", Form::text, nullptr, required},
                        {"code", Form::text, nullptr, required},
                        {"message", Form::text, nullptr, required},
                        {"request_id", Form::boolean},
                        {"reason", Form::boolean},
                        {"applies_to"}},
                       true};

const Shape limitShape{"a limit",
                       {{"name", Form::text, nullptr, required},
                        {"description", Form::text, nullptr, required},
                        {"metric", Form::text, nullptr, required},
                        {"per", Form::text, nullptr, required},
                        {"reason", Form::text, nullptr, required},
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
                            {{"reads_per_transaction", Form::integer, nullptr, required},
                             {"minimum", Form::integer, nullptr, required},
                             {"window", Form::integer, nullptr, required}},
                            true};

const Shape valueShape{"a value", {{"value", Form::text, nullptr, required}, {"name"}, {"description"}}};

const Shape resourceShape{"a resource",
                          {{"plural", Form::text, nullptr, required},
                           {"id_prefix", Form::text, nullptr, required},
                           {"description", Form::text, nullptr, required},
                           {"outside_read_allocation", Form::boolean},
                           {"is_transaction", Form::boolean},
                           {"is_account", Form::boolean}}};

const Shape opaqueShape{"x-opaque", {{"id_prefix", Form::text, nullptr, required}}};

const Shape assignmentShape{"an assignment",
                            {{"set", Form::text, nullptr, required}, {"from"}, {"to", Form::any}}};

const Shape stateShape{"a state", {{"description"}, {"shows", Form::list, &assignmentShape}}, true};

const Shape transitionShape{"a transition",
                            {{"before", Form::texts, nullptr, required},
                             {"trigger", Form::text, nullptr, required},
                             {"after", Form::text, nullptr, required},
                             {"effects", Form::list, &assignmentShape}},
                            true};

const Shape refusalShape{"a refusal",
                         {{"before", Form::texts, nullptr, required},
                          {"trigger", Form::text, nullptr, required},
                          {"error", Form::text, nullptr, required}},
                         true};

const Shape machineShape{"x-states",
                         {{"of", Form::text, nullptr, required},
                          {"initial", Form::text, nullptr, required},
                          {"states", Form::map, &stateShape, required},
                          {"on_create", Form::list, &assignmentShape},
                          {"transitions", Form::list, &transitionShape, required},
                          {"refusals", Form::list, &refusalShape}},
                         true};

const Shape searchableShape{"x-searchable", {{"fields", Form::texts, nullptr, required}}, true};

const Shape metadataEditShape{
    "x-metadata-edit",
    {{"empty_value", Form::text, nullptr, required}, {"empty", Form::text, nullptr, required}}};

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
                        true};

const Shape mediaTypeShape{"a media type", {{"schema", Form::object, &schemaShape, required}}};

const Shape contentShape{"the content",
                         {{"application/json", Form::object, &mediaTypeShape},
                          {"application/x-www-form-urlencoded", Form::object, &mediaTypeShape}}};

const Shape headerShape{"a header",
                        {{"x-name", Form::text, nullptr, required},
                         {"description"},
                         {"schema", Form::object, &schemaShape, required}},
                        true,
                        true};

const Shape parameterShape{"a parameter",
                           {{"name", Form::text, nullptr, required},
                            {"in", Form::text, nullptr, required},
                            {"required", Form::boolean},
                            {"description"},
                            {"schema", Form::object, &schemaShape, required},
                            {"x-excludes"}},
                           true,
                           true};

const Shape bodyShape{"a request body",
                      {{"required", Form::boolean}, {"content", Form::object, &contentShape, required}},
                      true};

const Shape responseShape{"a response",
                          {{"description", Form::text, nullptr, required},
                           {"headers", Form::map, &headerShape},
                           {"content", Form::object, &contentShape, required}},
                          true,
                          true};

const Shape responsesShape{
    "the responses",
    {{"200", Form::object, &responseShape, required}, {"default", Form::object, &responseShape, required}}};

const Shape operationShape{"an operation",
                           {{"operationId", Form::text, nullptr, required},
                            {"x-kind", Form::text, nullptr, required},
                            {"summary", Form::text, nullptr, required},
                            {"description"},
                            {"parameters", Form::list, &parameterShape},
                            {"requestBody", Form::object, &bodyShape},
                            {"responses", Form::object, &responsesShape, required}},
                           true};

const Shape pathShape{"a path",
                      {{"get", Form::object, &operationShape}, {"post", Form::object, &operationShape}}};

const Shape securitySchemeShape{
    "a security scheme",
    {{"type", Form::text, nullptr, required}, {"scheme", Form::text, nullptr, required}, {"description"}},
    true};

const Shape componentsShape{"the components",
                            {{"securitySchemes", Form::map, &securitySchemeShape},
                             {"headers", Form::map, &headerShape},
                             {"parameters", Form::map, &parameterShape},
                             {"schemas", Form::map, &schemaShape},
                             {"responses", Form::map, &responseShape}}};

}  // namespace

const Shape documentShape{"an API description",
                          {{"openapi", Form::text, nullptr, required},
                           {"info", Form::object, &infoShape, required},
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
