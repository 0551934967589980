#include "emit/emit.h"

#include <algorithm>

#include "emit/docs/docs.h"
#include "emit/fake/fake.h"
#include "emit/sdk/sdk.h"

namespace tally::codegen::emit {

std::vector<File> emit(const model::Description& description, const std::filesystem::path& folder) {
  Templates templates{folder, description.version};
  std::vector<File> files;
  emitSdk(description, templates, files);
  emitFake(description, templates, files);
  emitDocs(description, templates, files);
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.path < b.path; });
  return files;
}

}  // namespace tally::codegen::emit
