#include "emit/sdk/printers.h"

#include "emit/text/layout.h"

namespace tally::codegen::emit {

namespace {

Expression printerOf(const std::string& type) {
  return {"std::ostream& operator<<(", {{"std::ostream& out"}, {"const " + type + "& value"}}, ")"};
}

}  // namespace

std::string printerDeclaration(const std::string& type) {
  return fit(2, "friend ", printerOf(type), ";");
}

std::string printerDefinition(const std::string& type, const std::string& printed) {
  return fit(0, "", printerOf(type), " {") + "\n  return " + printed + ";\n}";
}

std::string pagePrinter(const model::Resource& resource) {
  return fit(0, "template ", printerOf("Page<" + resource.model->cppName + '>'), ";");
}

}  // namespace tally::codegen::emit
