#include "output.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "arguments.h"
#include "text/fingerprint.h"

namespace tally::detail {

namespace {

/// The columns before those of the input. ReportReader knows them.
constexpr std::array<const char*, 4> added{"row", "line", "end", "reason"};
constexpr std::size_t endColumn = 2;

bool isAdded(std::string_view column) {
  return std::ranges::find(added, column) != added.end();
}

std::string timeOf(const Report& report) {
  return report.time ? std::to_string(report.time->time_since_epoch().count()) : "";
}

std::string metadataOf(const Report& report, std::string_view column) {
  for (const MetadataEdit::Change& change : report.metadata.changes())
    if (column == "metadata[" + change.key + ']') return change.value;
  return {};
}

std::string fieldOf(const Report& report, std::string_view column) {
  if (column == "id") return report.id;
  if (column == "outcome") return report.outcome;
  if (column == "time") return timeOf(report);
  if (column == "attempt") return report.attempt;
  if (column == "reference") return report.reference;
  return metadataOf(report, column);
}

/// Whether a new file can take the place of this one, unlike that of a device.
bool isReplaceable(const std::string& path) {
  std::error_code ignored;
  return !std::filesystem::exists(path, ignored) || std::filesystem::is_regular_file(path, ignored);
}

/// Of the lines of a file in any order, since a resumed job delivers results in another one.
struct Contents {
  std::uint64_t size = 0;
  std::uint64_t sum = 0;

  bool operator==(const Contents&) const = default;
};

/// Nothing if there is no file that can be read.
std::optional<Contents> contentsOf(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  if (!file) return std::nullopt;
  Contents contents;
  for (std::string line; std::getline(file, line);) {
    contents.size += line.size() + 1;
    contents.sum += longFingerprint(line);
  }
  if (file.bad()) return std::nullopt;
  return contents;
}

bool isSameFile(const std::string& one, const std::string& other) {
  const auto contents = contentsOf(one);
  return contents && contents == contentsOf(other);
}

bool takeLock(int file) {
  return ::flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;  // some file systems have no locks
}

/// Left by a run that was killed. Throws UsageError if another run is writing it.
void removeIncomplete(const std::string& path) {
  const int left = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const bool isFree = left < 0 || takeLock(left);
  std::error_code ignored;
  if (isFree) std::filesystem::remove(path, ignored);
  if (left >= 0) ::close(left);
  if (!isFree) throw UsageError{path + " is being written by another run; name another file with --refused"};
}

/// Null if the file exists: then another run has begun to write it.
std::FILE* openNew(const std::string& path) {
  constexpr mode_t mode = 0666;  // as fopen()
  const int opened = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (opened < 0) return nullptr;
  std::FILE* const file = takeLock(opened) ? ::fdopen(opened, "w") : nullptr;
  if (file == nullptr) ::close(opened);
  return file;
}

bool isSynced(int file) {
  return ::fsync(file) == 0 || errno == EINVAL;  // some file systems can't do that
}

/// Otherwise, a loss of power could leave an empty file, though the journal may have been removed.
bool isDurable(std::FILE* file) {
  return std::fflush(file) == 0 && isSynced(::fileno(file));
}

/// So that the folder has the new names after a loss of power.
bool syncFolderOf(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path{path}.parent_path();
  const int opened = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return true;  // a folder that can't be read
  const bool isDone = isSynced(opened);
  ::close(opened);
  return isDone;
}

std::string unusedName(const std::string& path) {
  std::error_code ignored;
  int number = 1;
  while (std::filesystem::exists(path + '.' + std::to_string(number), ignored))
    ++number;
  return path + '.' + std::to_string(number);
}

/// Without the details in brackets, such as the request id, which differ from one call to the next.
std::string_view withoutDetails(std::string_view problem) {
  return problem.substr(0, problem.rfind(" ["));
}

/// With quotes in it doubled.
std::string quoted(const std::string& text) {
  std::string field{'"'};
  for (const char c : text)
    field.append(c == '"' ? 2 : 1, c);
  return field += '"';
}

}  // namespace

Display::Display() : terminal_(isatty(STDERR_FILENO) != 0) {}

void Display::show(const ReportProgress& progress) {
  if (!terminal_ || !progress.total) {
    std::cerr << progress << '\n';
    return;
  }
  constexpr std::size_t width = 30;
  const std::uint64_t total = std::max<std::uint64_t>(*progress.total, 1);
  const auto full = static_cast<std::size_t>(width * std::min(progress.ended(), total) / total);
  ReportProgress bar = progress;
  std::cerr << "\r\x1b[K";
  // On a line of its own, once, since a bar of several lines can't be overwritten.
  const std::string last = std::exchange(problem_, withoutDetails(bar.problem));
  if (problem_ != last && !problem_.empty()) std::cerr << bar.problem << '\n';
  bar.problem.clear();
  std::cerr << '[' << std::string(full, '#') << std::string(width - full, '.') << "] " << bar << std::flush;
  shown_ = true;
}

Display::~Display() {
  if (shown_) std::cerr << '\n';
}

RefusedRows::RefusedRows(std::string path, const std::vector<std::string>& columns)
    : path_(std::move(path)),
      written_(isReplaceable(path_) ? path_ + std::string{incompleteSuffix} : path_),
      input_(columns) {
  for (const std::string& column : columns)
    if (!isAdded(column)) columns_.push_back(column);
  if (columns.empty()) columns_ = {"id", "outcome", "reference"};
  if (written_ != path_) removeIncomplete(written_);
}

void RefusedRows::add(std::uint64_t line, const ReportResult& result,
                      const std::optional<std::vector<std::string>>& fields) {
  any_ = true;
  if (!file_ && problem_.empty()) open();
  if (!problem_.empty()) return;
  std::vector<std::string> row{std::to_string(result.row + 1), std::to_string(line),
                               std::string{toString(result.end)}, result.reason};
  if (fields) {
    append(row, *fields);
  } else {
    for (const std::string& column : columns_)
      row.push_back(fieldOf(result.report, column));
  }
  writeAll(row);
}

/// A row with the wrong number of fields keeps a wrong number, so that it is not sent until somebody corrects
/// it. A row that may have been applied in an earlier job keeps its `end`, so that it is not sent either.
void RefusedRows::append(std::vector<std::string>& row, const std::vector<std::string>& fields) const {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string_view column = i < input_.size() ? std::string_view{input_[i]} : std::string_view{};
    if (!isAdded(column)) row.push_back(fields[i]);
    if (column == added[endColumn] && !fields[i].empty()) row[endColumn] = fields[i];
  }
  const bool fits = fields.size() == input_.size();
  if (!fits && row.size() == added.size() + columns_.size()) row.emplace_back();  // without its own `end`
}

void RefusedRows::open() {
  file_.reset(written_ == path_ ? std::fopen(path_.c_str(), "w") : openNew(written_));
  if (!file_) return fail();
  std::vector<std::string> header{added.begin(), added.end()};
  header.insert(header.end(), columns_.begin(), columns_.end());
  writeAll(header);
}

/// The file is locked until it has its name.
const std::string& RefusedRows::finish() {
  const bool isNew = written_ != path_;
  if (file_ && isNew && problem_.empty() && !isDurable(file_.get())) fail();
  if (problem_.empty() && isNew) replace();
  if (std::FILE* const file = file_.release(); file != nullptr && std::fclose(file) != 0) fail();
  return problem_;
}

void RefusedRows::replace() {
  std::error_code error;
  if (any_ && isSameFile(written_, path_)) {
    std::filesystem::remove(written_, error);
    return;
  }
  if (std::filesystem::exists(path_, error)) {
    earlier_ = unusedName(path_);
    std::filesystem::rename(path_, earlier_, error);
  }
  if (any_ && !error) std::filesystem::rename(written_, path_, error);
  if (error || ((any_ || !earlier_.empty()) && !syncFolderOf(path_))) fail();
}

void RefusedRows::writeAll(const std::vector<std::string>& fields) {
  std::string row;
  for (const std::string& field : fields)
    row += (row.empty() ? "" : ",") + quoted(field);
  row += '\n';
  if (std::fwrite(row.data(), 1, row.size(), file_.get()) != row.size()) fail();
}

}  // namespace tally::detail
