#include "emit.h"

#include <algorithm>

#include "docs.h"
#include "fake_tables.h"
#include "headers.h"
#include "limits.h"
#include "services.h"
#include "sources.h"
#include "tables.h"

namespace tally::codegen::emit {

std::vector<File> emit(const model::Description& description, const std::filesystem::path& folder) {
  Templates templates{folder};
  std::vector<File> files;
  emitHeaders(description, templates, files);
  emitLimits(description, templates, files);
  emitServices(description, templates, files);
  emitSources(description, templates, files);
  emitTables(description, templates, files);
  emitFakeTables(description, templates, files);
  emitDocs(description, templates, files);
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.path < b.path; });
  return files;
}

}  // namespace tally::codegen::emit
