#include "emit/sdk/field_tables.h"

#include "model/names.h"

namespace tally::codegen::emit {

namespace {

using model::Field;
using model::Kind;

Expression wrap(const std::string& function, std::vector<Expression> arguments, Expression inner) {
  arguments.push_back(std::move(inner));
  return {function + '(', std::move(arguments), ")"};
}

Expression plain(const Field& field, const model::Struct& owner) {
  Expression result{"field<&" + owner.cppName + "::" + field.cppName + ">(", {{literal(field.name)}}, ")"};
  if (field.required) result.arguments.push_back({"Presence::required"});
  return result;
}

bool isNumber(const Field& field) {
  return field.type.kind == Kind::integer || field.type.kind == Kind::time;
}

Expression row(const Field& field, const model::Struct& owner) {
  if (field.type.kind == Kind::constant)
    return {"constant(", {{literal(field.name)}, {literal(field.constant)}}, ")"};
  Expression result = plain(field, owner);
  const bool number = isNumber(field);
  if (number && field.minimum && field.maximum) {
    result = wrap("between", {{std::to_string(*field.minimum)}, {std::to_string(*field.maximum)}}, result);
  } else if (number && field.minimum) {
    result = wrap("atLeast", {{std::to_string(*field.minimum)}}, result);
  }
  if (field.lowercaseLetters != 0)
    result = wrap("lowercase", {{std::to_string(field.lowercaseLetters)}}, result);
  if (!field.idPrefix.empty()) result = wrap("identifier", {{literal(field.idPrefix)}}, result);
  if (field.nullable) result = wrap("nullable", {}, result);
  if (!field.excludes.empty()) result = wrap("excluding", {{literal(field.excludes)}}, result);
  return result;
}

}  // namespace

std::string tableName(const model::Struct& type) {
  return model::camelCase(type.name) + "Fields";
}

Lines fieldLines(const model::Struct& type) {
  Lines lines;
  for (const Field& field : type.fields)
    lines.push_back(fit(4, "", row(field, type), ","));
  return lines;
}

std::string schemaDefinition(const model::Struct& type) {
  const Expression value{"describe<" + type.cppName + ">(", {{literal(type.name)}, {tableName(type)}}, ")"};
  return assignment(0, "constinit const Struct Schema<" + type.cppName + ">::value", value, ";");
}

}  // namespace tally::codegen::emit
