#include "csv_reader.h"

#include <algorithm>
#include <utility>

namespace tally::detail {

std::optional<CsvRow> CsvReader::next() {
  CsvRow row;
  do {
    if (isOver_ || !readLine(row)) return std::nullopt;
  } while (line_.empty() && !row.fault);
  row.line = lines_.number();
  while (!row.fault) {
    readField(row);
    if (row.fault || at_ == line_.size()) break;
    ++at_;  // the comma
  }
  return row;
}

/// False at the end.
bool CsvReader::readLine(CsvRow& row) {
  if (!lines_.next()) return false;
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

}  // namespace tally::detail
