#include "json/raw_json_writer.h"

#include "json/json_writer.h"

namespace tally::detail {

void RawJsonWriter::separate() {
  if (separate_) out_ += ',';
  separate_ = false;
}

void RawJsonWriter::open(char bracket) {
  separate();
  out_ += bracket;
}

void RawJsonWriter::close(char bracket) {
  out_ += bracket;
  separate_ = true;
}

void RawJsonWriter::key(std::string_view name) {
  separate();
  writeJsonString(out_, name);
  out_ += ':';
}

void RawJsonWriter::string(std::string_view value) {
  separate();
  writeJsonString(out_, value);
  separate_ = true;
}

void RawJsonWriter::literal(std::string_view text) {
  separate();
  out_ += text;
  separate_ = true;
}

}  // namespace tally::detail
