#include "printers.h"

#include "layout.h"

namespace tally::codegen::emit {

namespace {

Expression printerOf(const std::string& type) {
  return {"std::ostream& operator<<(", {{"std::ostream& out"}, {"const " + type + "& value"}}, ")"};
}

}  // namespace

std::string printerDeclaration(const model::Struct& type) {
  return fit(2, "friend ", printerOf(type.cppName), ";");
}

std::string printerDefinition(const model::Struct& type) {
  return fit(0, "", printerOf(type.cppName), " {") + "\n  return detail::print(out, value);\n}";
}

std::string pagePrinter(const model::Resource& resource) {
  return fit(0, "template ", printerOf("Page<" + resource.model->cppName + '>'), ";");
}

}  // namespace tally::codegen::emit
