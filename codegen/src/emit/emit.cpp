#include "emit/emit.h"

#include <algorithm>

#include "emit/text/emitters.h"

namespace tally::codegen::emit {

std::vector<File> emit(const model::Description& description, const std::filesystem::path& folder) {
  Templates templates{folder};
  std::vector<File> files;
  emitHeaders(description, templates, files);
  emitLimits(description, templates, files);
  emitServices(description, templates, files);
  emitAsyncServices(description, templates, files);
  emitStructTables(description, templates, files);
  emitOperationTable(description, templates, files);
  emitFakeTables(description, templates, files);
  emitDocs(description, templates, files);
  emitOperationReference(description, templates, files);
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.path < b.path; });
  return files;
}

}  // namespace tally::codegen::emit
