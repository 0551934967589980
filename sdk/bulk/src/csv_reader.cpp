#include "csv_reader.h"

#include <algorithm>
#include <string>
#include <utility>

namespace tally::detail {

std::optional<CsvRow> CsvReader::next() {
  CsvRow row;
  do {
    size_ = 0;
    hasOddQuotes_ = hasFaultyLine_ = false;
    if (isOver_ || !readLine(row)) return std::nullopt;
  } while (line_.empty() && !row.fault);
  row.line = lines_.number();
  do {
    readField(row);
  } while (takeComma());
  skipRest(row);
  tellEnd(row);
  return row;
}

/// False at the end.
bool CsvReader::readLine(CsvRow& row) {
  if (!lines_.next()) return false;
  line_ = lines_.text();
  at_ = 0;
  size_ += line_.size() + 1;
  hasOddQuotes_ = hasOddQuotes_ != lines_.hasOddQuotes();
  const std::string_view fault = lines_.fault();
  if (fault.empty()) return true;
  hasFaultyLine_ = true;
  hasOddQuotesBeyond_ = lines_.hasOddQuotes() != (std::ranges::count(line_, '"') % 2 != 0);
  note(row, {lines_.number(), lines_.faultColumn()}, std::string{fault});
  return true;
}

/// Only the first fault of a row counts.
void CsvReader::note(CsvRow& row, FilePlace place, std::string what) {
  if (!row.fault) row.fault = {place, std::move(what)};
}

void CsvReader::readField(CsvRow& row) {
  CsvField field{.begin = place(at_)};
  if (line_.substr(at_).starts_with('"')) {
    ++at_;
    readInQuotes(field, row);
  } else {
    readPlain(field, row);
  }
  if (!isOver_ && at_ == line_.size() && std::exchange(hasOddQuotesBeyond_, false) &&
      continueQuoted(field, row))
    readInQuotes(field, row);
  if (size_ > longestLine + 1) note(row, {row.line, 1}, "the row is longer than 1 MiB");
  if (!row.fault) row.fields.push_back(std::move(field));
}

void CsvReader::readPlain(CsvField& field, CsvRow& row) {
  const std::size_t end = std::min(line_.find(',', at_), line_.size());
  field.text = line_.substr(at_, end - at_);
  if (const std::size_t quote = field.text.find('"'); quote != std::string::npos)
    note(row, place(at_ + quote),
         "a misplaced quote; put quotes around the whole field, and double any quotes inside it");
  at_ = end;
}

/// Up to the comma or the end of the line after the closing quote.
void CsvReader::readInQuotes(CsvField& field, CsvRow& row) {
  while (true) {
    const std::size_t quote = std::min(line_.find('"', at_), line_.size());
    if (!row.fault) field.text += line_.substr(at_, quote - at_);
    at_ = std::min(quote + 1, line_.size());
    if (quote == line_.size()) {
      if (std::exchange(hasOddQuotesBeyond_, false) || !continueQuoted(field, row)) return;
    } else if (line_.substr(at_).starts_with('"')) {
      if (!row.fault) field.text += '"';
      ++at_;
    } else {
      return endQuoted(row);
    }
  }
}

/// Goes on to the next line of the field. False if there is none.
bool CsvReader::continueQuoted(CsvField& field, CsvRow& row) {
  if (!row.fault) field.text += '\n';
  const bool isLong = !row.fault && field.text.size() > longestLine;
  if (!isLong && readLine(row)) return true;
  if (row.fault) {
    giveUp(*row.fault);
    return false;
  }
  isOver_ = true;
  note(row, field.begin,
       std::string{"a quoted field does not end"} + (isLong ? " within 1 MiB" : "") +
           "; the rows after it have not been read. Add the closing quote, or remove the opening one");
  return false;
}

void CsvReader::endQuoted(CsvRow& row) {
  if (at_ == line_.size() || line_[at_] == ',') return;
  note(row, place(at_), "text after a closing quote; double any quotes inside a field");
  at_ = std::min(line_.find(',', at_), line_.size());
}

bool CsvReader::takeComma() {
  if (isOver_ || at_ == line_.size()) return false;
  ++at_;
  return true;
}

/// Quotes beside what a line must not have may be misplaced. The next lines may be text in quotes that looks
/// like rows.
void CsvReader::skipRest(CsvRow& row) {
  while (row.fault && hasFaultyLine_ && hasOddQuotes_ && !isOver_)
    if (!readLine(row)) giveUp(*row.fault);
}

void CsvReader::giveUp(CsvFault& fault) {
  isOver_ = true;
  fault.what += "; a quoted field of this row does not end, so the rows after it have not been read";
}

/// The lines after a fault are not those of other rows.
void CsvReader::tellEnd(CsvRow& row) const {
  if (row.fault && !isOver_ && lines_.number() > row.fault->place.line)
    row.fault->what += "; the row ends on line " + std::to_string(lines_.number());
}

}  // namespace tally::detail
