#include "arguments.h"

#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "text/suggestion.h"

namespace tally::detail {

const char* const helpText =
    R"(usage: tally-report [OPTION...] FILE
Reports the outcomes of payments in FILE: CSV with a header, or, if its name ends in .ndjson or .jsonl, one JSON
object per line. The API key is taken from the TALLY_API_KEY environment variable.

  --url URL        the address of the service; required except with --dry-run
  --account NAME   identifies the account to the journal; required to resume with another key or URL
  --rate N         at most N requests per second; 0: no limit (default: the documented limits, 25 in the
                   sandbox and 100 in live mode); above that, also at most N per endpoint instead of 25
  --dry-run        check FILE, and send nothing
  --resume         continue a run that was stopped or killed; finished reports are not sent again; needs the
                   journal of that run
  --journal PATH   the journal (default: FILE.journal); keep it until the run is complete; to give up a run,
                   remove it, then correct and report a copy of the refused rows
  --refused PATH   the rows that were not applied, with reasons (default: FILE.refused.csv); if FILE is CSV,
                   correct a copy of these rows and report the copy
  --help           show this help
  --version        show the version

Columns: id, outcome (canceled, failed, guaranteed) and time (seconds since 1970, or like 2026-01-31T12:00:00Z)
are required; with attempt (par_...), lost reports can be resolved without reading the record first; reference
is for your own use; metadata[KEY] sets a key, unless the field is empty.

Rows are numbered from 1, excluding the header and empty lines. Line numbers start at 1 and include both.

Exit status: 0 if all reports were applied; 1 if the run is not complete (see the message, then run again with
--resume); 2 if nothing was sent (see the message); 3 if some rows were refused or have an unknown outcome. The
first SIGINT or SIGTERM ends the run once the reports in flight are decided; the second ends it immediately, with
status 130 or 143.
)";

namespace {

std::int64_t numberIn(std::string_view option, std::string_view text) {
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc{} || end != text.data() + text.size() || number < 0)
    throw UsageError{std::string{option} + " expects a number, not '" + std::string{text} + '\''};
  return number;
}

constexpr std::array<std::string_view, 9> optionNames{
    "--url", "--account", "--rate", "--dry-run", "--resume", "--journal", "--refused", "--help", "--version"};

[[noreturn]] void refuse(std::string_view argument) {
  const std::string similar = argument.starts_with('-') ? suggestion(argument, optionNames) : "";
  throw UsageError{"unexpected argument '" + std::string{argument} + '\'' + similar +
                   (similar.empty() ? "; see --help" : " See --help")};
}

void checkComplete(const Arguments& arguments) {
  if (arguments.file.empty() && !arguments.help && !arguments.version)
    throw UsageError{"FILE is missing; see --help"};
}

std::filesystem::path canonical(const std::string& name) {
  std::error_code unknown;
  const std::filesystem::path path = std::filesystem::weakly_canonical(name, unknown);
  return unknown ? std::filesystem::path{name} : path;
}

/// The journal, and what is beside it: see SqliteJournal.
constexpr std::array journalFiles{"", "-wal", "-shm", "-journal", ".lock"};

/// Otherwise, the rows that were not applied would replace the other rows, or what has been sent.
void checkDistinct(const Arguments& arguments) {
  const std::filesystem::path file = canonical(arguments.file);
  const std::filesystem::path refused = canonical(refusedFile(arguments.refused));
  std::filesystem::path incomplete = refused;
  incomplete += incompleteSuffix;
  if (refused == file) throw UsageError{"--refused names FILE itself; name another file"};
  if (incomplete == file)
    throw UsageError{
        "--refused names FILE without its end, .part, with which the rows are written first; name another "
        "file"};
  for (const char* const suffix : journalFiles) {
    std::filesystem::path own = canonical(arguments.journal);
    own += suffix;
    if (own == file) throw UsageError{"--journal names a journal that would replace FILE; name another file"};
    if (own == refused || own == incomplete)
      throw UsageError{"--refused names the journal, or a file beside it; name another file"};
  }
}

}  // namespace

std::string defaultJournal(const std::string& file) {
  return file + ".journal";
}

std::string refusedFile(const std::string& name) {
  constexpr int mostLinks = 40;  // as Linux has it
  std::error_code error;
  std::filesystem::path file = name;
  for (int links = 0; links < mostLinks && std::filesystem::is_symlink(file, error); ++links) {
    const bool isOfDescriptor = canonical(file.parent_path().string()).native().starts_with("/proc/");
    if (isOfDescriptor && std::filesystem::is_regular_file(file, error))
      throw UsageError{"--refused names an open file by its descriptor, " + name + "; name the file itself"};
    if (isOfDescriptor) return name;
    file = file.parent_path() / std::filesystem::read_symlink(file, error);
  }
  return file.string();
}

Arguments parseArguments(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option{argv[i]};
    const auto value = [&]() -> std::string {
      if (++i == argc) throw UsageError{std::string{option} + " expects a value"};
      return argv[i];
    };
    if (option == "--help") {
      arguments.help = true;
    } else if (option == "--version") {
      arguments.version = true;
    } else if (option == "--dry-run") {
      arguments.dryRun = true;
    } else if (option == "--resume") {
      arguments.resume = true;
    } else if (option == "--url") {
      arguments.url = value();
    } else if (option == "--account") {
      arguments.account = value();
    } else if (option == "--rate") {
      arguments.rate = numberIn(option, value());
    } else if (option == "--journal") {
      arguments.journal = value();
    } else if (option == "--refused") {
      arguments.refused = value();
    } else if (option.starts_with('-') || !arguments.file.empty()) {
      refuse(option);
    } else {
      arguments.file = option;
    }
  }
  checkComplete(arguments);
  if (arguments.journal.empty()) arguments.journal = defaultJournal(arguments.file);
  if (arguments.refused.empty()) arguments.refused = arguments.file + ".refused.csv";
  if (!arguments.file.empty()) checkDistinct(arguments);
  return arguments;
}

}  // namespace tally::detail
