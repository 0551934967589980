#include "har/har_splitter.h"

#include <cerrno>
#include <cstring>
#include <istream>
#include <system_error>

#include "json/json_cursor.h"
#include "text/escape_scan.h"
#include "text/utf8_sequence.h"

namespace tally::detail {

namespace {

constexpr std::size_t largestValue = std::size_t{256} * 1'024 * 1'024;

bool isSpace(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

std::vector<std::string> namesIn(std::string_view list) {
  std::vector<std::string> names;
  JsonCursor cursor{list};
  if (!cursor.take('[')) return names;
  while (const auto name = cursor.string()) {
    names.emplace_back(*name);
    if (!cursor.take(',')) break;
  }
  return names;
}

}  // namespace

std::optional<std::string_view> HarSplitter::next() {
  try {
    while (place_ != Place::end)
      if (const auto found = step()) return found;
  } catch (const CutOff&) {
    if (base_ == 0 && read().find_first_not_of(" \t\r\n") == std::string_view::npos)
      fail("the file is empty");
    cutOff_ = true;
    place_ = Place::end;
  }
  return std::nullopt;
}

std::optional<std::string_view> HarSplitter::step() {
  if (place_ == Place::entries) return entry();
  place_ == Place::start ? begin() : logMember();
  return std::nullopt;
}

/// Up to the first member of `log`.
void HarSplitter::begin() {
  while (read_ < byteOrderMark.size() && fill()) {
  }
  if (read().starts_with(byteOrderMark)) at_ += byteOrderMark.size();
  expect('{', "'{'");
  for (bool first = true; peek() != '}'; first = false) {
    if (!first) expect(',', "',' or '}'");
    if (name() == "log") {
      expect('{', "an object as the value of log");
      place_ = Place::log;
      return;
    }
    (void)otherValue();
  }
  fail("there is no member log");
}

void HarSplitter::logMember() {
  if (peek() == '}') return endLog();
  if (!first_) expect(',', "',' or '}'");
  first_ = false;
  const std::string member = name();
  if (member == "entries") {
    if (found_) fail("entries are given twice");
    expect('[', "a list as the value of entries");
    place_ = Place::entries;
    first_ = found_ = true;
    return;
  }
  const std::string_view text = otherValue();
  if (member == "_redacted") redacted_ = namesIn(text);
}

std::optional<std::string_view> HarSplitter::entry() {
  if (!beginEntry()) return std::nullopt;
  const std::string_view text = value();
  first_ = false;
  return text;
}

/// Passes what precedes an entry. False at the end of the list.
bool HarSplitter::beginEntry() {
  if (peek() == ']') {
    ++at_;
    place_ = Place::log;
    first_ = false;
    return false;
  }
  if (!first_) expect(',', "',' or ']'");
  first_ = true;
  if (peek() != '{') fail("expected an entry");
  entryAt_ = base_ + at_;
  return true;
}

std::string_view HarSplitter::buffered() {
  try {
    if (place_ != Place::entries || !beginEntry()) return {};
  } catch (const CutOff&) {
    return {};  // next() will note it
  }
  return read().substr(at_);
}

void HarSplitter::drop(std::size_t size) {
  at_ += size;
  first_ = false;
}

/// The other members beside `log`, and the end of the text.
void HarSplitter::endLog() {
  if (!found_) fail("log has no member entries");
  ++at_;
  while (peek() != '}') {
    expect(',', "',' or '}'");
    (void)name();
    (void)otherValue();
  }
  ++at_;
  place_ = Place::end;
  try {
    (void)peek();
  } catch (const CutOff&) {
    return;
  }
  fail("expected the end of the file");
}

/// Reads more into the buffer. False at the end.
bool HarSplitter::fill() {
  if (read_ - at_ > largestValue) fail("a value of more than 256 MiB");
  if (buffer_.size() < read_ + pieceSize_) buffer_.resize(read_ + pieceSize_);
  errno = 0;
  in_.read(buffer_.data() + read_, static_cast<std::streamsize>(pieceSize_));
  const auto size = static_cast<std::size_t>(in_.gcount());
  if (in_.bad()) failToRead(errno);
  read_ += size;
  return size != 0;
}

/// The character at an index of the buffer, which may not be there yet.
char HarSplitter::at(std::size_t index) {
  if (index >= read_ && !fill()) throw CutOff{};
  return buffer_[index];
}

/// The next character after white space. Drops what was read before it.
char HarSplitter::peek() {
  while (isSpace(at(at_)))
    ++at_;
  if (at_ >= pieceSize_) {
    read_ -= at_;
    std::memmove(buffer_.data(), buffer_.data() + at_, read_);
    base_ += at_;
    at_ = 0;
  }
  return buffer_[at_];
}

void HarSplitter::expect(char c, const char* what) {
  if (peek() != c) fail(std::string{"expected "} + what);
  ++at_;
}

/// The name of a member, and the colon after it.
std::string HarSplitter::name() {
  if (peek() != '"') fail("expected the name of a member");
  const std::size_t begin = at_;
  at_ = endOfString(at_);
  JsonCursor cursor{read().substr(begin, at_ - begin)};
  const auto read = cursor.string();
  if (!read) fail("a name that is not JSON");
  std::string found{*read};
  expect(':', "':'");
  return found;
}

/// The next value, of any shape. Only its brackets and strings are checked.
std::string_view HarSplitter::value() {
  const char first = peek();
  const std::size_t begin = at_;
  at_ = first == '"'                   ? endOfString(begin)
        : first == '{' || first == '[' ? endOfBrackets(begin)
                                       : endOfWord(begin);
  return read().substr(begin, at_ - begin);
}

/// A value beside the entries, which has to be JSON, too.
std::string_view HarSplitter::otherValue() {
  const std::string_view text = value();
  std::string ignored;
  JsonCursor cursor{text};
  if (!cursor.value(ignored) || !cursor.atEnd()) {
    at_ -= text.size();
    fail(cursor.fault());
  }
  return text;
}

std::size_t HarSplitter::endOfString(std::size_t from) {
  for (std::size_t index = from + 1;;) {
    (void)at(index);  // an escape may be cut in two by the end of the buffer
    const char* const begin = buffer_.data();
    index = static_cast<std::size_t>(endOfPlain<Charset::any>(begin + index, begin + read_) - begin);
    const char c = at(index);
    if (c == '"') return index + 1;
    if (!isPlain<Charset::any>(c)) index += c == '\\' ? 2 : 1;  // an escape, or what its reader refuses
  }
}

std::size_t HarSplitter::endOfBrackets(std::size_t from) {
  std::size_t depth = 0;
  for (std::size_t index = from;;) {
    switch (at(index)) {
      case '"':
        index = endOfString(index);
        continue;
      case '{':
      case '[':
        ++depth;
        break;
      case '}':
      case ']':
        if (--depth == 0) return index + 1;
        break;
      default:
        break;
    }
    ++index;
  }
}

std::size_t HarSplitter::endOfWord(std::size_t from) {
  std::size_t index = from;
  while (std::string_view{",]}:\"[{"}.find(at(index)) == std::string_view::npos && !isSpace(at(index)))
    ++index;
  if (index == from) fail("expected a value");
  return index;
}

/// `reason` is that of the system; 0 if it gave none.
void HarSplitter::failToRead(int reason) const {
  const std::string why = reason == 0 ? "" : ": " + std::generic_category().message(reason);
  throw HarError{"can't read after byte " + std::to_string(base_ + read_) + why};
}

void HarSplitter::fail(const std::string& what) const {
  throw HarError{"not HAR at byte " + std::to_string(base_ + at_) + ": " + what};
}

}  // namespace tally::detail
