#include "line_reader.h"

#include <tally/report_reader.h>

#include "text/utf8_sequence.h"

namespace tally::detail {

namespace {

constexpr std::string_view forbidden{"\0\r", 2};

/// A file that begins like this is UTF-16, which has NUL characters between the others.
bool isUtf16(std::string_view text) {
  return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
}

}  // namespace

LineReader::LineReader(std::istream& in) : in_(in) {
  if (!in) throw ReportFileError{"line 1: the file can't be opened"};
}

bool LineReader::next() {
  try {
    if (!read()) return false;
  } catch (const std::ios_base::failure& failure) {
    throw ReportFileError{"line " + std::to_string(number_ + 1) +
                          ": the file can't be read: " + failure.what()};
  }
  if (++number_ > 1) return true;
  if (isUtf16(text_)) throw ReportFileError{"line 1: the file is UTF-16; save it as UTF-8"};
  if (text_.starts_with(byteOrderMark)) text_.erase(0, byteOrderMark.size());
  return true;
}

/// False at the end. The last line may lack its end.
bool LineReader::read() {
  text_.clear();
  hasOddQuotes_ = false;
  std::streambuf& buffer = *in_.rdbuf();
  std::uint64_t size = 0;
  bool endsWithReturn = false;
  for (int c = buffer.sbumpc(); c != '\n'; c = buffer.sbumpc()) {
    if (c == std::char_traits<char>::eof()) {
      in_.setstate(std::ios::eofbit);
      break;
    }
    endsWithReturn = c == '\r';
    hasOddQuotes_ = hasOddQuotes_ != (c == '"');
    if (++size <= longestLine) text_ += static_cast<char>(c);
  }
  const bool any = size != 0;
  if (endsWithReturn) --size;
  if (text_.size() > size) text_.pop_back();
  isLong_ = size > longestLine;
  return any || !in_.eof();
}

std::string_view LineReader::fault() const noexcept {
  if (isLong_) return "the line is longer than 1 MiB";
  const std::size_t at = text_.find_first_of(forbidden);
  if (at == std::string::npos) return {};
  return text_[at] == '\0' ? "a NUL character; remove it, or save the file as UTF-8"
                           : "a carriage return within the line; end lines with LF or CRLF";
}

std::uint64_t LineReader::faultColumn() const noexcept {
  return (isLong_ ? longestLine : text_.find_first_of(forbidden)) + 1;
}

}  // namespace tally::detail
