#include "csv_reader.h"

#include <algorithm>
#include <string>
#include <utility>

namespace tally::detail {

std::optional<CsvRow> CsvReader::next() {
  CsvRow row;
  isOpen_ = false;
  do {
    if (isOver_ || !readLine(row)) return std::nullopt;
  } while (line_.empty() && !row.fault);
  row.line = lines_.number();
  while (!row.fault) {
    readField(row);
    if (row.fault || at_ == line_.size()) break;
    ++at_;  // the comma
  }
  if (row.fault && !lines_.fault().empty()) skipRest(*row.fault);
  return row;
}

/// False at the end.
bool CsvReader::nextLine() {
  if (!lines_.next()) return false;
  isOpen_ = isOpen_ != lines_.hasOddQuotes();
  return true;
}

/// False at the end.
bool CsvReader::readLine(CsvRow& row) {
  if (!nextLine()) return false;
  line_ = lines_.text();
  at_ = 0;
  if (const std::string_view fault = lines_.fault(); !fault.empty())
    row.fault = {{lines_.number(), lines_.faultColumn()}, std::string{fault}};
  return true;
}

void CsvReader::readField(CsvRow& row) {
  CsvField field{.begin = place(at_)};
  if (line_.substr(at_).starts_with('"')) {
    readQuoted(field, row);
  } else {
    readPlain(field, row);
  }
  if (!row.fault) row.fields.push_back(std::move(field));
}

void CsvReader::readPlain(CsvField& field, CsvRow& row) {
  const std::size_t end = std::min(line_.find(',', at_), line_.size());
  field.text = line_.substr(at_, end - at_);
  if (const std::size_t quote = field.text.find('"'); quote != std::string::npos)
    row.fault = {place(at_ + quote),
                 "a misplaced quote; put quotes around the whole field, and double any quotes inside it"};
  at_ = end;
}

void CsvReader::readQuoted(CsvField& field, CsvRow& row) {
  ++at_;
  while (!row.fault) {
    const std::size_t quote = line_.find('"', at_);
    field.text += line_.substr(at_, quote == std::string_view::npos ? quote : quote - at_);
    if (quote == std::string_view::npos) {
      if (!continueQuoted(field, row)) return;
      continue;
    }
    at_ = quote + 1;
    if (!line_.substr(at_).starts_with('"')) return endQuoted(row);
    field.text += '"';
    ++at_;
  }
}

/// Goes on to the next line of the field. False if there is none.
bool CsvReader::continueQuoted(CsvField& field, CsvRow& row) {
  field.text += '\n';
  const bool isLong = field.text.size() > longestLine;
  if (!isLong && readLine(row)) return true;
  isOver_ = true;
  row.fault = {
      field.begin,
      std::string{"a quoted field does not end"} + (isLong ? " within 1 MiB" : "") +
          "; the rows after it have not been read. Add the closing quote, or remove the opening one"};
  return false;
}

void CsvReader::endQuoted(CsvRow& row) {
  if (at_ == line_.size() || line_[at_] == ',') return;
  row.fault = {place(at_), "text after a closing quote; double any quotes inside a field"};
}

/// After a line that can't be read. The next lines may be text of a quoted field that looks like rows.
void CsvReader::skipRest(CsvFault& fault) {
  if (!isOpen_) return;
  while (isOpen_ && !isOver_)
    isOver_ = !nextLine();
  fault.what += isOver_ ? "; a quoted field of this row does not end, so the rows after it have not been read"
                        : "; the row ends on line " + std::to_string(lines_.number());
}

}  // namespace tally::detail
