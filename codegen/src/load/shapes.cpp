#include "load/shapes.h"

namespace tally::codegen::load {

namespace {

constexpr bool required = true;

extern const Shape schemaShape;

constexpr Key infoKeys[] = {
    {"title", Form::text, nullptr, required},
    {"version", Form::text, nullptr, required},
    {"description"},
};
constexpr Shape infoShape{"the info", infoKeys};

constexpr Key serverKeys[] = {{"url", Form::text, nullptr, required}, {"description"}};
constexpr Shape serverShape{"a server", serverKeys};

constexpr Key assumptionKeys[] = {
    {"point", Form::text, nullptr, required},
    {"choice", Form::text, nullptr, required},
    {"reason", Form::text, nullptr, required},
    {"setting"},
    {"general", Form::boolean},
};
constexpr Shape assumptionShape{"an assumption", assumptionKeys};

constexpr Key errorKeys[] = {
    {"status", Form::integer, nullptr, required},
    {"type", Form::text, nullptr, required},
    {"code", Form::text, nullptr, required},
    {"message", Form::text, nullptr, required},
    {"request_id", Form::boolean},
    {"reason", Form::boolean},
    {"applies_to"},
};
constexpr Shape errorShape{"an error response", errorKeys, true};

constexpr Key limitKeys[] = {
    {"name", Form::text, nullptr, required},
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
    {"window", Form::integer},
};
constexpr Shape limitShape{"a limit", limitKeys, true};

constexpr Key allocationKeys[] = {
    {"reads_per_transaction", Form::integer, nullptr, required},
    {"minimum", Form::integer, nullptr, required},
    {"window", Form::integer, nullptr, required},
};
constexpr Shape allocationShape{"the read allocation", allocationKeys, true};

constexpr Key valueKeys[] = {{"value", Form::text, nullptr, required}, {"name"}, {"description"}};
constexpr Shape valueShape{"a value", valueKeys};

constexpr Key resourceKeys[] = {
    {"plural", Form::text, nullptr, required},
    {"id_prefix", Form::text, nullptr, required},
    {"description", Form::text, nullptr, required},
    {"outside_read_allocation", Form::boolean},
    {"is_transaction", Form::boolean},
    {"is_account", Form::boolean},
};
constexpr Shape resourceShape{"a resource", resourceKeys};

constexpr Key opaqueKeys[] = {{"id_prefix", Form::text, nullptr, required}};
constexpr Shape opaqueShape{"x-opaque", opaqueKeys};

constexpr Key assignmentKeys[] = {{"set", Form::text, nullptr, required}, {"from"}, {"to", Form::any}};
constexpr Shape assignmentShape{"an assignment", assignmentKeys};

constexpr Key stateKeys[] = {{"description"}, {"shows", Form::list, &assignmentShape}};
constexpr Shape stateShape{"a state", stateKeys, true};

constexpr Key transitionKeys[] = {
    {"before", Form::texts, nullptr, required},
    {"trigger", Form::text, nullptr, required},
    {"after", Form::text, nullptr, required},
    {"effects", Form::list, &assignmentShape},
};
constexpr Shape transitionShape{"a transition", transitionKeys, true};

constexpr Key refusalKeys[] = {
    {"before", Form::texts, nullptr, required},
    {"trigger", Form::text, nullptr, required},
    {"error", Form::text, nullptr, required},
};
constexpr Shape refusalShape{"a refusal", refusalKeys, true};

constexpr Key machineKeys[] = {
    {"of", Form::text, nullptr, required},
    {"initial", Form::text, nullptr, required},
    {"states", Form::map, &stateShape, required},
    {"on_create", Form::list, &assignmentShape},
    {"transitions", Form::list, &transitionShape, required},
    {"refusals", Form::list, &refusalShape},
};
constexpr Shape machineShape{"x-states", machineKeys, true};

constexpr Key searchableKeys[] = {{"fields", Form::texts, nullptr, required}};
constexpr Shape searchableShape{"x-searchable", searchableKeys, true};

constexpr Key metadataEditKeys[] = {
    {"empty_value", Form::text, nullptr, required},
    {"empty", Form::text, nullptr, required},
};
constexpr Shape metadataEditShape{"x-metadata-edit", metadataEditKeys};

constexpr Key schemaKeys[] = {
    {"type", Form::textOrTexts},
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
    {"x-expanded", Form::boolean},
};
constexpr Shape schemaShape{"a schema", schemaKeys, true, true};

constexpr Key mediaTypeKeys[] = {{"schema", Form::object, &schemaShape, required}};
constexpr Shape mediaTypeShape{"a media type", mediaTypeKeys};

constexpr Key contentKeys[] = {
    {"application/json", Form::object, &mediaTypeShape},
    {"application/x-www-form-urlencoded", Form::object, &mediaTypeShape},
};
constexpr Shape contentShape{"the content", contentKeys};

constexpr Key headerKeys[] = {
    {"x-name", Form::text, nullptr, required},
    {"description"},
    {"schema", Form::object, &schemaShape, required},
};
constexpr Shape headerShape{"a header", headerKeys, true, true};

constexpr Key parameterKeys[] = {
    {"name", Form::text, nullptr, required},
    {"in", Form::text, nullptr, required},
    {"required", Form::boolean},
    {"description"},
    {"schema", Form::object, &schemaShape, required},
    {"x-excludes"},
};
constexpr Shape parameterShape{"a parameter", parameterKeys, true, true};

constexpr Key bodyKeys[] = {
    {"required", Form::boolean},
    {"content", Form::object, &contentShape, required},
};
constexpr Shape bodyShape{"a request body", bodyKeys, true};

constexpr Key responseKeys[] = {
    {"description", Form::text, nullptr, required},
    {"headers", Form::map, &headerShape},
    {"content", Form::object, &contentShape, required},
};
constexpr Shape responseShape{"a response", responseKeys, true, true};

constexpr Key responsesKeys[] = {
    {"200", Form::object, &responseShape, required},
    {"default", Form::object, &responseShape, required},
};
constexpr Shape responsesShape{"the responses", responsesKeys};

constexpr Key operationKeys[] = {
    {"operationId", Form::text, nullptr, required},
    {"x-kind", Form::text, nullptr, required},
    {"summary", Form::text, nullptr, required},
    {"description"},
    {"parameters", Form::list, &parameterShape},
    {"requestBody", Form::object, &bodyShape},
    {"responses", Form::object, &responsesShape, required},
};
constexpr Shape operationShape{"an operation", operationKeys, true};

constexpr Key pathKeys[] = {{"get", Form::object, &operationShape}, {"post", Form::object, &operationShape}};
constexpr Shape pathShape{"a path", pathKeys};

constexpr Key securitySchemeKeys[] = {
    {"type", Form::text, nullptr, required},
    {"scheme", Form::text, nullptr, required},
    {"description"},
};
constexpr Shape securitySchemeShape{"a security scheme", securitySchemeKeys, true};

constexpr Key componentsKeys[] = {
    {"securitySchemes", Form::map, &securitySchemeShape},
    {"headers", Form::map, &headerShape},
    {"parameters", Form::map, &parameterShape},
    {"schemas", Form::map, &schemaShape},
    {"responses", Form::map, &responseShape},
};
constexpr Shape componentsShape{"the components", componentsKeys};

constexpr Key documentKeys[] = {
    {"openapi", Form::text, nullptr, required},
    {"info", Form::object, &infoShape, required},
    {"servers", Form::list, &serverShape},
    {"security", Form::any},
    {"x-sections", Form::texts},
    {"x-assumptions", Form::map, &assumptionShape},
    {"x-errors", Form::map, &errorShape},
    {"x-limits", Form::list, &limitShape},
    {"x-read-allocation", Form::object, &allocationShape},
    {"paths", Form::map, &pathShape},
    {"components", Form::object, &componentsShape},
};

}  // namespace

constexpr Shape documentShape{"an API description", documentKeys};

}  // namespace tally::codegen::load
