#include <algorithm>
#include <functional>
#include <ostream>
#include <set>
#include <utility>

#include <tally/report.h>

#include "json/json_cursor.h"
#include "json/json_writer.h"
#include "text/decimal.h"
#include "text/readable.h"

namespace [[gnu::visibility("default")]] tally {

namespace {

using detail::JsonCursor;

struct TextMember {
  std::string_view name;
  std::string Report::* member;
};

constexpr TextMember texts[] = {{"id", &Report::id},
                                {"outcome", &Report::outcome},
                                {"attempt", &Report::attempt},
                                {"reference", &Report::reference}};

/// Reads one report. The functions return false once `fault_` says what is wrong.
class ReportReader {
 public:
  explicit ReportReader(std::string_view text) : json_(text) {}

  [[nodiscard]] Result<Report> read() {
    if (!readMembers() || !isComplete())
      return Error{{.kind = ErrorKind::invalidParameter, .message = fault_, .param = member_}};
    return std::move(report_);
  }

 private:
  [[nodiscard]] bool readMembers() {
    if (!json_.take('{')) return fail("expected a JSON object");
    if (!json_.take('}')) {
      do {
        if (!readMember()) return false;
      } while (json_.take(','));
      member_.clear();
      if (!json_.take('}')) return fail(json_.fault("expected ',' or '}'"));
    }
    return json_.atEnd() || fail("expected nothing after the report");
  }

  [[nodiscard]] bool readMember() {
    member_.clear();
    const auto name = takeName();
    if (!name) return false;
    member_ = *name;
    if (member_ == "metadata") return readMetadata();
    if (!isFirst(member_)) return false;
    if (member_ == "time") return readTime();
    const auto* const text = std::ranges::find(texts, member_, &TextMember::name);
    if (text == std::end(texts)) return fail("is unknown");
    return readText(report_.*text->member);
  }

  [[nodiscard]] std::optional<std::string> takeName() {
    const auto name = json_.string();
    std::string copy{name.value_or("")};
    if (name && json_.take(':')) return copy;
    (void)fail(name ? json_.fault("expected ':'") : json_.fault());
    return std::nullopt;
  }

  [[nodiscard]] bool isFirst(const std::string& name) {
    return seen_.insert(name).second || fail("occurs twice");
  }

  [[nodiscard]] bool readText(std::string& out) {
    if (json_.peek() != '"') return fail("expected a string");
    const auto text = json_.string();
    if (!text) return fail(json_.fault());
    out = *text;
    return true;
  }

  [[nodiscard]] bool readTime() {
    const auto seconds = json_.integer();
    if (!seconds) return fail("expected whole seconds since the Unix epoch");
    report_.time.emplace(std::chrono::seconds{*seconds});
    return true;
  }

  /// `null` may precede the changes: an edit can contain both, although no call accepts it.
  [[nodiscard]] bool readMetadata() {
    if (json_.take("null")) {
      report_.metadata = MetadataEdit::unsetAll();
      return !seen_.contains(member_) ? isFirst("null") : fail("occurs twice");
    }
    if (!isFirst(member_)) return false;
    if (!json_.take('{')) return fail("expected an object or null");
    if (json_.take('}')) return true;
    do {
      if (!readChange()) return false;
    } while (json_.take(','));
    return json_.take('}') || fail(json_.fault("expected ',' or '}'"));
  }

  [[nodiscard]] bool readChange() {
    const auto key = takeName();
    if (!key) return false;
    if (json_.take("null")) {
      report_.metadata.unset(*key);
      return true;
    }
    const auto value = json_.string();
    if (!value) return fail("expected a string or null");
    report_.metadata.set(*key, *value);
    return true;
  }

  [[nodiscard]] bool isComplete() {
    for (const char* name : {"id", "outcome"}) {
      member_ = name;
      if (!seen_.contains(member_)) return fail("is missing");
    }
    return true;
  }

  [[nodiscard]] bool fail(std::string what) {
    fault_ = std::move(what);
    return false;
  }

  JsonCursor json_;
  Report report_{};
  std::string member_{};
  std::set<std::string, std::less<>> seen_{};  // the names of the members
  std::string fault_{};
};

void beginMember(std::string& out, std::string_view name) {
  out += out.back() == '{' ? "\"" : ",\"";
  out += name;
  out += "\":";
}

void writeText(std::string& out, std::string_view name, std::string_view text) {
  beginMember(out, name);
  detail::writeJsonString(out, text);
}

void writeMetadata(std::string& out, const MetadataEdit& edit) {
  if (edit.unsetsAll()) {
    beginMember(out, "metadata");
    out += "null";
  }
  if (edit.changes().empty()) return;
  beginMember(out, "metadata");
  out += '{';
  for (const MetadataEdit::Change& change : edit.changes()) {
    if (out.back() != '{') out += ',';
    detail::writeJsonString(out, change.key);
    out += ':';
    if (change.unset) {
      out += "null";
    } else {
      detail::writeJsonString(out, change.value);
    }
  }
  out += '}';
}

}  // namespace

std::string Report::toText() const {
  std::string out{'{'};
  writeText(out, "id", id);
  writeText(out, "outcome", outcome);
  if (time) {
    beginMember(out, "time");
    detail::appendDecimal(out, time->time_since_epoch().count());
  }
  writeMetadata(out, metadata);
  if (!attempt.empty()) writeText(out, "attempt", attempt);
  if (!reference.empty()) writeText(out, "reference", reference);
  return out += '}';
}

Result<Report> Report::fromText(std::string_view text) {
  return ReportReader{text}.read();
}

/// The namespace of a public header does not make a friend visible that only its class declares.
[[gnu::visibility("default")]] std::ostream& operator<<(std::ostream& out, const Report& report) {
  std::string line;
  detail::appendWord(line, report.id);
  detail::appendWord(line += ' ', report.outcome);
  if (report.time) line += " at " + toString(*report.time);
  if (!report.attempt.empty()) detail::appendWord(line += ", attempt ", report.attempt);
  if (!report.reference.empty()) detail::appendWord(line += ", reference ", report.reference);
  out << line;
  if (!report.metadata.empty()) out << ", metadata " << report.metadata;
  return out;
}

}  // namespace tally
