#include "raw_json_writer.h"

#include "json_writer.h"

namespace tally::detail {

void RawJsonWriter::separate() {
  if (separate_) *out_ += ',';
  separate_ = false;
}

void RawJsonWriter::valueDone() {
  separate_ = true;
  if (depth_ == 0) out_ = nullptr;
}

void RawJsonWriter::open(char bracket) {
  separate();
  *out_ += bracket;
  ++depth_;
}

void RawJsonWriter::close(char bracket) {
  *out_ += bracket;
  --depth_;
  valueDone();
}

void RawJsonWriter::key(std::string_view name) {
  separate();
  writeJsonString(*out_, name);
  *out_ += ':';
}

void RawJsonWriter::string(std::string_view value) {
  separate();
  writeJsonString(*out_, value);
  valueDone();
}

void RawJsonWriter::literal(std::string_view text) {
  separate();
  *out_ += text;
  valueDone();
}

}  // namespace tally::detail
