#include "output/clang_format.h"

#include <stdexcept>
#include <system_error>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output/temp_folder.h"
#include "output/text_file.h"

namespace tally::codegen::output {

namespace fs = std::filesystem;

namespace {

fs::path styleOf(const fs::path& root) {
  for (fs::path folder = fs::absolute(root).lexically_normal();; folder = folder.parent_path()) {
    if (fs::exists(folder / ".clang-format")) return folder / ".clang-format";
    if (folder == folder.parent_path())
      throw std::runtime_error{root.string() + ": no .clang-format there or above; pass --unformatted"};
  }
}

void run(std::vector<std::string> arguments) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t process = 0;
  const int failed = posix_spawnp(&process, pointers[0], nullptr, nullptr, pointers.data(), environ);
  if (failed != 0)
    throw std::runtime_error{arguments[0] + ": can't be run: " + std::generic_category().message(failed) +
                             "; install it, name another one with --clang-format, or pass --unformatted"};
  int status = 0;
  if (waitpid(process, &status, 0) != process || status != 0)
    throw std::runtime_error{arguments[0] + ": failed; nothing was changed"};
}

}  // namespace

void format(std::vector<emit::File>& files, const std::string& program, const fs::path& root) {
  const TempFolder folder{fs::temp_directory_path()};
  std::vector<std::string> arguments{program, "-i", "--style=file:" + styleOf(root).string()};
  std::vector<emit::File*> sources;
  for (emit::File& file : files) {
    if (!file.path.ends_with(".h") && !file.path.ends_with(".cpp")) continue;
    writeText(folder / file.path, file.text);
    arguments.push_back((folder / file.path).string());
    sources.push_back(&file);
  }
  run(std::move(arguments));
  for (emit::File* source : sources)
    source->text = readText(folder / source->path).value();
}

}  // namespace tally::codegen::output
